"""What a run that has worked out no numbers leaves of tasks that it has not started."""

from types import SimpleNamespace
from typing import Any

import pytest

from qmon_tui.incremental.prerequisites import NotIncremental
from qmon_tui.incremental.tasks_after_run import is_to_change, task_after_run
from qmon_tui.model import LaterNumbers, Task
from tests.unit.scheduler.building import NOW, job

PLACED, USED = {"a.q@h1": 1}, {"cpu": 3.0}
NUMBERS = {"prior": 0.5, "tckts": 7.0, "otckt": 0.0, "ftckt": 7.0, "stckt": 0.0}
LATER, KEPT = LaterNumbers(), LaterNumbers(NUMBERS)


def known(options: str) -> Any:
    return SimpleNamespace(job=job(1, options))


@pytest.mark.parametrize(
    ("options", "task", "after"),
    [
        ("", Task("z", started=NOW, used=USED), Task("gone", started=NOW)),
        ("", Task("dx", PLACED, NOW), Task("gone", started=NOW)),
        ("", Task("r", PLACED, NOW), Task("r", PLACED, NOW, tickets=LATER)),
        ("", Task("r", PLACED, NOW, used=USED), Task("r", PLACED, NOW, tickets=LATER)),
        ("", Task("t", PLACED, NOW, tickets=NUMBERS), Task("t", PLACED, NOW, tickets=LATER)),
        ("", Task("S", PLACED, NOW, tickets=LATER, used=USED), Task("S", PLACED, NOW, tickets=LATER)),
        ("", Task("r", PLACED, NOW, tickets=LATER), None),
        ("", Task("hqw", hold="u"), None),
        ("", Task("hqw", hold="u", used=USED), None),
        ("", Task("gone", started=NOW), None),
        # Of a parallel task they stay what they are.
        ("-pe mpi 1", Task("r", PLACED, NOW, tickets=NUMBERS), Task("r", PLACED, NOW, tickets=KEPT)),
        ("-pe mpi 1", Task("r", PLACED, NOW, used=USED, tickets=KEPT), Task("r", PLACED, NOW, tickets=KEPT)),
        ("-pe mpi 1", Task("r", PLACED, NOW, tickets=KEPT), None),
    ],
)  # fmt: skip
def test_what_is_left_of_a_task(options: str, task: Task, after: Task | None) -> None:
    assert is_to_change(task) is (after is not None)
    left = task_after_run(known(options), 1, task)
    assert left == (after or task)
    assert (left is task) is (after is None)
    assert after is None or isinstance(left.tickets, LaterNumbers) is (after.tickets is not None)


@pytest.mark.parametrize("tickets", [None, {}, {"prior": 0.5}, {"prior": 0.5, "tckts": 7.0}])
def test_numbers_of_a_parallel_task_that_nobody_knows_are_left_to_the_plain_run(tickets: dict[str, float]) -> None:
    with pytest.raises(NotIncremental):
        task_after_run(known("-pe mpi 1"), 1, Task("r", PLACED, NOW, tickets=tickets))
