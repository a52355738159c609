"""The example of the study "Calculating GE Job Priorities" (seed 001), to the last digit that it prints."""

import pytest

from tests.unit.scheduler.building import (
    attribute,
    cluster,
    host,
    job,
    places,
    queue,
    reasons,
    run,
    running,
    scheduler,
    the_job,
    user,
)

FUNCTIONAL = scheduler(weight_tickets_functional=1_000_000)
USERS = tuple(user(name, fshare=100) for name in ("usera", "userb", "userc"))
CLUSTER = cluster(
    attribute("lic lic INT <= YES YES 0"),
    host("global", "lic=3"),
    queue("all.q", "sim1 sim2 sim3 sim4", 2),
    FUNCTIONAL,
    *USERS,
)
JOBS = (
    running(1, "all.q@sim1", "-l lic=1", "usera"),
    running(2, "all.q@sim2", "-l lic=1", "usera"),
    running(3, "all.q@sim3", "-l lic=1", "userb"),
    job(4, "-l lic=1", "userb"),
    job(5, "-l lic=1", "userb"),
    job(6, "-l lic=1", "userb"),
    job(7, "-l lic=1", "userc"),
    job(8, "-l lic=1", "userc"),
)


@pytest.mark.parametrize(
    ("number", "tickets", "ntckts"),
    [
        (1, 250_000, 0.5),
        (2, 250_000, 0.5),
        (3, 500_000, 1.0),
        (4, 41666.666, 0.08333),
        (5, 27777.777, 0.05555),
        (6, 20833.333, 0.04166),
        (7, 83333.333, 0.16666),
        (8, 41666.666, 0.08333),
    ],
)
def test_tickets_are_those_of_the_study(number: int, tickets: float, ntckts: float) -> None:
    job_outcome = the_job(run(CLUSTER, *JOBS), number)
    assert int(job_outcome.ftckt) == int(tickets)
    assert int(job_outcome.ntckts * 100_000) == int(ntckts * 100_000)
    assert job_outcome.prior == pytest.approx(0.1 * 0.5 + 0.01 * job_outcome.ntckts + 0.5)


def test_pending_jobs_are_sorted_by_priority_then_age() -> None:
    outcome = run(CLUSTER, *JOBS)
    assert [job_outcome.id for job_outcome in outcome.jobs] == [7, 4, 8, 5, 6, 1, 2, 3]


def test_without_a_licence_nothing_starts_and_everybody_is_told_once() -> None:
    outcome = run(CLUSTER, *JOBS)
    assert places(outcome) == {}
    text = "(-l lic=1) cannot run globally because it offers only gc:lic=0.000000"
    assert {reasons(outcome, number) for number in (4, 5, 6, 7, 8)} == {(text,)}


def test_one_more_licence_starts_the_first_in_line() -> None:
    outcome = run(CLUSTER.with_object(host("global", "lic=4")), *JOBS)
    assert list(places(outcome)) == [7]


# tickets.md#example-with-unequal-shares: with unequal shares the picks are greedy, and a user enters the sum with the
# first pick.
@pytest.mark.parametrize(
    ("number", "tickets"),
    [(1, 125_000), (2, 125_000), (3, 750_000), (4, 93_750), (5, 62_500), (6, 37_500), (7, 50_000), (8, 25_000)],
)
def test_unequal_shares(number: int, tickets: float) -> None:
    outcome = run(CLUSTER.with_object(user("userb", fshare=300)), *JOBS)
    assert the_job(outcome, number).ftckt == pytest.approx(tickets, rel=1e-12)


# tickets.md#further-functional-examples.
@pytest.mark.parametrize(
    ("number", "tickets"),
    [(3, 1e6 / 3), (4, 62_500), (5, 50_000), (6, 41666.6666667), (7, 35714.2857143), (8, 31_250)],
)
def test_unshared(number: int, tickets: float) -> None:
    unshared = scheduler(weight_tickets_functional=1_000_000, share_functional_shares="FALSE")
    outcome = run(CLUSTER.with_object(unshared), *JOBS)
    assert the_job(outcome, number).ftckt == pytest.approx(tickets)
