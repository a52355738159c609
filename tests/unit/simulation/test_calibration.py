"""A recorded period against its simulation."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from qmon_tui.formats.records import FinishedTask, Recorded
from qmon_tui.model import Cluster, State
from qmon_tui.simulation import NothingToCompare, Scenario, calibrated, read_edit
from qmon_tui.simulation.confidence import interval
from qmon_tui.simulation.scenario import simulated
from qmon_tui.simulation.submissions import JobSubmitted
from qmon_tui.sources import read_folder

CLUSTER = """
hosts: {h1: {}, h2: {}}
queues: {all.q: {hostlist: h1 h2, slots: 1, load_thresholds: NONE}}
users: {anna: {}, bob: {}}
now: 2026-11-24T08:00:00
workload: {jobs: 40, load: 1.2, kinds: [{runtime: "uniform 100 1000"}]}
"""


@pytest.fixture
def period(tmp_path: Path) -> tuple[Cluster, State, Recorded]:
    """What came of a simulation, as if it had been recorded."""
    (tmp_path / "c.yaml").write_text(CLUSTER)
    reading = read_folder(str(tmp_path))
    simulator = Scenario(reading.cluster, reading.state).simulator()
    coming = [happening.job for _, happening in simulator.queue if isinstance(happening, JobSubmitted)]
    day = simulated(Scenario(reading.cluster, reading.state))
    finished = tuple(
        FinishedTask(one.job, one.task, next(iter(one.granted)), 1, one.started, one.ended, 0, 0, 0.0, 0.0, 0.0)
        for one in day.records
    )
    jobs = tuple(replace(job, tasks={}) for job in (*simulator.state.jobs, *coming))
    state = replace(reading.state, simulation=replace(reading.state.simulation, workload=None))
    return reading.cluster, state, Recorded(State(now=jobs[0].submitted, jobs=jobs), finished=finished)


def test_what_was_simulated_is_simulated_so_once_more(period: tuple[Cluster, State, Recorded]) -> None:
    cluster, state, recorded = period
    found = calibrated(cluster, state, recorded)
    assert (found.compared, found.missing) == (40, 0)
    # The day begins with its first job, so that runs by the interval come at other seconds.
    assert found.error <= 15
    assert found.everything.same_queue == 1
    assert found.throughput[0] == pytest.approx(found.throughput[1], rel=0.02)
    assert {group.name for group in found.groups["owner"]} <= {"anna", "bob"}
    assert sum(group.count for group in found.groups["size"]) == 40
    assert found.forecast is None


def moved(recorded: Recorded, by: Callable[[FinishedTask], int]) -> Recorded:
    return replace(
        recorded,
        finished=tuple(
            replace(task, started=(task.started or 0) + by(task), ended=(task.ended or 0) + by(task))
            for task in recorded.finished
        ),
    )


def test_errors_are_known_by_hand(period: tuple[Cluster, State, Recorded]) -> None:
    cluster, state, recorded = period
    before = calibrated(cluster, state, recorded)
    later = moved(recorded, lambda task: 300)
    found = calibrated(cluster, state, later)
    assert found.everything.mean_error == pytest.approx(before.everything.mean_error - 300)
    assert found.everything.recorded_wait == pytest.approx(before.everything.recorded_wait + 300)
    assert found.everything.wait == before.everything.wait
    best = found.assumptions[0]
    assert best.name == "start delay"
    assert best.error < 20 < found.error
    assert {one.name for one in found.assumptions} == {"run times", "start delay"}
    elsewhere = replace(recorded, finished=tuple(replace(task, granted="other.q@h1") for task in recorded.finished))
    assert calibrated(cluster, state, elsewhere).everything.same_queue == 0


def test_a_forecast_takes_the_known_error_out(period: tuple[Cluster, State, Recorded]) -> None:
    cluster, state, recorded = period
    edits = (read_edit(cluster, "queues.all.q.slots=2"),)
    exact = calibrated(cluster, state, recorded, edits=edits).forecast
    found = calibrated(cluster, state, moved(recorded, lambda task: 300 + task.job % 7), edits=edits)
    forecast = found.forecast
    assert exact is not None
    assert forecast is not None
    assert forecast.edits == ("queues.all.q.slots=2",)
    wait = forecast.wait
    assert wait.simulated == exact.wait.simulated < found.everything.wait
    assert wait.expected == pytest.approx(wait.simulated - found.everything.mean_error)
    assert wait.low < wait.expected < wait.high
    assert wait.high - wait.expected < 100
    assert forecast.p95.simulated == exact.p95.simulated
    assert forecast.p95.expected - forecast.p95.simulated == pytest.approx(303, abs=30), "all waited so much longer"
    assert forecast.p95.low <= forecast.p95.expected <= forecast.p95.high
    assert forecast.throughput.recorded == pytest.approx(found.throughput[0])
    assert forecast.throughput.low <= forecast.throughput.simulated <= forecast.throughput.high
    assert interval([1.0, 1.0]).half == 0


def test_answers_are_counted(period: tuple[Cluster, State, Recorded]) -> None:
    cluster, state, recorded = period
    found = calibrated(cluster, state, recorded)
    owners = {job.id: (job.owner, job.submitted) for job in recorded.state.jobs}
    by_hand = sum(
        any(owners[task.job][0] == owner and (task.ended or 0) <= submitted <= (task.ended or 0) + 1200
            for task in recorded.finished)
        for owner, submitted in owners.values()
    )  # fmt: skip
    assert found.answers == pytest.approx(by_hand / 40)


def test_nothing_to_compare_is_told(period: tuple[Cluster, State, Recorded]) -> None:
    cluster, state, _ = period
    with pytest.raises(NothingToCompare, match="nothing in these records"):
        calibrated(cluster, state, Recorded())
