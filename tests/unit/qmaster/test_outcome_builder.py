"""What a run tells of jobs, and in which order."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from qmon_tui.model.jobs import Task
from qmon_tui.qmaster import simulate
from qmon_tui.qmaster.numbers_shown import _as_ordered
from qmon_tui.qmaster.transition import after_run
from qmon_tui.scheduler.jobs.run_job import Tickets
from tests.unit.scheduler.building import (
    cluster,
    environment,
    host,
    job,
    queue,
    run,
    running,
    scheduler,
    state,
    the_job,
    user,
)


def test_pending_jobs_come_in_the_order_of_the_run_and_then_all_others_by_number() -> None:
    on = cluster(queue("a.q", "n1", 9), host("n1"))
    jobs = [
        job(1),
        running(6, "a.q@n1"),
        job(2, "-l nosuch=1"),
        running(5, "a.q@n1"),
        job(3, "-p 5", owner="root"),
        job(4, tasks={1: Task("Eqw")}),
    ]
    assert [each.id for each in run(on, *jobs).jobs] == [3, 1, 2, 4, 5, 6]


@pytest.mark.parametrize(
    ("options", "others", "stays"),
    [
        ("-R y -t 1-3", 0, False),
        ("-R y -t 1-3", 1, True),
        ("-R y -l h_rt=60 -q b.q", 0, True),
    ],
)
def test_of_what_kind_no_reservation_is_tried_is_forgotten_with_the_start_of_its_only_job(
    options: str, others: int, stays: bool
) -> None:
    """What stays pending shows it (qstat -j)."""
    on = cluster(queue("a.q", "n1", 1), queue("b.q", "n1", 0), host("n1"))
    jobs = [job(number, options, reservation_rejected=True) for number in range(1, others + 2)]
    assert the_job(run(on, *jobs), 1).reservation_rejected is stays
    assert after_run(simulate(on, state(jobs))).jobs[0].reservation_rejected is stays


def test_a_task_that_starts_shows_its_share() -> None:
    on = cluster(queue("a.q", "n1", 1), host("n1"), user("anna", fshare=10), scheduler(weight_tickets_functional=100))
    first, second = (the_job(run(on, job(1), job(2)), number).tasks[0] for number in (1, 2))
    assert (first.state, second.state) == ("t", "qw")
    assert first.share > 0


def test_a_refused_order_has_brought_the_part_of_the_master_queue() -> None:
    start = SimpleNamespace(task=1, master_part=0.25, run_job=SimpleNamespace(job=job(7)))
    made = SimpleNamespace(state=state([job(7)], numbers={(7, 0): {"share": 0.25}}))
    shown = _as_ordered(cast(Any, made), cast(Any, start), Tickets(100.0, 8.0, 20.0, 40.0, 0.5))
    assert shown == Tickets(100.0, 2.0, 5.0, 10.0, 0.25)


def test_a_task_with_control_slaves_keeps_the_part_of_the_master_queue() -> None:
    on = cluster(
        queue("a.q", "n1 n2", 3, pe_list="ctl"), host("n1"), host("n2"), user("anna", fshare=10, oticket=80),
        environment("ctl", "$fill_up", control_slaves="TRUE"), scheduler(weight_tickets_functional=100),
    )  # fmt: skip
    task = after_run(simulate(on, state([job(1, "-pe ctl 4")]))).jobs[0].tasks[1]
    assert dict(task.granted) == {"a.q@n1": 3, "a.q@n2": 1}
    assert task.tickets is not None
    assert [task.tickets[name] for name in ("tckts", "otckt", "ftckt", "stckt")] == [78.75, 60, 18.75, 0]


def test_what_is_not_simulated_is_told_of_jobs_that_wait() -> None:
    on = cluster(queue("a.q", "n1", 9), host("n1"), scheduler(halflife_decay_list="cpu=0.5"))
    outcome = run(on, running(1, "a.q@n1"), job(2))
    told = [any("half-life of cpu" in reason for reason in the_job(outcome, number).reasons) for number in (1, 2)]
    assert told == [False, True]
