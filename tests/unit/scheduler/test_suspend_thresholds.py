"""What is halted by suspend thresholds and goes on again (suspension.md#suspend-thresholds)."""

import pytest

from qmon_tui.model import Task
from tests.unit.scheduler.building import NOW, cluster, job, queue, run

LOW, HIGH = "0.5", "2"
RUNNING, HALTED = ("r", None), ("T", NOW - 400.0)
JUST_HALTED, AN_INTERVAL_AGO = ("T", NOW - 100.0), ("T", NOW - 300.0)


@pytest.mark.parametrize(
    ("load", "at_once", "tasks", "after"),
    [
        # Halted are those started last, and go on those started first; task 1 has been started first of all.
        (HIGH, 1, (RUNNING, RUNNING, RUNNING), "rrT"),
        (HIGH, 2, (RUNNING, RUNNING, RUNNING), "rTT"),
        (HIGH, 1, (RUNNING, HALTED, RUNNING), "rTT"),
        (LOW, 1, (RUNNING, RUNNING, RUNNING), "rrr"),
        (LOW, 1, (HALTED, HALTED, RUNNING), "rTr"),
        (LOW, 2, (HALTED, HALTED, HALTED), "rrT"),
        # Within an interval from the last change nothing is done.
        (LOW, 1, (JUST_HALTED, HALTED, RUNNING), "TTr"),
        (HIGH, 1, (JUST_HALTED, RUNNING, RUNNING), "Trr"),
        (LOW, 1, (AN_INTERVAL_AGO, HALTED, RUNNING), "rTr"),
        (HIGH, 1, (AN_INTERVAL_AGO, RUNNING, RUNNING), "TrT"),
    ],
)
def test_tasks_are_halted_and_go_on(
    load: str, at_once: int, tasks: tuple[tuple[str, float | None], ...], after: str
) -> None:
    thresholds = {"suspend_thresholds": "np_load_avg=1", "nsuspend": str(at_once), "suspend_interval": "0:5:0"}
    jobs = [
        job(number, tasks={1: Task(letters, {"a.q@h1": 1}, NOW - 1000 + number, changed=changed)})
        for number, (letters, changed) in enumerate(tasks, 1)
    ]
    latest = max((changed for _, changed in tasks if changed is not None), default=NOW - 1000.0)
    on = cluster(queue("a.q", "h1", 9, **thresholds))
    outcome = run(on, *jobs, loads={"h1": {"np_load_avg": load}}, changed={"a.q@h1": latest})
    assert "".join(each.tasks[0].state for each in outcome.jobs) == after
