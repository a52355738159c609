"""Past usage of users and projects in a YAML file.

usage:
  users:
    anna: {cpu: 3600, mem: 1.5, io: 0, time: 2026-11-21T08:00:00, projects: {sea: {cpu: 100}}}
  projects:
    sea: {cpu: 100, time: 2026-11-21T08:00:00}

Each kind of usage is a name with an amount: cpu in seconds, mem in gigabyte seconds, io in gigabytes, finished_jobs,
or any other that usage_weight_list names. `projects` holds what a user's jobs used within a project, which is not part
of the user's own amounts. `time` is the moment up to which usage has faded; without it, that of the run.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from qmon_tui.formats.state.field_values import read_amounts, read_values
from qmon_tui.formats.state.node_reader import ItemReading, JobTimes, NodeReader
from qmon_tui.formats.yaml import Node, Scalar
from qmon_tui.model import YAML_TYPES, Amounts, PastUsage, StateType, Usage
from qmon_tui.model.catalogue.state import USAGE

_EXAMPLE: Final = "anna: {cpu: 3600, time: 2026-11-21T08:00:00}"


@dataclass(frozen=True, slots=True)
class _Draft:
    """The usage of one user or project, whose time is not known yet."""

    file: str
    amounts: Amounts
    fields: Mapping[str, Node]


class UsageReader:
    """Collects the usage of all files; its times are known in the end."""

    def __init__(self, notes: NodeReader) -> None:
        self._notes = notes
        self._users: dict[str, _Draft] = {}
        self._projects: dict[str, _Draft] = {}

    def take(self, node: Node) -> None:
        sections: dict[str, Callable[[Node], None]] = {
            "users": lambda value: self._section("users", value, self._users, inner=True),
            "projects": lambda value: self._section("projects", value, self._projects, inner=False),
        }
        for key, value in self._notes.pairs("usage", "users: {anna: {cpu: 3600}}", node):
            if key.text in sections:
                sections[key.text](value)
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
