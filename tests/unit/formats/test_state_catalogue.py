"""The catalogue of state: each of its fields is read, written, compared and edited, by its entry alone."""

from collections.abc import Mapping
from dataclasses import fields, replace
from types import MappingProxyType
from typing import Any

import pytest

from qmon_tui.formats.folder_reader import read_texts
from qmon_tui.formats.folder_writer import texts_with_state
from qmon_tui.formats.layout import Layout
from qmon_tui.formats.state.entries import changed_entries, entry, with_entries
from qmon_tui.formats.state.state_writer import state_text
from qmon_tui.model.catalogue.state import DRAIN, EXCEPTION, INSTANCE, JOB, RESERVATION, STATE_SPECS, TASK, USAGE, WHOLE
from qmon_tui.model.exceptions import Drain
from qmon_tui.model.jobs import AdvanceReservation, Job, Task
from qmon_tui.model.state import PastUsage, State, Usage
from qmon_tui.model.state_fields import StateField, StateKind, StateSpec, StateType
from qmon_tui.values.times import parse_time
from tests.state_table import PAGE, page

NOW = parse_time("2025-10-09T08:53:20")
TEXT = """\
now: 2025-10-09T10:53:20
drains:
  sim1: {reason: psu, who: anna}   # hers
exceptions:
  user/anna: {reason: cover, who: bert, until: 2025-10-09T23:59:59}
usage:
  users:
    anna: {cpu: 1}   # hers
reservations:
# the first
- {id: 3, owner: anna, start: 2025-10-09T08:53:20, end: 2025-10-09T11:53:20, state: r, granted: {all.q@sim1: 2}}
jobs:
# the first
- id: 7
  owner: anna
  submitted: 2025-10-09T08:53:20
  qsub: -t 1-9 sleep 5  # five
  tasks:
    2: {state: r, granted: {all.q@sim1: 1}, started: 2025-10-09T09:53:20}   # runs
"""
AMOUNTS = MappingProxyType({"cpu": 2.5, "mem": 4.0})
SAMPLES: Mapping[StateType, Any] = {
    StateType.WORD: "other",
    StateType.SUBMITTED: NOW - 60,
    StateType.TIME: NOW + 60,
    StateType.EVENT_TIME: NOW - 7.5,
    StateType.SECONDS: 77,
    StateType.LIMIT: 3600,
    StateType.COUNT: 12,
    StateType.RESERVATION: "4",
    StateType.FLAG: True,
    StateType.BOOLEAN: True,
    StateType.CHOICE: "E",
    StateType.LETTERS: "",
    StateType.TASK_STATE: "s",
    StateType.HOSTS: ("sim2", "sim3"),
    StateType.NAMES: ("bert", "@staff"),
    StateType.REQUESTS: (("lic", "1"), ("gpu", None)),
    StateType.GRANTED: MappingProxyType({"b.q@sim2": 3, "b.q@sim1": 1}),
    StateType.AMOUNTS: AMOUNTS,
    StateType.COLUMNS: MappingProxyType({"nurg": 0.25, "urg": -1000.0}),
    StateType.AMOUNTS_BY_PROJECT: MappingProxyType({"sea": AMOUNTS}),
    StateType.TASK_SECONDS: MappingProxyType({1: 60, 4: 60, 5: 60, 9: 90}),
    StateType.SCORES: (-1, -2, -3),
}
DERIVED = {
    Job: {"request", "origin"},
    Task: set(),
    AdvanceReservation: set(),
    Usage: {"amounts"},
    Drain: set(),
    State: {
        "drains",
        "exceptions",
        "jobs",
        "loads",
        "usage",
        "reservations",
        "admitted",
        "beginning",
        "places",
        "simulation",
        "numbers",
    },
}
"""Attributes that are no field of their own: what the qsub line means, places, items, and what has free names."""


def read(text: str) -> State:
    contents = read_texts(Layout.YAML, "cluster", {"jobs.yaml": text})
    assert not contents.findings
    return contents.state


def sample(field: StateField) -> Any:
    if field.type is StateType.LETTERS:
        return "".join(field.choices[:2])
    return SAMPLES[field.type]


