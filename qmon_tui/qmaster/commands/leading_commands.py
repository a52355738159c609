"""The commands that change one configuration into another, in an order that the qmaster accepts.

Source: qconf.md#order-of-changes. Additions come first, each object after those it refers to; deletions come last, each
object before those it refers to. Attributes of the complex are deleted when no object refers to them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from qmon_tui.checks import addition_findings, change_findings, deletion_refusals, is_same_name, with_names
from qmon_tui.formats.qconf import write_complexes
from qmon_tui.model import Cluster, ConfigObject, Kind, ObjectKey, State, references_of, references_to
from qmon_tui.model.catalogue import spec
from qmon_tui.model.catalogue.qconf_options import QCONF
from qmon_tui.qmaster.commands.command import Command, Reply
from qmon_tui.qmaster.commands.qconf import (
    NAME_LISTS,
    QconfAccess,
    QconfAdd,
    QconfDelete,
    QconfListName,
    QconfModify,
    refused_by,
)
from qmon_tui.qmaster.commands.qconf_attribute import PARTS, QconfAttribute
from qmon_tui.qmaster.commands.share_nodes import QconfNodes
from qmon_tui.qmaster.commands.smallest_changes import changed_fields, object_changes
from qmon_tui.values import BLANK_OR_COMMA, comparable, split_names

_ORDER: Final = (
    *(Kind.USERSET, Kind.PROJECT, Kind.USER, Kind.CONFIGURATION, Kind.HOST, Kind.HOSTGROUP, Kind.CALENDAR, Kind.CKPT),
    *(Kind.PE, Kind.QUEUE, Kind.QUOTA, Kind.SHARETREE, Kind.SCHEDULER),
)
"""Kinds in order: each after the kinds to which it refers."""
_NAMING: Final = {Kind.HOSTGROUP: "hostlist", Kind.QUEUE: "subordinate_list"}
"""Kind -> the field that refers to other objects of the kind."""
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
        """Return the cluster with these attributes only, or the first refusals.

        The qmaster would carry out the changes that it does not refuse.
        """
        before, names = cluster.objects(Kind.COMPLEX), {entry.name for entry in self.entries}
        gone = [name for name in before if name not in names]
        printed = [text for name in gone for text in refused_by(deletion_refusals(cluster, Kind.COMPLEX, name))]
        left = cluster
        for name in gone:
            left = left.without(Kind.COMPLEX, name)
        for entry in self.entries:
            if entry.name not in before:
                printed += refused_by(addition_findings(left, entry))
            elif changed_fields(before[entry.name], entry):
                printed += refused_by(change_findings(left, entry))
            left = left.with_object(entry)
        if printed:
            return Reply(state, tuple(printed))
        for name in before:
            cluster = cluster.without(Kind.COMPLEX, name)
        return Reply(state, cluster=cluster.with_objects(self.entries))


def leading_commands(before: Cluster, after: Cluster) -> tuple[Command, ...]:
    """Return the smallest commands that change `before` into `after`, in the order in which the qmaster accepts them.

    Only complexes, configurations, the scheduler, quota sets and objects with many changes (`object_changes`) are
    given as a whole. Empty if both differ at most in values that change without an edit.
    """
    return tuple(_commands(before, after))


def object_of(command: Command) -> ObjectKey | None:
    """Return kind and name of the object that a command changes; the name of all complexes is empty.

    None if the command changes no configuration.
    """
    match command:
        case QconfAdd(obj) | QconfModify(obj):
            return obj.kind, obj.name
        case QconfDelete(kind, name):
            return kind, name
        case QconfAttribute(kind, name):
            return kind, name.partition(PARTS[kind])[0] if kind in PARTS else name
        case QconfListName(kind):
            return kind, kind.value
        case QconfAccess(_, (name, *_)):
            return Kind.USERSET, name
        case QconfNodes():
            return Kind.SHARETREE, Kind.SHARETREE.value
        case QconfComplexes():
            return Kind.COMPLEX, ""
    return None


def _commands(before: Cluster, after: Cluster) -> Iterator[Command]:
    now = before
    joined = _joined_complexes(before, after)
    # With an attribute deleted, a shortcut may mean another attribute.
    has_renamed = not before.objects(Kind.COMPLEX).keys() <= after.objects(Kind.COMPLEX).keys()
    if _differ(before.objects(Kind.COMPLEX), joined):
        yield (complexes := QconfComplexes(tuple(joined.values())))
        now = complexes.apply(now, State()).cluster or now
    for kind in _ORDER:
        for command in _additions(before.objects(kind), after.objects(kind), kind):
            yield command
            now = now.with_object(command.obj)
        for name, obj in after.objects(kind).items():
            old = before.get(kind, name)
            if old is None or not (changed_fields(old, obj) or has_renamed):
                continue
            yield from object_changes(now, with_names(before, old), with_names(after, obj))
            now = now.with_object(obj)
    for kind in NAME_LISTS_IN_ORDER:
        yield from _listed(kind, before, after)
    for kind in reversed(_ORDER):
        yield from _deleted(kind, before.objects(kind), after.objects(kind))
    if _differ(joined, after.objects(Kind.COMPLEX)):
        yield QconfComplexes(tuple(after.objects(Kind.COMPLEX).values()))


def _joined_complexes(before: Cluster, after: Cluster) -> dict[str, ConfigObject]:
    """Return the attributes of both clusters, so that objects may refer to either.

    If an old attribute has the shortcut of a new one, the new one gets another shortcut until the old one is deleted.
    An old attribute to which nothing refers is deleted first.
    """
    old, new = before.objects(Kind.COMPLEX), after.objects(Kind.COMPLEX)
    wanted = {word for entry in new.values() for word in _words(entry)}
    gone = [entry for name, entry in old.items() if name not in new]
    left = [
        entry for entry in gone
        if wanted.isdisjoint(_words(entry)) or references_to(before, Kind.COMPLEX, entry.name)
    ]  # fmt: skip
    taken = {word for entry in left for word in _words(entry)}
    joined = {**{entry.name: entry for entry in left}, **new}
    for name, entry in new.items():
        if entry.text("shortcut") in taken:
            words = (name, *(f"{name}_{number}" for number in range(2, len(wanted) + len(taken) + 3)))
            free = next(word for word in words if word == name or word not in wanted | taken)
            joined[name] = entry.with_value("shortcut", free)
    return joined


def _words(entry: ConfigObject) -> tuple[str, str]:
    return entry.name, entry.text("shortcut")


NAME_LISTS_IN_ORDER: Final = tuple(kind for kind in Kind if kind in NAME_LISTS)


def _differ(before: Mapping[str, ConfigObject], after: Mapping[str, ConfigObject]) -> bool:
    return before.keys() != after.keys() or any(changed_fields(before[name], obj) for name, obj in after.items())


def _additions(
    before: Mapping[str, ConfigObject], after: Mapping[str, ConfigObject], kind: Kind
) -> Iterator[QconfAdd | QconfModify]:
    added = [obj for name, obj in after.items() if name not in before]
    late: list[QconfModify] = []
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


def _deleted(kind: Kind, before: Mapping[str, ConfigObject], after: Mapping[str, ConfigObject]) -> Iterator[Command]:
    deleted = list(_referents_first(obj for name, obj in before.items() if name not in after))[::-1]
    left = {comparable(obj.name) for obj in deleted}
    for obj in deleted:
        field = _NAMING.get(kind)
        if field is not None:
            referring = [
                other for other in deleted
                if comparable(obj.name) in _references(other) and comparable(other.name) in left
            ]  # fmt: skip
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
