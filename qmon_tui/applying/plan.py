"""A plan: the smallest commands, in order, that turn a running cluster into a wanted one, with their effects."""

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any, Final, NamedTuple
from uuid import uuid4

from qmon_tui.checks import entry_removal, is_same_name, with_names
from qmon_tui.formats import LISTS
from qmon_tui.model import Cluster, ConfigObject, Kind, ObjectKey, State, config_object
from qmon_tui.qmaster import FILE, Call, calls_of, changed_fields, keys_of, leading_commands
from qmon_tui.values import BLANK, BLANK_OR_COMMA, join_names, split_names

_FORMAT: Final = 1
_ALWAYS: Final = frozenset({(Kind.HOST, "global"), (Kind.CONFIGURATION, "global")})
"""Built-in objects, which exist in every cluster."""
_NEVER_DELETED: Final = frozenset({*LISTS, Kind.SCHEDULER, Kind.CONFIGURATION})
_VERBS: Final = frozenset((
    "-aattr", "-mattr", "-rattr", "-dattr", "-purge", "-au", "-du", "-astnode", "-mstnode", "-dstnode", "-Astree",
    "-Mstree", "-dstree", "-Mc", "-Msconf", "-am", "-dm", "-ao", "-do", "-ah", "-dh", "-as", "-ds", "-Aconf", "-Mconf",
    "-dconf", "-Aq", "-Mq", "-dq", "-Ae", "-Me", "-de", "-Ahgrp", "-Mhgrp", "-dhgrp", "-Ap", "-Mp", "-dp", "-Ackpt",
    "-Mckpt", "-dckpt", "-Acal", "-Mcal", "-dcal", "-Au", "-Mu", "-dul", "-Aprj", "-Mprj", "-dprj", "-Auser", "-Muser",
    "-duser", "-Arqs", "-Mrqs", "-drqs",
))  # fmt: skip
"""Options of qconf that a plan may contain."""


class PlanError(Exception):
    """The plan cannot be made, read or used; the text says what to do."""


class Step(NamedTuple):
    """One command of a plan, with the objects that it changes before and after it."""

    words: str
    calls: tuple[Call, ...]
    keys: tuple[ObjectKey, ...]
    before: Cluster
    after: Cluster

    @property
    def lines(self) -> tuple[str, ...]:
        return tuple(line for call in self.calls for line in call.shell_lines)

    @property
    def line(self) -> str:
        """The command line without the lines that write its file."""
        return " && ".join(call.shell_lines[-1] for call in self.calls)

    @property
    def is_whole(self) -> bool:
        """True if the command replaces a whole object, which reverts concurrent changes by others."""
        return any(call.text is not None and call.words[1].startswith("-M") for call in self.calls)


class Refusal(NamedTuple):
    """A command that the qmaster would refuse, and the qmaster's messages."""

    line: str
    messages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Target:
    """The cluster for which a plan is made."""

    location: str
    root: str
    cell: str
    version: str
    """The version of its clients."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Steps in their order, and the objects that they change: before (`base`) and after all steps (`wanted`)."""

    target: Target
    source: str
    """The folder with the wanted cluster, or TAKE_BACK or FINISH and the name of a record."""
    base: Cluster
    wanted: Cluster
    steps: tuple[Step, ...]
    refusals: tuple[Refusal, ...] = ()
    made: float = 0.0
    """Seconds since the epoch."""
    identity: str = ""
    """Unique name; a plan can be applied only once."""

    @property
    def keys(self) -> tuple[ObjectKey, ...]:
        """The objects that the steps change."""
        return tuple(dict.fromkeys(key for step in self.steps for key in step.keys))

    def result(self, cluster: Cluster) -> Cluster:
        """Return the given cluster after all steps."""
        for obj in objects_at(self.base, self.keys):
            cluster = cluster.without(obj.kind, obj.name) if self.wanted.get(obj.kind, obj.name) is None else cluster
        return cluster.with_objects(self.wanted)


