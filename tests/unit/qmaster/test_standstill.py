"""Whether what waits is tried as in a run before, in which nothing was started."""

import pytest

from qmon_tui.model import State
from qmon_tui.qmaster import Run, simulate
from qmon_tui.qmaster.next_run.standstill import Standstill
from tests.unit.scheduler.building import NOW, cluster, job, queue


def waiting(*numbers: int) -> Run:
    full = cluster(queue("all.q", "h1", 0))
    return simulate(full, State(now=NOW, jobs=tuple(job(number) for number in numbers)))


@pytest.mark.parametrize(
    ("asked", "upcoming", "is_repeated"),
    [
        (3, (1, 2), True),
        (3, (2, 1), False),
        (3, (1,), False),
        (3, (1, 2, 3), False),
        (1, (1, 2), True),
        (1, (1, 3), True),
        (1, (2, 1), False),
        (1, (), False),
        (0, (), True),
        (0, (1,), True),
    ],
)
def test_the_same_jobs_come_in_the_same_order_as_far_as_they_were_asked_for(
    asked: int, upcoming: tuple[int, ...], is_repeated: bool
) -> None:
    known = {run_job.id: run_job for run_job in waiting(1, 2, 3).pending}
    standstill = Standstill(NOW, 1)
    coming = standstill.noted([known[1], known[2]])
    for _ in range(asked):
        next(coming, None)
    assert standstill.is_repeated(iter([known[number] for number in upcoming])) == is_repeated


def test_what_became_of_the_kinds_is_told_again() -> None:
    first, second = waiting(1, 2).pending
    standstill = Standstill(NOW, 1)
    coming = standstill.noted([first, second])
    next(coming)
    first.category.rejected, first.category.reservation_rejected = True, False
    next(coming)
    assert first.category is second.category
    first.category.rejected = False
    assert standstill.is_repeated(iter([first, second]))
    assert (first.category.rejected, first.category.reservation_rejected) == (True, False)
