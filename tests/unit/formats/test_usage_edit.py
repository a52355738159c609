"""Past usage changed in a text: only the lines concerned, all that is meant."""

from collections.abc import Mapping
from difflib import unified_diff
from types import MappingProxyType

import pytest

from qmon_tui.formats.folder_reader import read_texts
from qmon_tui.formats.folder_writer import texts_with_state
from qmon_tui.formats.layout import Layout
from qmon_tui.formats.state.entries import changed_entries, entry, with_entries
from qmon_tui.model.state import State
from qmon_tui.model.state_fields import StateEntry, StateKind

TEXT = """\
usage:  # of last week
  users:
    anna: {cpu: 3600, mem: 1.5, time: 2026-01-01T08:00:00, projects: {sea: {cpu: 100}}}   # much
    ben:
      cpu: 5
  projects:
    sea: {cpu: 100}
jobs:
- {owner: anna, submitted: 2026-01-01T09:00:00, qsub: sleep 5}
"""
ONLY_JOBS = "jobs:\n- {owner: anna, submitted: 2026-01-01T09:00:00, qsub: sleep 5}\n"
FLOW = "usage: {users: {anna: {cpu: 1}}}\n" + ONLY_JOBS


def read(texts: Mapping[str, str]) -> State:
    contents = read_texts(Layout.YAML, "cluster", texts)
    assert not contents.findings
    return contents.state


def edited(text: str, changed: Mapping[str, Mapping[str, str] | None]) -> list[str]:
    """The lines of the difference after these users or projects were given these texts."""
    state = read({"jobs.yaml": text})
    fresh = [StateEntry(StateKind.USAGE, name, MappingProxyType(dict(one))) for name, one in changed.items() if one]
    gone = [(StateKind.USAGE, name) for name, one in changed.items() if one is None]
    wanted = with_entries(state, fresh, gone)
    after = texts_with_state(Layout.YAML, "cluster", {"jobs.yaml": text}, wanted)
    assert not list(changed_entries(read({"jobs.yaml": text, **after}), wanted))
    lines = unified_diff(text.splitlines(), after.get("jobs.yaml", text).splitlines(), n=0, lineterm="")
    return [line for line in lines if not line.startswith(("---", "+++", "@@"))]


def of(name: str, **changes: str) -> dict[str, Mapping[str, str]]:
    state_entry = entry(read({"jobs.yaml": TEXT}), StateKind.USAGE, name)
    assert state_entry is not None
    return {name: {**state_entry.values, **changes}}


@pytest.mark.parametrize(
    ("changed", "difference"),
    [
        (of("user ben", cpu="7"), ["-      cpu: 5", "+      cpu: 7"]),
        (of("user ben", io="2.5"), ["+      io: 2.5"]),
        ({"user ben": None}, ["-    ben:", "-      cpu: 5"]),
        ({"project sea": None}, ["-  projects:", "-    sea: {cpu: 100}", "+  projects: {}"]),
        ({"project air": {"cpu": "4"}}, ["+    air: {cpu: 4}"]),
        (
            {"user carl": {"cpu": "4", "projects": "{sea: {cpu: 9}}"}},
            ["+    carl: {cpu: 4, projects: {sea: {cpu: 9}}}"],
        ),
    ],
)
def test_only_the_lines_concerned(changed: Mapping[str, Mapping[str, str] | None], difference: list[str]) -> None:
    assert edited(TEXT, changed) == difference


def test_a_value_in_braces_keeps_the_rest_of_its_line() -> None:
    (before, after) = edited(TEXT, of("user anna", cpu="4000"))
    assert before.replace("3600", "4000").replace("-", "+", 1) == after


@pytest.mark.parametrize("text", [ONLY_JOBS, FLOW, "usage:\n" + ONLY_JOBS, "usage: {users: {}}\n" + ONLY_JOBS])
def test_what_was_not_there_comes(text: str) -> None:
    assert edited(text, {"user bea": {"cpu": "3"}, "project sea": {"cpu": "4", "time": "2026-01-01T08:00:00"}})


def test_senseless_amounts_are_refused() -> None:
    state = read({"jobs.yaml": TEXT})
    with pytest.raises(ValueError, match="not an amount"):
        with_entries(state, [StateEntry(StateKind.USAGE, "user ben", MappingProxyType({"cpu": "much"}))])