def make_plan(target: Target, source: str, before: Cluster, after: Cluster, state: State) -> Plan:
    """Return the plan that turns the running cluster `before` into `after`; without steps if they are equal by value.

    Commands that the qmaster would refuse are in its `refusals`.
    """
    steps: list[Step] = []
    refusals: list[Refusal] = []
    now = before
    for command in leading_commands(before, after):
        reply = command.apply(now, state)
        calls = calls_of(command)
        if reply.cluster is None or not calls:
            messages = reply.messages or ("no command of Grid Engine does this",)
            refusals.append(Refusal(command.line or command.words, messages))
            continue
        keys = keys_of(command)
        steps.append(Step(command.words, calls, keys, only(now, keys), _stored(reply.cluster, keys)))
        now = reply.cluster
    keys = tuple(dict.fromkeys(key for step in steps for key in step.keys))
    return Plan(
        target, source, only(before, keys), _stored(now, keys), tuple(steps), tuple(refusals), time.time(), uuid4().hex
    )


def _stored(cluster: Cluster, keys: Iterable[ObjectKey]) -> Cluster:
    """Return the objects under these keys with names instead of shortcuts, as the qmaster prints them."""
    part = only(cluster, keys)
    return part.with_objects(_without_reports(with_names(cluster, obj)) for obj in part)


def _without_reports(obj: ConfigObject) -> ConfigObject:
    """Return the object; a host without `load_values` and `processors`, which it reports itself."""
    if obj.kind is not Kind.HOST:
        return obj
    values = {name: text for name, text in obj.values.items() if name not in ("load_values", "processors")}
    return replace(obj, values=config_object(obj.kind, obj.name, values).values)


# The wanted cluster -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Scope:
    """The objects and fields that a plan may change."""

    only: tuple[tuple[str, str], ...] = ()
    """(kind, pattern of names); empty for all objects."""
    ignored: frozenset[str] = frozenset()
    """Fields that stay as they are."""
    deletes: bool = False
    """True if objects that the folder does not name are deleted."""
    protected: tuple[str, ...] = ()
    """`KIND/NAME` with patterns: objects that no plan changes."""

    def holds(self, kind: Kind, name: str) -> bool:
        """Return True if `only` includes the object."""
        return not self.only or any(kind == known and fnmatchcase(name, pattern) for known, pattern in self.only)

    def is_protected(self, kind: Kind, name: str) -> bool:
        """Return True if clusters.toml protects the object."""
        return any(fnmatchcase(f"{kind.value}/{name}", pattern) for pattern in self.protected)


def wanted_cluster(live: Cluster, folder: Cluster, scope: Scope) -> Cluster:
    """Return the running cluster with the objects of a folder.

    Objects and names in lists that the folder lacks stay unless the scope deletes them. Fields of configurations that
    the folder does not give stay, as they have no default.
    """
    changed: list[ConfigObject] = []
    for obj in folder:
        if obj.origin is None or not scope.holds(obj.kind, obj.name):
            continue
        if obj.kind in LISTS:
            changed.append(obj.with_value("entries", join_names(_listed(live, folder, obj.kind, scope), BLANK)))
            continue
        present = _namesake(live, obj)
        if present is None:
            changed.append(obj)
            continue
        kept = dict(present.values) if obj.kind is Kind.CONFIGURATION else {}
        kept |= obj.values
        kept |= {name: present.values[name] for name in scope.ignored if name in present.values}
        changed.append(replace(obj, name=present.name, values=config_object(obj.kind, obj.name, kept).values))
    wanted = live.with_objects(changed)
    if not scope.deletes:
        return wanted
    for obj in live:
        is_named = any(_is_same_name(obj, other) for other in folder.objects(obj.kind).values())
        if not is_named and scope.holds(obj.kind, obj.name) and not _stays(obj):
            wanted = wanted.without(obj.kind, obj.name)
    return with_lasting_names(live, wanted)


