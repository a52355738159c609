"""Functional and override tickets: the worked numbers.

Source: tickets.md#functional-tickets and tickets.md#override-tickets.
"""

import pytest

from qmon_tui.model.outcome import Outcome
from tests.unit.scheduler.building import (
    cluster,
    configuration,
    job,
    project,
    queue,
    run,
    running,
    scheduler,
    the_job,
    user,
    userset,
)

QUEUE = queue("all.q", "h1 h2", 4)
MILLION = 1_000_000


def functional(outcome: Outcome, *numbers: int) -> list[float]:
    return [the_job(outcome, number).ftckt for number in numbers]


def override(outcome: Outcome, *numbers: int) -> list[float]:
    return [the_job(outcome, number).otckt for number in numbers]


# Section 4.5, second example: users A and B, projects P (100) and Q (300), nothing running.
def test_users_and_projects_are_combined_in_one_pass() -> None:
    on = cluster(
        QUEUE,
        scheduler(weight_tickets_functional=MILLION),
        user("a", fshare=100),
        user("b", fshare=100),
        project("P", fshare=100),
        project("Q", fshare=300),
    )
    jobs = [job(1, "-P P", "a"), job(2, "-P Q", "a"), job(3, "-P P", "b"), job(4, "-P Q", "b")]
    assert functional(run(on, *jobs), 2, 4, 1, 3) == pytest.approx([500_000, 250_000, 125_000, 93_750])


# Section 4.4, point 3: the study's 540051 tickets are not what happens with max_functional_jobs_to_schedule 200.
def test_tickets_of_a_thousand_jobs() -> None:
    people = [user(name, fshare=100) for name in ("a", "b", "c")]
    on = cluster(queue("all.q", "h1", 3), scheduler(weight_tickets_functional=MILLION), *people)
    jobs = [running(1, "all.q@h1", owner="a"), running(2, "all.q@h1", owner="a"), running(3, "all.q@h1", owner="b")]
    jobs += [job(number, owner="b") for number in range(4, 1004)] + [job(2000, owner="c"), job(2001, owner="c")]
    outcome = run(on, *jobs)
    tickets = sorted((job_outcome.ftckt for job_outcome in outcome.jobs if 4 <= job_outcome.id < 1004), reverse=True)
    assert sum(tickets) == pytest.approx(741_930.69, abs=0.005)
    assert tickets[197] == pytest.approx(418.76046901)
    assert tickets[198:] == pytest.approx([418.75907315] * 802)


def test_more_jobs_to_schedule_give_the_numbers_of_the_study() -> None:
    people = [user(name, fshare=100) for name in ("a", "b", "c")]
    settings = scheduler(weight_tickets_functional=MILLION, max_functional_jobs_to_schedule=1002)
    on = cluster(queue("all.q", "h1", 3), settings, *people)
    jobs = [running(1, "all.q@h1", owner="a"), running(2, "all.q@h1", owner="a"), running(3, "all.q@h1", owner="b")]
    jobs += [job(number, owner="b") for number in range(4, 1004)] + [job(2000, owner="c"), job(2001, owner="c")]
    outcome = run(on, *jobs)
    assert sum(job_outcome.ftckt for job_outcome in outcome.jobs if 4 <= job_outcome.id < 1004) == pytest.approx(
        540_539.16, abs=0.005
    )


def test_running_jobs_divide_everything_pending_ones_their_weight() -> None:
    on = cluster(QUEUE, scheduler(weight_tickets_functional=1000), user("a", fshare=5))
    outcome = run(on, running(1, "all.q@h1", owner="a"), job(2, owner="a"))
    assert functional(outcome, 1, 2) == [1000, 125]


def test_job_shares_count_for_running_and_pending_jobs() -> None:
    on = cluster(QUEUE, scheduler(weight_tickets_functional=1000))
    outcome = run(on, running(1, "all.q@h1", "-js 30"), running(2, "all.q@h1", "-js 10"), job(3, "-js 40"))
    assert functional(outcome, 1, 2, 3) == [750, 250, 125]


