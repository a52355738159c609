"""The one number by which jobs are sorted, and the sorting.

Source: priority.md#the-formula and priority.md#sort-order-of-pending-jobs.
"""

import pytest

from qmon_tui.model.jobs import Task
from qmon_tui.model.outcome import Outcome
from qmon_tui.scheduler.priority.formulas import normalised_priority
from tests.unit.scheduler.building import (
    attribute,
    cluster,
    configuration,
    job,
    places,
    queue,
    run,
    running,
    scheduler,
    the_job,
    user,
)

ONE = queue("all.q", "h1", 1)


def order(outcome: Outcome) -> list[int]:
    return [job.id for job in outcome.jobs]


@pytest.mark.parametrize(
    ("priority", "expected"), [(-1023, 0.00048828125), (-100, 0.451171875), (0, 0.5), (10, 0.5048828125), (1024, 1.0)]
)
def test_posix_priority_has_a_fixed_range(priority: int, expected: float) -> None:
    assert normalised_priority(priority) == expected


def test_unused_policies_give_the_familiar_number() -> None:
    outcome = run(cluster(ONE), job(1), job(2))
    assert [the_job(outcome, n).prior for n in (1, 2)] == pytest.approx([0.555, 0.555])


def test_without_weights_it_is_first_come_first_served() -> None:
    flat = scheduler(weight_urgency=0, weight_ticket=0, weight_priority=0)
    outcome = run(cluster(ONE, flat), job(1, submitted=500), job(2, "-p -1000", submitted=400), job(3, submitted=400))
    assert order(outcome) == [2, 3, 1]
    assert {the_job(outcome, n).prior for n in (1, 2, 3)} == {0.0}


def test_users_may_only_lower_a_priority() -> None:
    outcome = run(cluster(ONE), job(1, "-p 5"), job(2, "-p -5"), job(3, "-p 5", owner="root"))
    assert the_job(outcome, 1).rejected == "job rejected: positive submission priority requires operator privileges"
    assert order(outcome)[:2] == [3, 2]


def test_hidden_numbers_do_not_change_the_order() -> None:
    hidden = scheduler(report_pjob_tickets="FALSE", weight_tickets_functional=1000)
    people = (user("anna", fshare=10), user("bert", fshare=100))
    shown = run(cluster(ONE, scheduler(weight_tickets_functional=1000), *people), job(1), job(2, owner="bert"))
    outcome = run(cluster(ONE, hidden, *people), job(1), job(2, owner="bert"))
    assert order(outcome) == order(shown) == [2, 1]
    waiting = the_job(outcome, 1)
    assert (waiting.prior, waiting.nurg, waiting.npprior, waiting.tckts) == (0, 0, 0, 0)
    assert the_job(outcome, 2).tckts == the_job(shown, 2).tckts > 0


def test_next_task_of_an_array_is_sorted_in_again() -> None:
    # Each task of anna's array gets fewer tickets than the one before; bert's job fits in between.
    on = cluster(
        queue("all.q", "h1", 2),
        scheduler(weight_tickets_functional=1000, weight_ticket=1, weight_urgency=0, weight_priority=0),
        user("anna", fshare=100),
        user("bert", fshare=80),
    )
    outcome = run(on, job(1, "-t 1-3"), job(2, owner="bert"))
    assert places(outcome) == {1: "all.q@h1", 2: "all.q@h1"}
    assert [task.state for task in the_job(outcome, 1).tasks] == ["t", "qw", "qw"]


def test_beyond_the_ticket_window_an_array_stays_at_the_head() -> None:
    on = cluster(
        queue("all.q", "h1", 3),
        scheduler(
            weight_tickets_functional=1000, weight_ticket=1, weight_urgency=0, weight_priority=0,
            max_pending_tasks_per_job=1,
        ),
        user("anna", fshare=100),
        user("bert", fshare=80),
    )  # fmt: skip
    outcome = run(on, job(1, "-t 1-3"), job(2, owner="bert"))
    assert [task.state for task in the_job(outcome, 1).tasks] == ["t", "t", "t"]
    assert places(outcome) == {1: "all.q@h1"}
    # Tasks without tickets of their own start with those of the one before.
    assert len({task.tckts for task in the_job(outcome, 1).tasks}) == 1


def test_a_rescheduled_task_goes_before_the_plain_ones_of_its_job() -> None:
    array = job(1, "-t 1-5", tasks={4: Task("Rq")})
    outcome = run(cluster(queue("all.q", "h1", 1)), array)
    assert {task.task: task.state for task in the_job(outcome, 1).tasks} == {
        1: "qw", 2: "qw", 3: "qw", 4: "Rt", 5: "qw",
    }  # fmt: skip


def test_jobs_that_take_no_part_show_no_numbers() -> None:
    on = cluster(ONE, scheduler(weight_tickets_functional=1000), user("anna", fshare=100))
    outcome = run(on, job(1, "-h -p -7"), job(2))
    held = the_job(outcome, 1)
    assert (held.prior, held.nurg, held.npprior, held.urg, held.tckts) == (0, 0, 0, 0, 0)
    assert held.ppri == -7


def test_running_tasks_keep_theirs_where_the_job_is_cleared() -> None:
    on = cluster(ONE, configuration(max_aj_instances=10), scheduler(weight_tickets_functional=10))
    outcome = run(on, running(1, "all.q@h1", "-t 1-4 -tc 1"))
    assert the_job(outcome, 1).nurg == 0.0
    assert [task.prior > 0 for task in the_job(outcome, 1).tasks] == [True, False, False, False]


def test_urgency_may_be_fractional() -> None:
    on = cluster(ONE, attribute("slots s INT <= YES YES 1 0"), attribute("lic lic INT <= YES NO 0 0.25"))
    outcome = run(on, job(1, "-l lic=1"), job(2, "-l lic=3"), job(3, "-l lic=5"))
    assert [the_job(outcome, n).urg for n in (1, 2, 3)] == [0.25, 0.75, 1.25]
    assert [the_job(outcome, n).nurg for n in (1, 2, 3)] == [0, 0.5, 1]