def _listed(live: Cluster, folder: Cluster, kind: Kind, scope: Scope) -> tuple[str, ...]:
    """Return the wanted names of a list: present ones (with `deletes` only those in the folder), then new ones."""
    present, given = _entries(live, kind), _entries(folder, kind)
    added = [name for name in given if not any(is_same_name(kind, name, other) for other in present)]
    kept = (name for name in present if not scope.deletes or any(is_same_name(kind, name, other) for other in given))
    return (*kept, *added)


def with_lasting_names(before: Cluster, after: Cluster) -> Cluster:
    """Return `after` with the names that the qmaster refuses to remove from lists: root, and its own host."""
    for kind in LISTS:
        left = _entries(after, kind)
        lasting = [
            name for name in _entries(before, kind)
            if name not in left and entry_removal(before, kind, name) is not None
        ]  # fmt: skip
        if lasting:
            after = after.with_object(after.single(kind).with_value("entries", join_names((*left, *lasting), BLANK)))
    return after


def protected_changes(before: Cluster, after: Cluster, scope: Scope) -> tuple[str, ...]:
    """Return the protected objects that a plan would change, as KIND/NAME."""
    if not scope.protected:
        return ()
    names = {(obj.kind, obj.name) for cluster in (before, after) for obj in cluster}
    return tuple(
        f"{kind.value}/{name}"
        for kind, name in sorted(names)
        if scope.is_protected(kind, name) and _differs(before, after, kind, name)
    )


def _differs(before: Cluster, after: Cluster, kind: Kind, name: str) -> bool:
    old, new = before.get(kind, name), after.get(kind, name)
    if old is None or new is None:
        return old is not new
    return bool(changed_fields(with_names(before, old), with_names(after, new)))


def _stays(obj: ConfigObject) -> bool:
    """Return True for objects that no plan deletes: single objects, built-in ones, automatic users."""
    if obj.kind in _NEVER_DELETED or (obj.kind, obj.name) in _ALWAYS:
        return True
    return obj.kind is Kind.USER and obj.text("delete_time") != "0"


def _namesake(cluster: Cluster, obj: ConfigObject) -> ConfigObject | None:
    namesake = cluster.get(obj.kind, obj.name)
    if namesake is not None or obj.kind is not Kind.HOST:
        return namesake
    return next((other for other in cluster.objects(obj.kind).values() if _is_same_name(obj, other)), None)


def _is_same_name(obj: ConfigObject, other: ConfigObject) -> bool:
    return obj.name == other.name or (obj.kind is Kind.HOST and obj.name.lower() == other.name.lower())


# Files ------------------------------------------------------------------------------------------------------------


def plan_text(plan: Plan) -> str:
    """Return a plan as JSON."""
    return json.dumps(plan_data(plan), indent=1, ensure_ascii=False) + "\n"


def plan_data(plan: Plan) -> dict[str, object]:
    """Return a plan as a dict that JSON can hold."""
    target = plan.target
    return {
        "format": _FORMAT,
        "identity": plan.identity,
        "made": plan.made,
        "source": plan.source,
        "location": target.location,
        "root": target.root,
        "cell": target.cell,
        "version": target.version,
        "steps": [
            {
                "words": step.words,
                "calls": [{"words": list(call.words), "file": call.text} for call in step.calls],
                "keys": [[kind.value, name] for kind, name in step.keys],
                "before": _objects_data(step.before),
                "after": _objects_data(step.after),
            }
            for step in plan.steps
        ],
    }


def read_plan(text: str) -> Plan:
    """Parse a plan. Raises PlanError."""
    try:
        return plan_of(json.loads(text))
    except (ValueError, RecursionError) as error:
        raise PlanError(f"this is no plan ({error}): make one with qmon-tui plan --out FILE") from None


