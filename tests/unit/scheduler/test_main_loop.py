"""In which order tasks are tried, and who is left out meanwhile (dispatch.md#main-loop)."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from qmon_tui.model import Cluster, Task
from qmon_tui.qmaster import simulate
from qmon_tui.scheduler import RunUntil
from qmon_tui.scheduler.dispatch.main_loop import RunEnd
from tests.unit.scheduler.building import cluster, environment, job, queue, running, scheduler, state, user


def waiting(queue: Sequence[int] = (1, 2, 3), next_task: int = 0, **more: Any) -> Any:
    fields = {"excluded_at": None, "category": SimpleNamespace(rejected=False), **more}
    return SimpleNamespace(queue=queue, next_task=next_task, **fields)


@pytest.mark.parametrize(
    ("next_task", "is_next", "before", "task", "reached"),
    [
        (0, True, True, 1, True),
        (0, True, False, 1, False),
        (0, False, True, 1, False),
        (0, True, True, 2, False),
        (1, True, True, 2, True),
        (1, True, True, 1, True),
        (1, False, False, 1, True),
        (1, False, False, 2, False),
        (2, True, True, 2, True),
        (2, True, False, 3, False),
    ],
)
def test_a_run_for_one_task_ends_before_it_is_tried_or_when_it_has_started(
    next_task: int, task: int, *, is_next: bool, before: bool, reached: bool
) -> None:
    run_job = waiting(next_task=next_task)
    end = RunEnd(run_job, task, before)
    assert end.is_reached(run_job if is_next else waiting()) is reached


def test_a_run_for_one_task_ends_when_nothing_can_start_it_any_more() -> None:
    for lost in (waiting(excluded_at=0), waiting(category=SimpleNamespace(rejected=True))):
        assert RunEnd(lost, 1, False).is_reached(waiting())


def started(on: Cluster, *jobs: Any, fast: bool = True) -> str:
    dispatch = simulate(on, state(jobs), fast=fast).dispatch
    return " ".join(f"{start.run_job.id}.{start.task}" for start in dispatch.starts)


SHARED = {"weight_tickets_functional": 1000, "weight_ticket": 10}
ANNA, BOB = user("anna", fshare=100), user("bob", fshare=100)


@pytest.mark.parametrize("most", [0, 3])
@pytest.mark.parametrize(
    ("policy", "jobs", "order"),
    [
        # One task after the other where nothing else decides; with tickets in turn.
        ({}, [("-t 1-3", "anna"), ("-t 1-3", "bob")], "1.1 1.2 1.3 2.1 2.2 2.3"),
        (SHARED, [("-t 1-3", "anna"), ("-t 1-3", "bob")], "1.1 2.1 1.2 2.2 1.3 2.3"),
        (SHARED, [("-t 1-3", "anna"), ("", "anna"), ("-t 1-2", "bob")], "1.1 3.1 1.2 3.2 1.3 2.1"),
        ({}, [("-p -9", "anna"), ("-p -5", "bob"), ("", "anna")], "3.1 2.1 1.1"),
        # A user's limit counts what runs already, and what starts in the run.
        ({"maxujobs": 1}, [("-t 1-3", "anna"), ("", "bob")], "1.1 2.1"),
        ({"maxujobs": 2}, [("-t 1-3", "anna"), ("", "bob"), ("", "anna")], "1.1 1.2 2.1"),
        ({"maxujobs": 3}, [("-t 1-3", "anna"), ("", "bob"), ("", "anna")], "1.1 1.2 1.3 2.1"),
        ({"maxujobs": 4}, [("-t 1-3", "anna"), ("", "bob"), ("", "anna")], "1.1 1.2 1.3 2.1 3.1"),
        ({"maxujobs": 1}, [("", "carl"), ("", "bob")], "2.1"),
        ({"maxujobs": 2}, [("-t 1-2", "carl"), ("", "bob")], "1.1 2.1"),
        ({**SHARED, "maxujobs": 2}, [("-t 1-3", "anna"), ("-t 1-3", "bob")], "1.1 2.1 1.2 2.2"),
        # A job that fits nowhere keeps those of its kind from being tried, nobody else.
        ({}, [("-q none.q", "anna"), ("-q none.q", "bob"), ("", "anna")], "3.1"),
        ({}, [("-pe mpi 3", "anna"), ("-pe mpi 2", "bob"), ("", "anna")], "2.1 3.1"),
    ],
)
def test_tasks_start_in_the_order_of_their_priorities(
    policy: dict[str, object], jobs: list[tuple[str, str]], order: str, most: int
) -> None:
    on = cluster(
        queue("all.q", "h1", 7, pe_list="mpi"), queue("none.q", "h2", 0), environment("mpi", slots=2), ANNA, BOB,
        scheduler(max_reservation=most, **policy),
    )  # fmt: skip
    there = [running(90, "all.q@h1", owner="carl")]
    waiting_jobs = [job(number, options, owner) for number, (options, owner) in enumerate(jobs, 1)]
    for fast in (True, False):
        assert started(on, *there, *waiting_jobs, fast=fast) == order


@pytest.mark.parametrize("most", [0, 3])
def test_the_loop_ends_with_the_last_queue_instance(most: int) -> None:
    on = cluster(queue("all.q", "h1 h2", 1), scheduler(max_reservation=most))
    run = simulate(on, state([job(1, "-t 1-5"), job(2)]))
    assert [(start.run_job.id, start.task) for start in run.dispatch.starts] == [(1, 1), (1, 2)]
    assert not run.dispatch.order
    assert [each.category.rejected for each in run.jobs] == [False, False]


def test_a_task_that_was_sent_back_comes_before_the_plain_ones_of_its_job() -> None:
    on = cluster(queue("all.q", "h1", 3))
    assert started(on, job(1, "-t 1-4", tasks={3: Task("Rq")})) == "1.3 1.1 1.2"


@pytest.mark.parametrize("most", [0, 3])
@pytest.mark.parametrize(
    ("number", "task", "before", "order"),
    [
        (1, 1, True, ""),
        (1, 1, False, "1.1"),
        (1, 2, True, "1.1"),
        (2, 1, True, "1.1 1.2"),
        (2, 1, False, "1.1 1.2 2.1"),
        (3, 1, False, "1.1 1.2 2.1"),
        (4, 1, False, "1.1 1.2 2.1 4.1"),
    ],
)
def test_a_run_for_one_task_ends_as_soon_as_that_is_decided(
    number: int, task: int, order: str, most: int, *, before: bool
) -> None:
    on = cluster(queue("all.q", "h1", 9), queue("none.q", "h2", 0), scheduler(max_reservation=most))
    jobs = state([job(1, "-t 1-2"), job(2), job(3, "-q none.q"), job(4), job(5)])
    dispatch = simulate(on, jobs, until=RunUntil(number, task, before)).dispatch
    assert " ".join(f"{start.run_job.id}.{start.task}" for start in dispatch.starts) == order


@pytest.mark.parametrize("most", [0, 3])
def test_the_next_task_is_started_whatever_its_turn(most: int) -> None:
    on = cluster(queue("all.q", "h1", 2), scheduler(max_reservation=most))
    run = simulate(on, state([job(1), job(2), job(3)]), until=RunUntil(1, 1, True))
    asked = {each.id: each for each in run.jobs}
    assert [run.dispatch.start_next_task(asked[number]) for number in (3, 2, 1)] == [((0, 1),), ((0, 1),), None]
    assert [start.run_job.id for start in run.dispatch.starts] == [3, 2]
