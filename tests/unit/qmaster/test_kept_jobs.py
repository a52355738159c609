"""Of which jobs nothing is kept when queues or hosts are edited."""

import pytest

from qmon_tui.model.state import Task
from qmon_tui.qmaster.kept_jobs import _looks_at_places
from tests.unit.scheduler.building import job

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
