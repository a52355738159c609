"""Edits that distinguish one policy from another: a field of the configuration, the work, more hosts.

They are written `scheduler.weight_urgency=1`, `queues.all.q.slots=4`, `workload.load=1.2`, `hosts=+10`.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final, NamedTuple

from qmon_tui.checks import check
from qmon_tui.model import Cluster, ConfigObject, Finding, Kind, Severity, State, config_object
from qmon_tui.model.catalogue import single_name, specs
from qmon_tui.simulation.workload import WORK_FIELDS, rescaled
from qmon_tui.values import BLANK_OR_COMMA, canonical, decimal_number, meant, split_names, whole_number

_LISTS = {Kind.QUEUE: "hostlist", Kind.HOSTGROUP: "hostlist"}
_GLOBAL = "global"


def with_more_hosts(cluster: Cluster, state: State, count: int, like: str | None = None) -> tuple[Cluster, State]:
    """Return cluster and state with `count` more hosts like `like` (None: the last host). Raises ValueError."""
    hosts = [name for name in cluster.objects(Kind.HOST) if name != _GLOBAL]
    if like is None and hosts:
        like = hosts[-1]
    like_host = next((name for name in hosts if like is not None and canonical(name) == canonical(like)), None)
    if like_host is None:
        raise ValueError(f"there is no host {like}" if like else "there is no host that they could be like")
    names = [name for name, _ in zip(_free_names(like_host, set(hosts)), range(count), strict=False)]
    if not names:
        return cluster, state
    model = cluster.objects(Kind.HOST)[like_host]
    changed = [replace(model.renamed(name), origin=None) for name in names]
    for kind in (Kind.QUEUE, Kind.HOSTGROUP):
        changed += [_with_hosts(obj, like_host, names) for obj in cluster.objects(kind).values()]
    loads = dict(state.loads)
    if like_host in loads:
        loads |= dict.fromkeys(names, loads[like_host])
    return cluster.with_objects(changed), replace(state, loads=MappingProxyType(loads))


def _free_names(like: str, taken: set[str]) -> Iterator[str]:
    """Yield names that are not taken: node06, node07 ... after node05."""
    match = re.search(r"([0-9]{1,9})(?=[^0-9]*$)", like)
    head, digits, tail = (like[: match.start()], match[0], like[match.end() :]) if match else (like, "0", "")
    number = int(digits)
    while True:
        number += 1
        name = f"{head}{number:0{len(digits)}}{tail}"
        if name not in taken:
            yield name


def _with_hosts(obj: ConfigObject, like: str, names: list[str]) -> ConfigObject:
    """Return the object with the new hosts beside `like` in host lists, and copies of its [host=value] settings."""
    values = {}
    for field, text in obj.values.items():
        if field == _LISTS[obj.kind]:
            members = split_names(text, BLANK_OR_COMMA)
            if any(canonical(member) == canonical(like) for member in members):
                values[field] = " ".join([*members, *names])
            continue
        own = re.search(rf"\[{re.escape(like)}=([^\]]*)\]", text)
        if own is not None:
            values[field] = ",".join([text, *(f"[{name}={own[1]}]" for name in names)])
    return obj.with_values(values) if values else obj


MORE_HOSTS: Final = "hosts"
WORK: Final = "workload"
_HIGHEST_FACTOR: Final = 1000.0
_MOST_HOSTS: Final = 100_000
_BUILT_IN: Final = ((Kind.HOST, "global"), (Kind.CONFIGURATION, "global"))
"""Objects, of kinds with several objects, that every cluster has even if no file declares them."""


class EditError(ValueError):
    """An edit that cannot be made; the text is a sentence for the user."""


class Subject(NamedTuple):
    """The cluster and state of a simulation; the state has all jobs of the day."""

    cluster: Cluster
    state: State


class PolicyEdit(ABC):
    """One edit of a policy."""

    __slots__ = ()

    @property
    @abstractmethod
    def text(self) -> str:
        """The edit in command-line syntax, such as `hosts=+10:node01`."""

    @abstractmethod
    def apply(self, subject: Subject) -> Subject:
        """Return the edited cluster and state. Raises EditError."""


@dataclass(frozen=True, slots=True)
class FieldEdit(PolicyEdit):
    """An edit that gives a field of an object another value."""

    kind: Kind
    name: str
    field: str
    value: str
    place: str = ""
    """The text before `=` as the user wrote it; empty: made from kind, name and field."""

    @property
    def text(self) -> str:
        """The edit in command-line syntax, such as `hosts=+10:node01`."""
        return f"{self.place or f'{self.kind.value}.{self.name}.{self.field}'}={self.value}"

    def apply(self, subject: Subject) -> Subject:
        """Return the cluster with the value. Raises EditError if the object is missing or `check` finds a new error."""
        obj = _object(subject.cluster, self.kind, self.name)
        if obj is None:
            raise EditError(f"{self.text}: there is no {self.kind.value} {self.name}")
        cluster = subject.cluster.with_object(obj.with_value(self.field, self.value))
        known = {(finding.rule, finding.kind, finding.name, finding.field) for finding in _errors(subject)}
        for finding in _errors(Subject(cluster, subject.state)):
            if (finding.rule, finding.kind, finding.name, finding.field) not in known:
                raise EditError(f"{self.text}: {finding.message.rstrip('.')}")
        return Subject(cluster, subject.state)


@dataclass(frozen=True, slots=True)
class WorkEdit(PolicyEdit):
    """An edit that makes the submitted jobs more, longer or wider by a factor."""

    field: str
    factor: float

    @property
    def text(self) -> str:
        return f"{WORK}.{self.field}={self.factor:g}"

    def apply(self, subject: Subject) -> Subject:
        """Return the state with the changed jobs."""
        return Subject(subject.cluster, rescaled(subject.state, self.field, self.factor))


@dataclass(frozen=True, slots=True)
class HostsEdit(PolicyEdit):
    """An edit that adds hosts, each like an existing one."""

    count: int
    like: str | None = None
    """Name of the host to copy; None for the last host of the cluster."""

    @property
    def text(self) -> str:
        return f"{MORE_HOSTS}=+{self.count}" + (f":{self.like}" if self.like else "")

    def apply(self, subject: Subject) -> Subject:
        """Return the cluster with the hosts, in the host groups and queues of the host that they copy."""
        try:
            return Subject(*with_more_hosts(subject.cluster, subject.state, self.count, self.like))
        except ValueError as error:
            raise EditError(f"{self.text}: {error}") from error


def read_edit(cluster: Cluster, text: str) -> PolicyEdit:
    """Return the edit written as `text`. Raises EditError with a sentence that says what is wrong with it."""
    place, equals, value = text.partition("=")
    if not equals or not place.strip():
        raise EditError(f'"{text}" is not an edit: write what and its value, such as scheduler.weight_urgency=1')
    return edit_of(cluster, place.strip(), value.strip())


def edit_of(cluster: Cluster, place: str, value: str) -> PolicyEdit:
    """Return the edit that sets `place`, such as `queues.all.q.slots`, to `value`. Raises EditError."""
    word, _, rest = place.partition(".")
    if place == MORE_HOSTS:
        return _hosts_edit(value)
    if word == WORK:
        return _work_edit(rest, value)
    kinds = {**{spec.yaml_key: kind for kind, spec in specs().items()}, **{kind.value: kind for kind in specs()}}
    kind = kinds.get(word)
    if kind is None:
        known = (spec.yaml_key for spec in specs().values())
        raise EditError(f'{place}: "{word}" is not a kind of object; {_advice(word, (*known, WORK))}')
    spec = specs()[kind]
    name, dot, field = rest.rpartition(".")
    if spec.single:
        name, field = single_name(kind), rest
    elif not dot:
        names = _names(cluster, kind)
        raise EditError(
            f"{place}: name the {kind.value} and the field, such as {word}.{names[0] if names else 'NAME'}.FIELD"
        )
    if not spec.single and _object(cluster, kind, name) is None:
        raise EditError(f"{place}: there is no {kind.value} {name}; {_advice(name, _names(cluster, kind))}")
    if field not in spec.by_name:
        raise EditError(f"{place}: {kind.value} has no field {field}; {_advice(field, spec.by_name)}")
    if field == spec.name_field:
        raise EditError(f"{place}: the name of a {kind.value} cannot be varied")
    return FieldEdit(kind, name, field, value, place)


def apply_edits(subject: Subject, edits: Iterable[PolicyEdit]) -> Subject:
    """Return the cluster and state with all edits, in order. Raises EditError."""
    for edit in edits:
        subject = edit.apply(subject)
    return subject


def _work_edit(field: str, value: str) -> WorkEdit:
    if field not in WORK_FIELDS:
        raise EditError(f"{WORK}.{field}: write {', '.join(f'{WORK}.{name}' for name in WORK_FIELDS)}")
    factor = decimal_number(value.removeprefix("x")) or 0.0
    if not 0 < factor <= _HIGHEST_FACTOR:
        raise EditError(f'{WORK}.{field}: "{value}" is not a factor, write a number above 0 such as 1.2')
    return WorkEdit(field, factor)


def _hosts_edit(value: str) -> HostsEdit:
    text, _, like = value.removeprefix("+").partition(":")
    number = whole_number(text, most=_MOST_HOSTS)
    if number is None:
        raise EditError(f'hosts: "{value}" is not a number of hosts, write +10, or +10:HOST for ten like HOST')
    return HostsEdit(number, like or None)


def _object(cluster: Cluster, kind: Kind, name: str) -> ConfigObject | None:
    if specs()[kind].single:
        return cluster.single(kind)
    obj = cluster.get(kind, name)
    return config_object(kind, name, {}) if obj is None and (kind, name) in _BUILT_IN else obj


def _names(cluster: Cluster, kind: Kind) -> Sequence[str]:
    return tuple(cluster.objects(kind))


def _errors(subject: Subject) -> Iterable[Finding]:
    return (finding for finding in check(subject.cluster, subject.state) if finding.severity is Severity.ERROR)


def _advice(word: str, known: Iterable[str]) -> str:
    names = tuple(known)
    return meant(word, names) or f"there {'is' if len(names) == 1 else 'are'} {', '.join(names[:12])}"