def test_departments_by_user_then_by_group_then_by_default() -> None:
    on = cluster(
        QUEUE,
        scheduler(weight_tickets_functional=1000),
        userset("physics", "anna,@lab", "DEPT", fshare=30),
        userset("biology", "@staff", "DEPT", fshare=10),
    )
    jobs = [job(1, owner="anna"), job(2, owner="bert"), job(3, owner="carl", group="lab"), job(4, owner="d", group="x")]
    outcome = run(on, *jobs)
    assert [the_job(outcome, n).department for n in (1, 2, 3, 4)] == [
        "physics", "biology", "physics", "defaultdepartment",
    ]  # fmt: skip
    assert functional(outcome, 1, 4) == [250, 0]


def test_automatic_users_get_the_configured_shares() -> None:
    on = cluster(
        QUEUE,
        scheduler(weight_tickets_functional=1000),
        configuration(enforce_user="auto", auto_user_fshare=50, auto_user_oticket=7),
    )
    outcome = run(on, job(1, owner="nobody-known"))
    assert functional(outcome, 1) == [250]
    assert override(outcome, 1) == [7]


# Section 5: O(A) = 100, one job running, two pending.
def test_shared_override_tickets() -> None:
    on = cluster(QUEUE, user("a", oticket=100))
    outcome = run(on, running(1, "all.q@h1", owner="a"), job(2, owner="a"), job(3, owner="a"))
    assert override(outcome, 1, 2, 3) == pytest.approx([100, 50, 100 / 3])


def test_undivided_override_tickets() -> None:
    on = cluster(QUEUE, scheduler(share_override_tickets="FALSE"), user("a", oticket=100), project("P", oticket=40))
    outcome = run(on, running(1, "all.q@h1", owner="a"), job(2, "-P P", owner="a"), job(3, "-ot 5", owner="a"))
    assert override(outcome, 1, 2, 3) == [100, 140, 105]
    assert the_job(outcome, 3).ovrts == 5


def test_override_tickets_decide_which_job_of_a_user_is_picked_first() -> None:
    settings = {"weight_tickets_functional": 1000, "weight_ticket": 1}
    jobs = (job(1, owner="a"), job(2, "-ot 1", owner="a"))
    first = run(cluster(QUEUE, scheduler(policy_hierarchy="OFS", **settings), user("a", fshare=100)), *jobs)
    assert functional(first, 1, 2) == [125, 250]
    alone = run(cluster(QUEUE, scheduler(policy_hierarchy="NONE", **settings), user("a", fshare=100)), *jobs)
    assert functional(alone, 1, 2) == [250, 125]


def test_tickets_are_set_against_the_highest_of_all() -> None:
    on = cluster(QUEUE, scheduler(weight_tickets_functional=1000), user("a", fshare=100), user("b", fshare=50))
    outcome = run(on, job(1, owner="a"), job(2, owner="b"), job(3, owner="c"))
    assert the_job(outcome, 1).ntckts == 1.0
    assert 0 < the_job(outcome, 2).ntckts < 1
    assert the_job(outcome, 3).ntckts == 0.0


def test_shares_of_pending_jobs_add_up_to_one() -> None:
    people = [user(name, fshare=share) for name, share in (("a", 10), ("b", 33))]
    on = cluster(QUEUE, scheduler(weight_tickets_functional=1000), *people)
    outcome = run(on, running(1, "all.q@h1", owner="a"), job(2, owner="a"), job(3, owner="b"), job(4, owner="b"))
    assert sum(the_job(outcome, n).share for n in (2, 3, 4)) == pytest.approx(1)
    assert the_job(outcome, 1).share == 1.0


def test_an_array_has_tickets_for_as_many_tasks_as_could_start() -> None:
    on = cluster(queue("all.q", "h1", 2), scheduler(weight_tickets_functional=1000), user("a", fshare=100))
    busy = [running(number, "all.q@h1", owner="x") for number in (1, 2)]
    full = run(on, *busy, job(3, "-t 1-9", owner="a"), job(4, owner="a"))
    # Nothing is free, so that only the first task counts: the next job of the user is the second receiver.
    assert functional(full, 3, 4) == [250, 125]
    free = run(on, job(3, "-t 1-9", owner="a"), job(4, owner="a"))
    assert functional(free, 4) == [62.5]