def plan_of(data: Any) -> Plan:
    """Return the plan of a dict as `plan_data` returns it. Raises PlanError."""
    try:
        if data["format"] != _FORMAT:
            raise PlanError(f"a plan of format {data['format']} is for another version of qmon-tui: make it again")
        steps = tuple(_step(entry) for entry in data["steps"])
        names = ("location", "root", "cell", "version")
        if not all(isinstance(data[name], str) for name in (*names, "source", "identity")):
            raise PlanError("a text of the plan is none: make it again")
        base, wanted = Cluster(), Cluster()
        for step in steps:
            seen = {(obj.kind, obj.name) for obj in base} | {(obj.kind, obj.name) for obj in wanted}
            base = base.with_objects(obj for obj in step.before if (obj.kind, obj.name) not in seen)
            for kind, name in step.keys:
                for obj in only(wanted, ((kind, name),)):
                    wanted = wanted.without(kind, obj.name)
            wanted = wanted.with_objects(step.after)
        identity = data["identity"]
        if not identity.isalnum():
            raise PlanError("the identity of the plan is not a word: make it again")
        target = Target(*(data[name] for name in names))
        return Plan(target, data["source"], base, wanted, steps, (), float(data["made"]), identity)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise PlanError(f"the plan is not whole ({error!r}): make it again") from None


def _step(entry: Mapping[str, Any]) -> Step:
    calls = tuple(Call(tuple(map(str, call["words"])), call["file"]) for call in entry["calls"])
    for call in calls:
        is_known = call.words[0] == "qconf" and call.words[1] in _VERBS
        if not is_known or (call.text is not None and (not isinstance(call.text, str) or "/" in call.words[FILE])):
            raise PlanError(f"{' '.join(call.words)[:80]} is no command of a plan: make it again")
    keys = tuple((Kind(kind), str(name)) for kind, name in entry["keys"])
    return Step(str(entry["words"]), calls, keys, _objects(entry["before"]), _objects(entry["after"]))


def _objects_data(cluster: Cluster) -> list[dict[str, object]]:
    return [{"kind": obj.kind.value, "name": obj.name, "values": dict(obj.values)} for obj in cluster]


def _objects(entries: Sequence[Mapping[str, Any]]) -> Cluster:
    return Cluster().with_objects(
        config_object(Kind(entry["kind"]), str(entry["name"]), {str(k): str(v) for k, v in entry["values"].items()})
        for entry in entries
    )


def only(cluster: Cluster, keys: Iterable[ObjectKey]) -> Cluster:
    """Return a cluster of only the objects under these keys; (complex, "") means all complexes."""
    return Cluster(cluster.name, cluster.dialect).with_objects(objects_at(cluster, keys))


def objects_at(cluster: Cluster, keys: Iterable[ObjectKey]) -> tuple[ConfigObject, ...]:
    """Return the objects of a cluster under these keys; (complex, "") means all complexes."""
    objects: list[ConfigObject] = []
    for kind, name in keys:
        if kind is Kind.COMPLEX:
            objects += cluster.objects(kind).values()
        elif (obj := cluster.get(kind, name)) is not None:
            objects.append(obj)
    return tuple(objects)


def differing(first: Cluster, second: Cluster, keys: Iterable[ObjectKey]) -> tuple[ObjectKey, ...]:
    """Return those keys whose objects differ by value in two clusters."""
    return tuple(key for key in keys if not _is_same(first, second, key))


def _is_same(first: Cluster, second: Cluster, key: ObjectKey) -> bool:
    if key[0] in LISTS:  # an empty list may be missing
        return set(_entries(first, key[0])) == set(_entries(second, key[0]))
    ours, theirs = ({obj.name: obj for obj in objects_at(cluster, (key,))} for cluster in (first, second))
    return ours.keys() == theirs.keys() and not any(
        changed_fields(with_names(first, obj), with_names(second, theirs[name])) for name, obj in ours.items()
    )


def _entries(cluster: Cluster, kind: Kind) -> tuple[str, ...]:
    return tuple(split_names(cluster.single(kind).text("entries"), BLANK_OR_COMMA))