def with_field(state: State, spec: StateSpec, field: StateField) -> State:
    """The state with another value of one field of its only item of a kind."""
    change: dict[str, Any] = {field.attribute: sample(field)}
    if spec is JOB:
        return replace(state, jobs=(replace(state.jobs[0], **change),))
    if spec is TASK:
        task = replace(state.jobs[0].tasks[2], **change)
        return replace(state, jobs=(replace(state.jobs[0], tasks=MappingProxyType({2: task})),))
    if spec is RESERVATION:
        return replace(state, reservations=(replace(state.reservations[0], **change),))
    if spec is USAGE:
        anna = replace(state.usage.users["anna"], **change)
        return replace(state, usage=PastUsage(MappingProxyType({"anna": anna})))
    if spec is DRAIN:
        return replace(state, drains=MappingProxyType({"sim1": (replace(state.drains["sim1"][0], **change),)}))
    if spec is EXCEPTION:
        known = state.exceptions["user/anna"][0]
        return replace(state, exceptions=MappingProxyType({"user/anna": (replace(known, **change),)}))
    if spec is INSTANCE:
        column = MappingProxyType({"all.q@sim1": sample(field)})
        change[field.attribute] = frozenset(column) if field.type is StateType.FLAG else column
    return replace(state, **change)


CASES = [
    pytest.param(spec, field, id=f"{spec.title}-{field.name}")
    for spec in STATE_SPECS
    for field in spec.written
    if field.type is not StateType.QSUB
]


def test_what_is_said_of_a_text_that_cannot_be_read_names_it() -> None:
    said = [field.wrong.format(text="odd") for spec in STATE_SPECS for field in spec.fields if "{text}" in field.wrong]
    assert len(said) > 10
    assert all('"odd"' in text and "{{" not in text for text in said)


@pytest.mark.parametrize(("spec", "field"), CASES)
def test_a_field_is_written_and_read(spec: StateSpec, field: StateField) -> None:
    wanted = with_field(read(TEXT), spec, field)
    assert wanted != read(TEXT)
    assert read(state_text(wanted)) == wanted


@pytest.mark.parametrize(("spec", "field"), [case for case in CASES if case.values[1] is not WHOLE.by_name["pe_alg"]])
def test_a_field_is_compared_built_from_its_text_and_edited_in_a_file(spec: StateSpec, field: StateField) -> None:
    state = read(TEXT)
    wanted = with_field(state, spec, field)
    ((before, after),) = changed_entries(state, wanted)
    assert after is not None
    texts = {name for name in after.values if before is None or before.given(name) != after.given(name)}
    named = {
        TASK.title: "task 2",
        DRAIN.title: wanted.drains["sim1"][0].key,
        EXCEPTION.title: wanted.exceptions["user/anna"][0].key,
    }
    assert texts == {named.get(spec.title, field.name)}
    rebuilt = with_entries(state, [replace(after, item=None)])
    assert rebuilt == wanted
    edited = texts_with_state(Layout.YAML, "cluster", {"jobs.yaml": TEXT}, wanted)["jobs.yaml"]
    assert read(edited) == wanted
    gone = [line for line in TEXT.splitlines() if line not in edited.splitlines()]
    assert len(gone) <= 1


@pytest.mark.parametrize("spec", STATE_SPECS, ids=lambda spec: spec.title)
def test_every_attribute_has_an_entry(spec: StateSpec) -> None:
    described = {field.attribute for other in STATE_SPECS if other.item is spec.item for field in other.fields}
    assert described | DERIVED[spec.item] == {field.name for field in fields(spec.item)}
    assert len(spec.by_name) == len(spec.fields)
    assert all(field.help for field in spec.fields)


def test_a_field_with_its_default_is_not_written() -> None:
    job = entry(read(TEXT), StateKind.JOB, "7")
    assert job is not None
    assert set(job.values) == {*(field.name for field in JOB.fields if field.always and not field.in_qsub), "task 2"}


def test_the_page_about_the_state_is_made_from_the_catalogue() -> None:
    assert PAGE.read_text() == page()
