"""The key `simulation` of a cluster folder: read, written, left alone, and wrong in all ways that are known."""

from types import MappingProxyType

import pytest
from hypothesis import given, strategies as st

from qmon_tui.formats import Layout, read_texts, texts_with_state
from qmon_tui.formats.state import state_text
from qmon_tui.model import (
    NO_PLAN,
    CommandLine,
    HostFailure,
    LoadModel,
    LoadValue,
    SimulationPlan,
    State,
)
from qmon_tui.values import parse_time

NOW = parse_time("2026-01-01T09:00:00")
TEXT = """\
now: 2026-01-01T09:00:00
simulation:   # what the course needs
  until: +8h
  seed: 7
  start_delay: 5
  load:
    interval: 20
    np_load_avg: {per_slot: 1.0, idle: 0.02, per_processor: true, average: 1m}
    virtual_free: {idle: 32G, per_request: -h_vmem}
    hosts:
      sim[1-2]: {np_load_avg: {per_slot: 0.5}}
  commands:
  - {at: +1h, command: qmod -d all.q@sim1}
  failures:
  - {host: Sim2, at: +2h, returns: 2026-01-01T12:00:00}
"""


def read(text: str) -> tuple[SimulationPlan, list[tuple[int | None, str]]]:
    contents = read_texts(Layout.YAML, "cluster", {"jobs.yaml": text})
    return contents.state.simulation, [(finding.line, finding.message) for finding in contents.findings]


def test_all_that_can_be_said() -> None:
    plan, findings = read(TEXT)
    usual = LoadValue(0.02, 1.0, per_processor=True, average=60)
    own = MappingProxyType({"np_load_avg": LoadValue(0.02, 0.5, per_processor=True, average=60)})
    assert not findings
    assert plan == SimulationPlan(
        until=NOW + 8 * 3600,
        seed=7,
        start_delay=5,
        load=LoadModel(
            20,
            MappingProxyType({"np_load_avg": usual, "virtual_free": LoadValue(32 * 1024.0**3, per_request="-h_vmem")}),
            MappingProxyType({"sim1": own, "sim2": own}),
        ),
        commands=(CommandLine(NOW + 3600, "qmod -d all.q@sim1"),),
        failures=(HostFailure("sim2", NOW + 7200, NOW + 3 * 3600),),
    )
    assert plan.commands[0].origin is not None
    assert plan.commands[0].origin.line == 13


