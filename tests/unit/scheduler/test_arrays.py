"""What qstat shows of arrays that were partly started, and where they stand in the scheduler's list of jobs.

Each case was seen on a real qmaster 8.1.9.
"""

import pytest

from qmon_tui.model.jobs import Job, Task
from qmon_tui.model.outcome import TaskOutcome
from tests.unit.scheduler.building import NOW, cluster, job, queue, reasons, run, running, scheduler, the_job, user

SHARES = (scheduler(weight_tickets_functional=1000, weight_user=1, policy_hierarchy="NONE"), user("anna", fshare=10))
"""Without a hierarchy of policies the order of the list decides which of a user's jobs is served first."""


def started(number: int, options: str, seconds_ago: int, *tasks: int) -> Job:
    """A job that was submitted long ago and of which these tasks were started then."""
    where = {task: Task("r", {"all.q@h1": 1}, NOW - seconds_ago) for task in tasks}
    return job(number, options, tasks=where)


def pending_task(tasks: tuple[TaskOutcome, ...]) -> TaskOutcome:
    return next(task for task in tasks if task.state == "qw")


def test_a_job_goes_to_the_end_of_the_list_when_a_task_is_started() -> None:
    on = cluster(queue("all.q", "h1", 2), *SHARES)
    outcome = run(on, started(1, "-t 1-3", 10, 1, 2), job(2), job(3, submitted=NOW - 5))
    numbers = {job_outcome.id: pending_task(job_outcome.tasks).ftckt for job_outcome in outcome.jobs}
    assert numbers[2] > numbers[1] > numbers[3]


def test_starts_of_one_second_are_in_the_order_of_priorities() -> None:
    on = cluster(queue("all.q", "h1", 2), *SHARES)
    outcome = run(on, started(1, "-t 1-2 -p -5", 10, 1), started(2, "-t 1-2", 10, 1), job(3, submitted=NOW - 10))
    numbers = {job_outcome.id: pending_task(job_outcome.tasks).ftckt for job_outcome in outcome.jobs}
    assert numbers[3] > numbers[2] > numbers[1]


def test_the_rest_of_an_array_shows_the_tickets_of_its_next_task() -> None:
    on = cluster(queue("all.q", "h1", 2), queue("other.q", "h2", 1), *SHARES)
    first, second, rest = the_job(run(on, job(1, "-l h=h1 -t 1-3")), 1).tasks
    assert (first.state, second.state, rest.state) == ("t", "t", "qw")
    assert first.ftckt > second.ftckt > rest.ftckt > 0


def test_no_tickets_are_shown_of_the_rest_if_the_run_ends_with_a_start() -> None:
    outcome = run(cluster(queue("all.q", "h1", 2), *SHARES), job(1, "-t 1-3"))
    rest = the_job(outcome, 1).tasks[2]
    assert (rest.state, rest.ftckt, rest.prior) == ("qw", 0, 0)
    assert the_job(outcome, 1).npprior == 0.5


@pytest.mark.parametrize(("report", "has_started", "npprior"), [(1, 0, 0.5), (1, 1, 0.5), (0, 0, 0.0), (0, 1, 0.5)])
def test_numbers_of_a_job_whose_pending_tasks_are_not_reported(report: int, has_started: int, npprior: float) -> None:
    on = cluster(queue("all.q", "h1", 1), scheduler(report_pjob_tickets=bool(report)), user("anna"))
    jobs = [started(2, "-t 1-3", 10, 1)] if has_started else [running(1, "all.q@h1"), job(2, "-t 1-3")]
    outcome = run(on, *jobs)
    assert the_job(outcome, 2).npprior == npprior
    assert pending_task(the_job(outcome, 2).tasks).prior == (0 if not report else pytest.approx(0.555))


def test_what_was_said_of_a_user_who_reached_the_limit_goes_to_nobody_else() -> None:
    on = cluster(queue("all.q", "h1", 9), scheduler(maxujobs=1))
    outcome = run(on, running(1, "all.q@h1"), job(2), job(3, "-h"))
    assert reasons(outcome, 3) == ("Job is in hold state",)
    assert reasons(outcome, 2) == ("job dropped because of user limitations",)
