"""Several days like each other, and load: one rule for what is written down, made up, or of a trace."""

from dataclasses import replace
from pathlib import Path

import pytest

from qmon_tui.formats import parse_qsub
from qmon_tui.formats.records import Recorded, read_records
from qmon_tui.model import Job, SimulationPlan, State, Workload
from qmon_tui.simulation import Scenario, computed_all, measures_of
from qmon_tui.simulation.workload import rescaled, work_of_day
from qmon_tui.sources import Reading, read_folder

NOW = 1767258000
TEXT = """\
now: 2026-01-01T09:00:00
queues: {all.q: {hostlist: h1, slots: 1, load_thresholds: NONE}}
jobs:
- {id: 1, owner: anna, submitted: 2026-01-01T09:00:00, qsub: sleep 60}
- {id: 2, owner: bob, submitted: 2026-01-01T10:00:00, runtime: 900, qsub: x}
"""
WORKLOAD = "workload: {jobs: 5, rate: 60, runtime: lognormal 1m 1}\n"


@pytest.fixture
def reading(tmp_path: Path) -> Reading:
    (tmp_path / "cluster.yaml").write_text(TEXT + WORKLOAD)
    return read_folder(tmp_path)


def trace() -> Recorded:
    lines = [f"{n} {3600 * n} 5 60 1 -1 -1 1 -1 -1 1 {n} 7 -1 2 -1 -1 -1" for n in range(1, 9)]
    return read_records({"trace.swf": "\n".join(("; UnixStartTime: 1000000000", *lines)).encode()})


def test_the_first_day_is_as_it_is_given_and_each_day_has_a_seed_of_its_own(reading: Reading) -> None:
    days = [work_of_day(reading.cluster, reading.state, day).state.jobs for day in range(3)]
    assert days[0][:2] == reading.state.jobs
    assert days[0] != days[1] != days[2] != days[0]
    later = replace(reading.state, simulation=replace(reading.state.simulation, seed=1))
    assert work_of_day(reading.cluster, later, 0).state.jobs[2:] == days[1][2:]
    assert work_of_day(reading.cluster, later, 1).state.jobs == days[2]
    first, second = days[1][:2]
    assert first.submitted == NOW
    assert abs(second.submitted - NOW - 3600) <= 600
    assert second.runtime is not None
    assert 810 <= second.runtime <= 990


def test_users_of_a_trace_are_drawn_anew_on_all_days_but_the_first(reading: Reading) -> None:
    state = State(now=NOW, simulation=SimulationPlan(workload=Workload(trace="trace.swf")))
    days = [work_of_day(reading.cluster, state, day, trace()) for day in range(3)]
    assert [job.owner for job in days[0].state.jobs] == [f"user{n}" for n in range(1, 9)]
    assert len({tuple(job.owner for job in day.state.jobs) for day in days}) == 3
    drawn = replace(state, simulation=replace(state.simulation, seed=2, workload=Workload(trace="t", resample=True)))
    assert work_of_day(reading.cluster, drawn, 0, trace()).state.jobs == days[2].state.jobs


def test_load_divides_distances_and_times_of_a_job_move_with_it() -> None:
    request = parse_qsub("-a 202601011200 x", now=NOW).request
    jobs = (Job(1, "anna", NOW, request, "x"), Job(2, "anna", NOW + 3601, request, "x", runtime=100))
    there, comes = rescaled(State(now=NOW, jobs=jobs), "load", 2.0).jobs
    assert there == jobs[0]
    assert comes.submitted == NOW + 1800
    assert request.start_time is not None
    assert comes.request.start_time == request.start_time - 1801
    assert parse_qsub(comes.qsub, now=NOW).request.start_time == comes.request.start_time
    assert rescaled(State(now=NOW, jobs=jobs), "runtime", 1.5).jobs[1].runtime == 150


def test_a_length_begins_where_the_trace_does_and_processes_agree(reading: Reading) -> None:
    state = State(now=NOW, simulation=SimulationPlan(workload=Workload(trace="trace.swf")))
    scenario = Scenario(reading.cluster, state, length=7200, trace=trace())
    assert scenario.simulator().settings.until == 1000000000 + 3600 + 7200
    scenarios = [replace(scenario, seed=day) for day in range(3)]
    alone, together = ([*computed_all(measures_of, scenarios, processes=count)] for count in (1, 2))
    assert alone == together
    assert alone[0]["recorded_wait"] == {
        "count": 3, "mean": 5, "median": 5, "p90": 5, "p95": 5, "p99": 5, "max": 5,
    }  # fmt: skip
