"""The commands that change one configuration into another, in an order that the qmaster accepts.

Source: qconf.md#order-of-changes. New objects come first, after those they refer to; deletions come last, before those
they refer to. Attributes of the complex are deleted when no object refers to them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from shlex import quote
from typing import Final

from qmon_tui.checks import is_same_name, same_value
from qmon_tui.formats.qconf import write_complexes
from qmon_tui.model import Cluster, ConfigObject, Kind, State, overrides_of, references_of
from qmon_tui.model.catalogue import spec
from qmon_tui.model.catalogue.qconf_options import QCONF
from qmon_tui.qmaster.commands.command import Command, Reply
from qmon_tui.qmaster.commands.qconf import (
    NAME_LISTS,
    ONLY_SHOWN,
    QconfAdd,
    QconfDelete,
    QconfListName,
    QconfModify,
)
from qmon_tui.qmaster.commands.qconf_attribute import QconfAttribute
from qmon_tui.values import BLANK_OR_COMMA, comparable, split_names

_ORDER: Final = (
    *(Kind.USERSET, Kind.PROJECT, Kind.USER, Kind.CONFIGURATION, Kind.HOST, Kind.HOSTGROUP, Kind.CALENDAR, Kind.CKPT),
    *(Kind.PE, Kind.QUEUE, Kind.QUOTA, Kind.SHARETREE, Kind.SCHEDULER),
)
"""Kinds, each after those that it refers to."""
_NAMING: Final = {Kind.HOSTGROUP: "hostlist", Kind.QUEUE: "subordinate_list"}
"""Kind -> the field that refers to other objects of the kind."""
_SINGLY: Final = 2
"""Up to this number changed attributes are set one by one; for more the whole object is given as a file."""
_KEEPS_USAGE: Final = frozenset({Kind.USER, Kind.PROJECT})
"""Kinds whose past usage is lost if a file is given."""
_ALWAYS: Final = {Kind.HOST: "global", Kind.CONFIGURATION: "global"}
"""Objects that always exist."""


@dataclass(frozen=True, slots=True)
class QconfComplexes(Command):
    """All attributes of the complex, as in a file."""

    entries: tuple[ConfigObject, ...]

    @property
    def words(self) -> str:
        return f"change {spec(Kind.COMPLEX).title.lower()}"

    @property
    def line(self) -> str:
        """The file is called complexes; see `text`."""
        return f"qconf {QCONF[Kind.COMPLEX].modify_file} complexes"

    @property
    def text(self) -> str:
        """The content of that file."""
        return write_complexes(self.entries)

    def apply(self, cluster: Cluster, state: State) -> Reply:
        for name in cluster.objects(Kind.COMPLEX):
            cluster = cluster.without(Kind.COMPLEX, name)
        return Reply(state, cluster=cluster.with_objects(self.entries))


def leading_commands(before: Cluster, after: Cluster) -> tuple[Command, ...]:
    """Return the commands that change `before` into `after`."""
    return tuple(_commands(before, after))


def script_lines(commands: Iterable[Command]) -> tuple[str, ...]:
    """Return the lines for a shell; files that a command reads are written by here documents into a new folder."""
    lines: list[str] = []
    for command in commands:
        text = getattr(command, "text", "")
        if not command.line:
            lines.append(f"# no command does this: {command.words}")
            continue
        if text:
            if not any(line.startswith("cd ") for line in lines):
                lines.insert(0, 'cd "$(mktemp -d)"')
            end = next(word for word in ("END", *(f"END{number}" for number in range(1, 99))) if word not in text)
            lines += [f"cat > {quote(_file_of(command.line))} <<'{end}'", *text.rstrip("\n").split("\n"), end]
        lines.append(command.line)
    return tuple(lines)


def _file_of(line: str) -> str:
    import shlex  # late: only commands that read a file have one

    return shlex.split(line)[2]


def _commands(before: Cluster, after: Cluster) -> Iterator[Command]:
    kept = {**before.objects(Kind.COMPLEX), **after.objects(Kind.COMPLEX)}
    if _differ(before.objects(Kind.COMPLEX), kept):
        yield QconfComplexes(tuple(kept.values()))
    for kind in _ORDER:
        yield from _added_and_changed(before.objects(kind), after.objects(kind), kind)
    for kind in NAME_LISTS_IN_ORDER:
        yield from _listed(kind, before, after)
    for kind in reversed(_ORDER):
        yield from _deleted(kind, before.objects(kind), after.objects(kind))
    if kept.keys() - after.objects(Kind.COMPLEX).keys():
        yield QconfComplexes(tuple(after.objects(Kind.COMPLEX).values()))


NAME_LISTS_IN_ORDER: Final = tuple(kind for kind in Kind if kind in NAME_LISTS)


def _differ(before: Mapping[str, ConfigObject], after: Mapping[str, ConfigObject]) -> bool:
    return before.keys() != after.keys() or any(_changed_fields(before[name], obj) for name, obj in after.items())


def _changed_fields(before: ConfigObject, after: ConfigObject) -> list[str]:
    """Return the fields whose values differ, ignoring different spellings of a value."""
    known = spec(before.kind)
    names = dict.fromkeys((*known.by_name, *before.values, *after.values))
    return [
        name
        for name in names
        if name != known.name_field
        and not (before.kind is Kind.HOST and name in ONLY_SHOWN)
        and before.text(name) != after.text(name)
        and (name not in known.by_name or not same_value(known.by_name[name], before.text(name), after.text(name)))
    ]


def _added_and_changed(
    before: Mapping[str, ConfigObject], after: Mapping[str, ConfigObject], kind: Kind
) -> Iterator[Command]:
    added = [obj for name, obj in after.items() if name not in before]
    late: list[Command] = []
    missing = {comparable(obj.name) for obj in added}
    for obj in _referents_first(added):
        field = _NAMING.get(kind)
        new = obj
        if field is not None and not missing.isdisjoint(_references(obj)):
            # Objects that refer to each other are created first.
            late.append(QconfModify(obj))
            new = obj.with_value(field, "NONE")
        missing.discard(comparable(obj.name))
        yield QconfModify(new) if obj.name == _ALWAYS.get(kind) else QconfAdd(new)
    yield from late
    for name, obj in after.items():
        if name in before and (fields := _changed_fields(before[name], obj)):
            yield from _changes(before[name], obj, fields)


def _changes(before: ConfigObject, after: ConfigObject, fields: Sequence[str]) -> Iterator[Command]:
    singly = len(fields) <= _SINGLY or after.kind in _KEEPS_USAGE
    if singly and QCONF[after.kind].attribute and all(_can_be_set(before, after, field) for field in fields):
        for field in fields:
            yield QconfAttribute(after.kind, after.name, field, after.text(field))
    else:
        yield QconfModify(after)


def _can_be_set(before: ConfigObject, after: ConfigObject, field: str) -> bool:
    """True if -rattr can set the value: it keeps settings of removed hosts, and cannot set rules of quotas."""
    text = after.text(field)
    if after.kind is Kind.QUOTA or not text or "\n" in text or field not in spec(after.kind).by_name:
        return False
    keys = {key for key, _ in overrides_of(before.text(field)).keyed}
    return keys <= {key for key, _ in overrides_of(text).keyed} if after.kind is Kind.QUEUE else True


def _deleted(kind: Kind, before: Mapping[str, ConfigObject], after: Mapping[str, ConfigObject]) -> Iterator[Command]:
    deleted = list(_referents_first(obj for name, obj in before.items() if name not in after))[::-1]
    left = {comparable(obj.name) for obj in deleted}
    for obj in deleted:
        field = _NAMING.get(kind)
        referring = [
            other for other in deleted if comparable(obj.name) in _references(other) and comparable(other.name) in left
        ]
        if field is not None:
            yield from (QconfAttribute(kind, other.name, field, "NONE") for other in referring if other is not obj)
        left.discard(comparable(obj.name))
        if obj.name != _ALWAYS.get(kind):
            yield QconfDelete(kind, obj.name)


def _references(obj: ConfigObject) -> set[str]:
    """Return the normalized names of other objects of the kind to which an object refers."""
    named = {comparable(name) for (kind, name), _ in references_of(obj) if kind is obj.kind}
    return named - {comparable(obj.name)}


def _referents_first(objects: Iterable[ConfigObject]) -> Iterator[ConfigObject]:
    """Yield the objects of one kind, each after those to which it refers, as far as there are no cycles."""
    by_name = {comparable(obj.name): obj for obj in objects}
    done: set[str] = set()
    for start in by_name:
        stack = [(start, False)]
        while stack:
            name, is_done = stack.pop()
            if is_done:
                yield by_name[name]
            elif name not in done:
                done.add(name)
                stack.append((name, True))
                stack += [(other, False) for other in sorted(_references(by_name[name])) if other in by_name]


def _listed(kind: Kind, before: Cluster, after: Cluster) -> Iterator[Command]:
    old, new = (split_names(cluster.single(kind).text("entries"), BLANK_OR_COMMA) for cluster in (before, after))
    yield from (QconfListName(kind, name) for name in _lacking(kind, new, old))
    yield from (QconfListName(kind, name, adds=False) for name in _lacking(kind, old, new))


def _lacking(kind: Kind, names: Sequence[str], others: Sequence[str]) -> Iterator[str]:
    return (name for name in names if not any(is_same_name(kind, name, other) for other in others))
