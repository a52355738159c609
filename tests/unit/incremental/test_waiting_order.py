"""Who is tried next is told as by the rule that works out the priorities of all that wait."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from qmon_tui.incremental.known_jobs import KnownJobs
from qmon_tui.incremental.waiting_order import WaitingOrder, _counts_the_same
from qmon_tui.model import Job, State, Task
from qmon_tui.scheduler import SchedulerSession, in_order
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.jobs.run_job import Urgency
from qmon_tui.scheduler.priority import (
    GRID_ENGINE,
    Scale,
    TicketlessPriority,
    WeightedSum,
    normalise_urgency,
    work_out_tickets,
    work_out_urgency,
)
from tests.unit.scheduler.building import (
    NOW,
    attribute,
    cluster,
    job,
    project,
    queue,
    scheduler,
    sharetree,
    user,
    userset,
)

TICKETS = {"weight_tickets_functional": "1000", "weight_ticket": "2", "policy_hierarchy": "OFS"}
POLICIES = {
    "urgency alone": {"weight_waiting_time": "0.01"},
    "no urgency": {"weight_urgency": "0", "weight_waiting_time": "0.01"},
    "functional tickets": {**TICKETS, "max_functional_jobs_to_schedule": "200"},
    "two of them": {**TICKETS, "max_functional_jobs_to_schedule": "2"},
    "none of them": {**TICKETS, "max_functional_jobs_to_schedule": "0"},
    "a single ticket": {**TICKETS, "weight_tickets_functional": "1", "weight_job": "0.3"},
    "shared": {**TICKETS, "share_functional_shares": "TRUE", "max_functional_jobs_to_schedule": "5"},
    "one by one": {**TICKETS, "policy_hierarchy": "NONE", "max_functional_jobs_to_schedule": "4"},
    "of jobs": {**TICKETS, "weight_job": "0.4", "weight_user": "0.1", "max_functional_jobs_to_schedule": "3"},
    "all": {**TICKETS, "weight_waiting_time": "0.2", "weight_ticket": "0.5", "max_functional_jobs_to_schedule": "3"},
}


def policy(**values: str) -> SchedulerSession:
    on = cluster(
        attribute("lic lic INT <= YES YES 0 100"),
        queue("a.q", "h1 h2", 9),
        user("anna", fshare=100),
        user("bob", fshare=300),
        project("blue", fshare=50),
        scheduler(**values),
    )
    return SchedulerSession(on)


def placed(number: int, options: str, owner: str, *tasks: int) -> Job:
    """A job of which some tasks run."""
    started = {task: Task("r", {"a.q@h1": 1}, NOW - 500 + number + task / 8) for task in tasks}
    return job(number, options, owner, tasks=started)


FIRST = (
    placed(1, "", "anna", 1),
    placed(2, "-t 1-6", "bob", 1, 2),
    job(3, "-l lic=2"),
    job(4, "", "bob"),
    job(5, "-t 1-5"),
    job(6, "-p -5", "bob"),
    job(7, "-js 5", "carl"),
    job(8, "-R y", "anna", submitted=NOW - 995),
    job(9, "-js 2 -P blue", "bob"),
    job(10, "", "carl", submitted=NOW - 995),
    job(11, "-l lic=1 -P blue", "carl"),
    job(12, "-t 1-2", "bob", submitted=NOW - 2000),
    job(13, "-hold_jid 1", "bob", submitted=NOW - 3000),
    job(14, "", "bob", changed=NOW - 3.0),
)
LATER = tuple(one for one in FIRST if one.id not in (1, 5, 11))
REJECTED = tuple(replace(one, reservation_rejected=one.id in (2, 4)) for one in LATER)
STARTED = tuple(placed(one.id, "-t 1-2", "bob", 1) if one.id == 12 else one for one in REJECTED)
ALTERED = tuple(replace(one, request=replace(one.request, priority=-7)) if one.id == 4 else one for one in STARTED)
SUBMITTED = (*ALTERED, job(15, "-l lic=1", "anna"), job(16, "-t 1-3", "carl"))
LAST = (SUBMITTED[0], SUBMITTED[-1])
STATES = (FIRST, LATER, REJECTED, STARTED, ALTERED, SUBMITTED, LAST, (), FIRST)
LIMIT = 3

Told = tuple[int, float, tuple[tuple[int, float, float, float], ...]]


def told(run_job: RunJob) -> Told:
    """A job, its priority, and of each task that waits the tickets and the priority that they make."""
    waiting = [(task, of) for task, of in run_job.tickets.items() if task in run_job.queue]
    tickets = tuple((task, of.total, of.ntckts, of.prior) for task, of in waiting)
    assert run_job.template is run_job.tickets[run_job.queue[0]]
    return run_job.id, run_job.prior, tickets


def by_rule(session: SchedulerSession, listed: Sequence[RunJob], now: int) -> list[Told]:
    """All priorities are worked out, and who waits is sorted by them."""
    compiled = session.configured
    policy = compiled.policy
    urgencies = Scale()
    if policy.uses_urgency:
        participants = [run_job for run_job in listed if run_job.split.takes_part]
        work_out_urgency(participants, policy.weights, compiled.attributes, now)
        urgencies = normalise_urgency(participants, GRID_ENGINE.urgency)
    for run_job in listed:
        run_job.tickets, run_job.queue = {}, run_job.split.pending
    running = [run_job for run_job in listed if run_job.split.running]
    pending = [run_job for run_job in listed if run_job.queue]
    tickets = work_out_tickets(running, pending, policy.tickets, LIMIT - 1)
    WeightedSum(TicketlessPriority(policy), urgencies, tickets).set_priorities(pending)
    return [told(run_job) for run_job in in_order(listed)]


class Followed:
    """Jobs that come, change and go, and those that wait in their order."""

    def __init__(self, session: SchedulerSession) -> None:
        self.jobs = KnownJobs(session, session.configured)
        self.order = WaitingOrder(session.configured)

    def take_over(self, jobs: Sequence[Job]) -> None:
        changes = self.jobs.take_over(State(now=NOW, jobs=tuple(jobs)))
        for known in changes.removed:
            self.order.remove(known)
        for before, after in changes.changed:
            self.order.replace(before, after)
        for known in changes.added:
            self.order.add(known)

    def upcoming(self, now: int = NOW) -> Iterator[RunJob]:
        for run_job in self.jobs.listed:
            run_job.category.forget()
            run_job.urgency, run_job.tickets, run_job.template, run_job.prior = Urgency(), {}, None, 0.0
            assert not any(holder.running for holder in run_job.ticket_holders if holder is not None)
        return self.order.formula(now, LIMIT)[1]


@pytest.mark.parametrize("name", POLICIES)
def test_all_that_wait_come_in_the_order_of_their_priorities(name: str) -> None:
    session = policy(**POLICIES[name])
    followed = Followed(session)
    for jobs in STATES:
        followed.take_over(jobs)
        assert followed.order.holds(NOW)
        for now in (NOW, NOW + 3):
            expected = by_rule(session, followed.jobs.listed, now)
            upcoming = list(followed.upcoming(now))
            assert [told(run_job) for run_job in upcoming] == expected
            assert all(run_job is followed.jobs.by_number[run_job.id].run_job for run_job in upcoming)
    assert len(expected) > 9


@pytest.mark.parametrize(
    ("values", "rejected", "for_reservations", "tried"),
    [
        ({}, False, False, [1, 2, 3, 4, 5, 6]),
        ({}, True, False, [1, 4]),
        ({"max_reservation": "1"}, True, False, [1, 3, 4, 5]),
        ({"max_reservation": "1"}, True, True, [1, 4]),
        ({"max_reservation": "1"}, False, True, [1, 2, 3, 4, 5, 6]),
    ],
)
def test_of_a_kind_that_is_given_up_nobody_else_is_tried(
    values: dict[str, str], rejected: bool, for_reservations: bool, tried: list[int]
) -> None:
    """Those that may still get a reservation are."""
    followed = Followed(policy(weight_waiting_time="1", **values))
    reserving = (3, 5)
    followed.take_over(
        [job(one, "-l lic=1" * (one == 4) + " -R y" * (one in reserving), "anna") for one in range(1, 7)]
    )
    seen = []
    for run_job in followed.upcoming():
        seen.append(run_job.id)
        run_job.category.rejected = rejected
        run_job.category.reservation_rejected = for_reservations
    assert sorted(seen) == tried


@pytest.mark.parametrize(
    ("jobs", "holds"),
    [
        ([], True),
        ([job(1)], True),
        ([job(1, submitted=NOW)], True),
        ([job(1, submitted=NOW + 1)], False),
        ([job(1), job(2, submitted=NOW + 1), job(3, submitted=NOW - 5)], False),
        ([job(1, "-dl 203001010000")], False),
        ([replace(job(1), request=replace(job(1).request, override_tickets=5))], False),
        ([job(1, owner="olga")], False),
        ([job(1, "-P red")], False),
        ([job(1, "-h", owner="olga")], True),
    ],
)
def test_what_is_compared_job_by_job_is_left_to_the_rule(jobs: list[Job], holds: bool) -> None:
    """Deadlines and override tickets, and what was submitted in time to come."""
    on = cluster(
        *(queue("a.q", "h1", 9), user("olga", oticket=1), user("anna"), project("red", oticket=1)),
        userset("deadlineusers", "anna"),
    )
    followed = Followed(SchedulerSession(on))
    followed.take_over(jobs)
    assert followed.order.holds(NOW) is holds
    followed.take_over([])
    assert followed.order.holds(NOW)


@pytest.mark.parametrize(
    ("values", "possible"),
    [
        ({}, True),
        ({"weight_urgency": "0", "weight_waiting_time": "0", "weight_user": "0", "weight_job": "0"}, True),
        ({"weight_urgency": "-0.1"}, False),
        ({"weight_waiting_time": "-0.1"}, False),
        ({"weight_user": "-0.1"}, False),
        ({"weight_project": "-0.1"}, False),
        ({"weight_department": "-0.1"}, False),
        ({"weight_job": "-0.1"}, False),
    ],
)
def test_with_negative_weights_who_waits_longer_may_be_less_urgent(values: dict[str, str], possible: bool) -> None:
    followed = Followed(policy(**values))
    followed.take_over([job(1)])
    assert followed.order.is_possible is followed.order.holds(NOW) is possible


def test_nothing_is_kept_of_jobs_that_are_gone() -> None:
    followed = Followed(policy())
    followed.take_over(FIRST)
    followed.take_over(())
    order = vars(followed.order)
    kept = ("_jobs", "_classes", "_groups", "_times", "_running", "_running_claims")
    assert not any(order[name] for name in kept)


def test_a_share_tree_is_left_to_the_rule() -> None:
    on = cluster(queue("a.q", "h1", 9), sharetree(anna=10))
    assert not Followed(SchedulerSession(on)).order.is_possible


@pytest.mark.parametrize(
    ("changes", "same"),
    [
        ({"reservation_rejected": True}, True),
        ({"name": "x"}, True),
        ({"submitted": NOW - 5}, False),
        ({"changed": NOW - 5.0}, False),
        ({"owner": "bob"}, False),
        ({"request": job(1, "-p -3").request}, False),
        ({"tasks": placed(1, "", "anna", 1).tasks}, False),
        ({"tasks": {1: Task("hqw", hold="u")}}, False),
    ],
)
def test_a_job_has_the_same_place_where_nothing_has_changed_that_it_goes_by(
    changes: dict[str, object], same: bool
) -> None:
    session = policy()
    jobs = KnownJobs(session, session.configured)
    (before,) = jobs.take_over(State(now=NOW, jobs=(job(1, "-t 1-2"),))).added
    changed = replace(before.job, **changes)  # type: ignore[arg-type]
    ((_, after),) = jobs.take_over(State(now=NOW, jobs=(changed,))).changed
    assert _counts_the_same(before, after) is same
