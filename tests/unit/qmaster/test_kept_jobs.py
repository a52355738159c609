"""Jobs that are kept when queues or hosts are edited: of which nothing is, and what a run may change of them."""

import pytest

from qmon_tui.model.state import Task
from qmon_tui.qmaster.kept_jobs import _looks_at_places
from qmon_tui.qmaster.scheduling import schedule
from tests.unit.scheduler.building import cluster, job, queue, running, state

PLACED = {"a.q@n1": 1}


@pytest.mark.parametrize(
    ("options", "task", "looks"),
    [
        ("", None, False),
        ("-w e", None, True),
        ("-ar 1", None, True),
        ("", Task("r", PLACED), False),
        ("", Task("s", PLACED), False),
        ("", Task("S", PLACED), True),
        ("", Task("r", PLACED, seen_suspended=True), True),
        ("-ar 1", Task("r", PLACED), True),
    ],
)
def test_who_looks_at_places(options: str, task: Task | None, looks: bool) -> None:
    assert _looks_at_places(job(1, options, tasks={} if task is None else {1: task})) is looks


def test_tasks_that_thresholds_halt_have_their_priority_before_and_after_it() -> None:
    fresh = cluster(queue("a.q", "h1", 4))
    jobs = state([running(1, "a.q@h1"), running(2, "a.q@h1"), job(3)], loads={"h1": {"np_load_avg": "3.0"}})
    for seq_no, thresholds in enumerate(("NONE", "NONE", "NONE", "NONE", "np_load_avg=2", "NONE")):
        limits = {"suspend_thresholds": thresholds, "nsuspend": "1", "suspend_interval": "0:1:0"}
        edited = fresh.with_objects([queue("a.q", "h1", 4, seq_no=str(seq_no), **limits)])
        fast, plain = (schedule(edited, jobs, fast=fast) for fast in (True, False))
        assert tuple(fast.jobs) == tuple(plain.jobs), seq_no