@pytest.mark.parametrize(
    ("lines", "line", "said"),
    [
        ("  until: soon", 2, '"soon" is not a time'),
        ("  until: 2025-01-01T00:00:00", 2, "would end before it begins"),
        ("  seed: red", 2, '"red" is no seed'),
        ("  start_delay: -5", 2, '"-5" is not a length of time'),
        ("  simulated_hosts: maybe", 2, "simulated_hosts is true or false"),
        ("  sed: 7", 2, "seed"),
        ("  load: 5", 2, "load holds load values"),
        ("  load: {interval: 0}", 2, '"0" is no time between two reports'),
        ("  load:\n    np_load_avg: 1", 3, "np_load_avg is written as"),
        ("  load:\n    np_load_avg: {per_slot: much}", 3, '"much" is not a number'),
        ("  load:\n    np_load_avg: {slot: 1}", 3, "per_slot"),
        ("  load: {hosts: {a: {x: {idle: 1}}, A: {x: {idle: 2}}}}", 2, "the load of a is written twice"),
        ("  commands: qmod -d all.q", 2, "this is a list"),
        ("  commands:\n  - {at: +1h}", 3, "a command needs command"),
        ("  commands:\n  - qmod", 3, "a command is written as at: ..., command: ..., owner: ..."),
        ("  failures:\n  - {host: a, at: +2h, returns: +1h}", 3, "would come back before it fails"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(lines: str, line: int, said: str) -> None:
    plan, findings = read(f"simulation:\n{lines}\n")
    assert [where for where, _ in findings] == [line]
    assert said in findings[0][1]
    assert plan.until is None


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("until: 2026-01-01T09:00:00", []),
        ("until: 2026-01-01T08:59:59", ["the simulation would end before it begins"]),
        ("load: {interval: 1}", []),
        ("failures: [{host: a, at: +1h, returns: +1h}]", []),
        ("failures: [{host: a, at: +1h, returns: +3599}]", ["a would come back before it fails"]),
        ("load: NONE", []),
        ("commands: NONE", []),
        ("commands: ''", []),
        ("start_delay: 0", []),
    ],
)
def test_bounds_of_what_can_be_said(lines: str, said: list[str]) -> None:
    _, findings = read(f"now: 2026-01-01T09:00:00\nsimulation: {{{lines}}}\n")
    assert [message for _, message in findings] == said


def test_what_comes_behind_a_wrong_item_is_read() -> None:
    commands = "commands: [qmod, {at: +1h}, {at: soon, command: x}, {at: +2h, command: qdel 1}]"
    values = "load: {a: 5, b: {idle: 1}, hosts: {n1: {a: 5, b: {per_slot: 2}}, n1: {b: {idle: 7}}, n2: {b: {idle: 8}}}}"
    failures = "failures: [{host: a, at: +2h, returns: +1h}, {host: b, at: +1h}]"
    plan, findings = read(f"now: 2026-01-01T09:00:00\nsimulation: {{{commands}, {values}, {failures}}}\n")
    assert [command.command for command in plan.commands] == ["qdel 1"]
    assert [failure.host for failure in plan.failures] == ["b"]
    assert plan.load is not None
    assert dict(plan.load.values) == {"b": LoadValue(idle=1.0)}
    assert {host: dict(own) for host, own in plan.load.hosts.items()} == {
        "n1": {"b": LoadValue(idle=1.0, per_slot=2.0)},
        "n2": {"b": LoadValue(idle=8.0)},
    }
    assert len(findings) == 7


def test_it_is_written_once() -> None:
    plan, findings = read("simulation: {seed: 1}\nsimulation: {seed: 2}\n")
    assert (plan.seed, len(findings)) == (1, 1)
    assert read("simulation:\n") == (NO_PLAN, [])


def test_a_save_leaves_it_alone() -> None:
    texts = {"jobs.yaml": TEXT}
    before = read_texts(Layout.YAML, "cluster", texts).state
    loads = MappingProxyType({"sim1": MappingProxyType({"np_load_avg": "0.3"})})
    from dataclasses import replace

    changed = texts_with_state(Layout.YAML, "cluster", texts, replace(before, loads=loads))
    assert changed["jobs.yaml"].startswith(TEXT)


amounts = st.integers(-(10**6), 10**6).map(float) | st.floats(-1e6, 1e6, allow_nan=False).map(lambda x: round(x, 3))
load_values = st.builds(
    LoadValue, amounts, amounts, st.sampled_from((None, "h_vmem", "-h_vmem")), st.booleans(), st.integers(0, 900)
)
named = st.dictionaries(st.sampled_from(("np_load_avg", "virtual_free", "yes")), load_values).map(MappingProxyType)
hosts = st.dictionaries(st.sampled_from(("sim1", "1", "null")), named.filter(bool)).map(MappingProxyType)
times = st.integers(NOW, NOW + 10**6)
plans = st.builds(
    SimulationPlan,
    until=st.none() | times,
    seed=st.integers(0, 10**14),
    start_delay=st.integers(0, 100),
    simulated_hosts=st.booleans(),
    load=st.none() | st.builds(LoadModel, st.integers(1, 100), named, hosts),
    commands=st.lists(
        st.builds(CommandLine, times, st.sampled_from(("qdel 1", "qmod -d 'a: b'")), st.sampled_from(("", "anna")))
    ).map(tuple),
    failures=st.lists(st.builds(HostFailure, st.just("sim1"), st.just(NOW), st.none() | times)).map(tuple),
)


@given(plans)
def test_written_and_read_it_is_the_same(plan: SimulationPlan) -> None:
    assert read(state_text(State(NOW, simulation=plan))) == (plan, [])
