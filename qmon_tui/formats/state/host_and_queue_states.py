"""Load values of hosts, states of queue instances with their latest changes, and past usage in a YAML file.

Names of hosts may be node sets.

usage:
  users:
    anna: {cpu: 3600, mem: 1.5, io: 0, time: 2026-11-21T08:00:00, projects: {sea: {cpu: 100}}}
  projects:
    sea: {cpu: 100, time: 2026-11-21T08:00:00}

Each kind of usage is a name with an amount: cpu in seconds, mem in gigabyte seconds, io in gigabytes, finished_jobs,
or any other that usage_weight_list names. `projects` has the usage of a user's jobs within a project, which is not part
of the user's own amounts. `time` is the time up to which usage is decayed; by default that of the run.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from qmon_tui.formats.state.field_values import read_amounts, read_values
from qmon_tui.formats.state.node_reader import ItemReading, JobTimes, NodeReader
from qmon_tui.formats.yaml import Node, Scalar
from qmon_tui.model import CHANGED_AT, YAML_TYPES, Amounts, PastUsage, PeAlg, StateField, StateType, Usage
from qmon_tui.model.catalogue.state import USAGE
from qmon_tui.values import canonical

_PE_ALG: Final = re.compile(r"(0|-\d{1,9})/(0|-\d{1,9})/(0|-\d{1,9})", re.ASCII)


def read_loads(notes: NodeReader, node: Node) -> dict[str, dict[str, str]]:
    """Return host -> load value name -> text."""
    loads: dict[str, dict[str, str]] = {}
    for name, value in notes.pairs("loads", "sim1: {np_load_avg: 0.3}", node):
        values = {key.text: scalar.text for key, scalar in notes.scalars(name.text, "np_load_avg: 0.3", value)}
        for host in hosts_named(notes, name.text, name):
            if host in loads:
                notes.say("format.duplicate", f"the load values of {host} are written twice", name)
            else:
                loads[host] = values
                notes.place(host, name)
    return loads


def read_instances(notes: NodeReader, node: Node, field: StateField) -> dict[str, str]:
    """Return queue instance -> text of a field; for state letters, a quoted "" is a valid empty text."""
    texts: dict[str, str] = {}
    for name, value in notes.scalars(field.key, f"all.q@sim1: {field.example}", node):
        queue, _, host = name.text.partition("@")
        if not queue or not host:
            notes.say("format.load", f'"{name.text}" is not a queue instance, write all.q@sim1', name)
        elif not _is_right(field, value):
            notes.say("format.load", field.wrong.format(text=value.text), value)
        else:
            for instance in (f"{queue}@{host}" for host in hosts_named(notes, host, name)):
                if instance in texts:
                    notes.say("format.duplicate", written_twice(field).format(instance), name)
                texts.setdefault(instance, value.text)
                notes.place(f"{field.place}{instance}", name)
    return texts


def written_twice(field: StateField) -> str:
    """Return the message about a queue instance that has a field twice; `{}` stands for its name."""
    if field.type is StateType.FLAG:
        return f"as what {{}} is {field.name} is written twice"
    return f"the {field.name} of {{}} is written twice"


def _is_right(field: StateField, value: Scalar) -> bool:
    if field.type is StateType.FLAG:
        return value.text in field.choices
    if field.type is StateType.WORD:
        return True
    return set(value.text) <= set(field.choices) and bool(value.text or value.style)


def read_pe_alg(notes: NodeReader, node: Node) -> dict[str, PeAlg]:
    """Read the scores of least, bin and highest, as the scheduler logs them: -34/-68/-136; empty if there are none."""
    text = notes.word(node)
    match = _PE_ALG.fullmatch(text)
    if match is None:
        message = f'"{text}" is not what the scheduler remembers of searches, write it as it logs it: -34/-68/-136'
        notes.say("format.load", message, node)
        return {}
    least, binary, highest = map(int, match.groups())
    return {"pe_alg": (least, binary, highest)}


def hosts_named(notes: NodeReader, text: str, node: Node) -> Iterable[str]:
    """Return the hosts of a host name or node set; none, with a finding, if it cannot be read."""
    try:
        return [canonical(host) for host in notes.node_sets.expand(text)]
    except ValueError as error:
        notes.say("format.nodeset", str(error), node)
        return ()


class ChangeTimesReader:
    """Reads the key `changed` of all files; `finish` parses the times, since offsets count from the first job."""

    def __init__(self, notes: NodeReader) -> None:
        self._notes = notes
        self._sections: list[tuple[str, Node]] = []

    def take(self, node: Node) -> None:
        self._sections.append((self._notes.file, node))

    def finish(self, clock: JobTimes) -> Mapping[str, float]:
        """Return queue or queue instance -> seconds since the epoch; the fraction gives the order within a second."""
        notes = self._notes
        times: dict[str, float] = {}
        for file, node in self._sections:
            notes.file = file
            for name, when in notes.scalars("changed", "all.q@sim1: 2026-11-21T09:00:00", node):
                time = clock.read_start(notes, when.text, when, None, 0)
                for place in self._places(name.text, name):
                    if place in times:
                        notes.say("format.duplicate", f"when {place} changed is written twice", name)
                    times.setdefault(place, time)
                    notes.place(f"{CHANGED_AT}{place}", name)
        return MappingProxyType(times)

    def _places(self, text: str, node: Node) -> Iterator[str]:
        queue, at, host = text.partition("@")
        if not queue or (at and not host):
            self._notes.say("format.load", f'"{text}" is not a queue, write all.q or all.q@sim1', node)
        elif not at:
            yield queue
        else:
            yield from (f"{queue}@{named_host}" for named_host in hosts_named(self._notes, host, node))


_EXAMPLE: Final = "anna: {cpu: 3600, time: 2026-11-21T08:00:00}"


@dataclass(frozen=True, slots=True)
class _Draft:
    """The usage of one user or project, whose time is still unread."""

    file: str
    amounts: Amounts
    fields: Mapping[str, Node]


class UsageReader:
    """Collects the usage of all files; `finish` parses its times when all jobs are known."""

    def __init__(self, notes: NodeReader) -> None:
        self._notes = notes
        self._users: dict[str, _Draft] = {}
        self._projects: dict[str, _Draft] = {}

    def take(self, node: Node) -> None:
        for key, value in self._notes.pairs("usage", "users: {anna: {cpu: 3600}}", node):
            if key.text == "users":
                self._section("users", value, self._users, inner=True)
            elif key.text == "projects":
                self._section("projects", value, self._projects, inner=False)
            else:
                self._notes.say("format.usage", f'usage has no "{key.text}"; known are users, projects', key)

    def finish(self, clock: JobTimes) -> PastUsage:
        users, projects = (
            {name: self._finished(draft, clock) for name, draft in drafts.items()}
            for drafts in (self._users, self._projects)
        )
        return PastUsage(MappingProxyType(users), MappingProxyType(projects))

    def _section(self, what: str, node: Node, drafts: dict[str, _Draft], *, inner: bool) -> None:
        for name, value in self._notes.pairs(what, _EXAMPLE, node):
            if name.text in drafts:
                self._notes.say("format.duplicate", f"the usage of {name.text} is written twice", name)
                continue
            self._notes.place(f"usage of {name.text}", name)
            drafts[name.text] = self._draft(name.text, value, inner=inner)

    def _draft(self, name: str, node: Node, *, inner: bool) -> _Draft:
        amounts: list[tuple[Scalar, Node]] = []
        fields: dict[str, Node] = {}
        for key, value in self._notes.pairs(name, "cpu: 3600", node):
            field = USAGE.by_name.get(key.text)
            if field is None or (field.type is StateType.AMOUNTS_BY_PROJECT and not inner):
                amounts.append((key, value))
            elif field.type in YAML_TYPES or self._notes.single(field.name, value) is not None:
                fields[key.text] = value
        return _Draft(self._notes.file, read_amounts(self._notes, amounts), fields)

    def _finished(self, draft: _Draft, clock: JobTimes) -> Usage:
        self._notes.file = draft.file
        reading = ItemReading(self._notes, clock, "format.usage", clock.base)
        return Usage(draft.amounts, **(read_values(reading, USAGE, draft.fields) or {}))
