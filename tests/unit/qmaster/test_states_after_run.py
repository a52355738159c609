"""Which letters a task gets and loses after a run (suspension.md)."""

from collections.abc import Mapping

import pytest

from qmon_tui.model.jobs import Task
from qmon_tui.qmaster.states_after_run import StatesAfterRun
from tests.unit.scheduler.building import NOW, cluster, host, job, queue, run, the_job

A, B = "a.q@n1", "b.q@n1"
STANDS, NEWLY = {"stopped": frozenset({A})}, {"stopped": frozenset({A}), "newly_stopped": frozenset({A})}
RECORDED = {"stopped": frozenset({A}), "recorded": frozenset({A})}


@pytest.mark.parametrize(
    ("known", "granted", "before", "after"),
    [
        ({}, (A,), "r", "r"),
        (STANDS, (A,), "r", "S"),
        (STANDS, (A, B), "r", "r"),  # it goes on with any of its instances
        (STANDS, (B,), "r", "r"),
        (STANDS, (), "qw", "qw"),
        (STANDS, (A,), "dr", "dr"),
        (NEWLY, (A, B), "r", "S"),
        (NEWLY, (A,), "dr", "dS"),
        (RECORDED, (A,), "r", "r"),  # the recorded state of each task decides
        (RECORDED, (A,), "S", "S"),
        ({**STANDS, "late": {(1, 1)}}, (A,), "r", "r"),
        ({**STANDS, "late": {(1, 2), (2, 1)}}, (A,), "r", "S"),
        ({"added": {(1, 1): "T"}}, (A,), "r", "T"),
        ({"added": {(1, 1): "T"}}, (), "qw", "qw"),
        ({"added": {(1, 1): "T"}, **STANDS}, (A,), "r", "ST"),
        ({"removed": {(1, 1): "T"}}, (A,), "T", "r"),
        ({"removed": {(1, 1): "T"}, **STANDS}, (A,), "T", "S"),
        ({"removed": {(2, 1): "T"}}, (A,), "T", "T"),
        # Nobody stops it any more: it goes on unless it has been forgotten with a calendar that is gone.
        ({}, (A,), "S", "S"),
        ({"recorded": frozenset({A})}, (A,), "S", "r"),
        ({"keeps_calendar": frozenset({A})}, (A,), "S", "r"),
        ({"keeps_calendar": frozenset({A})}, (A,), "sS", "s"),
        ({"keeps_calendar": frozenset({A}), "subordinates": frozenset({B})}, (A, B), "S", "S"),
        ({"keeps_calendar": frozenset({A}), "stopped": frozenset({B})}, (A, B), "S", "S"),
    ],
)
def test_the_letters_of_a_task(
    known: Mapping[str, frozenset[str]], granted: tuple[str, ...], before: str, after: str
) -> None:
    states = StatesAfterRun((), **known)  # type: ignore[arg-type]
    assert states.task_state(1, 1, dict.fromkeys(granted, 1), before) == after


@pytest.mark.parametrize(
    ("load", "before", "after"), [("1", "T", "r"), ("3", "T", "T"), ("3", "r", "T"), ("1", "r", "r")]
)
def test_a_suspend_threshold_stops_a_task_and_lets_it_go_on(load: str, before: str, after: str) -> None:
    on = cluster(queue("a.q", "n1", 4, suspend_thresholds="np_load_avg=2", nsuspend="1"), host("n1"))
    outcome = run(on, job(1, tasks={1: Task(before, {A: 1}, NOW - 500)}), loads={"n1": {"np_load_avg": load}})
    assert [task.state for task in the_job(outcome, 1).tasks] == [after]
