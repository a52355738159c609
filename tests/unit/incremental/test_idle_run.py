"""Whether what waits is tried as in a run before, in which nothing was started."""

from collections.abc import Mapping
from types import MappingProxyType

import pytest

from qmon_tui.incremental.idle_run import IdleRun
from qmon_tui.model import State
from qmon_tui.qmaster import Run, simulate
from qmon_tui.scheduler import SchedulerSession
from qmon_tui.scheduler.reservation import ScheduleState, TaskAllocation
from qmon_tui.values.number import INFINITY
from tests.unit.scheduler.building import NOW, cluster, job, queue, scheduler


def waiting(*numbers: int, options: Mapping[int, str] = MappingProxyType({})) -> Run:
    full = cluster(queue("all.q", "h1", 0))
    return simulate(full, State(now=NOW, jobs=tuple(job(number, options.get(number, "")) for number in numbers)))


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
    idle_run = IdleRun(NOW, 1)
    coming = idle_run.noted([known[1], known[2]])
    for _ in range(asked):
        next(coming, None)
    assert idle_run.is_repeated(iter([known[number] for number in upcoming])) == is_repeated


def test_what_became_of_the_kinds_is_told_again() -> None:
    first, second = waiting(1, 2).pending
    idle_run = IdleRun(NOW, 1)
    coming = idle_run.noted([first, second])
    next(coming)
    first.category.rejected, first.category.reservation_rejected = True, False
    next(coming)
    assert first.category is second.category
    first.category.rejected = False
    assert idle_run.is_repeated(iter([first, second]))
    assert (first.category.rejected, first.category.reservation_rejected) == (True, False)
    first.category.rejected, first.category.reservation_rejected = False, True
    assert next(coming, None) is None
    first.category.rejected, first.category.reservation_rejected = True, False
    assert idle_run.is_repeated(iter([first, second]))
    assert (first.category.rejected, first.category.reservation_rejected) == (False, True), "after the last one"


@pytest.mark.parametrize(
    ("since", "next_end", "starts", "lasts"),
    [
        (15, INFINITY, (), True),
        (15, NOW + 16, (), True),
        (15, NOW + 15, (), False),
        (15, -INFINITY, (), False),
        (15, INFINITY, (16,), True),
        (15, INFINITY, (15,), False),
        (15, INFINITY, (14,), False),
        (15, NOW + 15, (16,), False),
        # A job of 100 seconds that begins now ends when the other begins or after it, as before or no longer.
        (15, INFINITY, (99,), True),
        (15, INFINITY, (100,), False),
        (15, INFINITY, (114,), False),
        (15, INFINITY, (115,), True),
        (15, INFINITY, (999, 114), False),
        (15, INFINITY, (599,), True),
        (15, INFINITY, (600,), False),
        (15, INFINITY, (615,), True),
    ],
)
def test_time_alone_changes_nothing_until_something_ends_or_a_job_would_last_into_a_reservation(
    since: int, next_end: float, starts: tuple[int, ...], lasts: bool
) -> None:
    policy = SchedulerSession(
        cluster(scheduler(params="DURATION_OFFSET=0", default_duration="0:10:0"))
    ).configured.policy
    idle_run = IdleRun(NOW, 1, tried=waiting(1, 2, options={1: "-l h_rt=100"}).pending)
    idle_run.reserved = [reserved(NOW + start) for start in starts]
    assert idle_run.lasts_until(NOW + since, next_end, policy) is lasts


def reserved(start: int) -> TaskAllocation:
    return TaskAllocation(ScheduleState.RESERVING, 3, 1, waiting(3).pending[0].demand, (), start, 60)
