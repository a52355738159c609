"""What policies come to: weights, tickets and shares, as configured and as a run has them."""

import pytest

from qmon_tui.model.kinds import Kind
from qmon_tui.model.state_fields import StateKind
from qmon_tui.workspace import (
    categories,
    deadline_users,
    holders,
    terms,
    ticket_totals,
    urgent_attributes,
)
from tests.unit.scheduler.building import (
    attribute,
    cluster,
    job,
    project,
    queue,
    run,
    running,
    scheduler,
    sharetree,
    user,
    userset,
)  # fmt: skip

SITE = (
    scheduler(
        weight_urgency=0.1, weight_ticket=0.5, weight_priority=1.4, weight_tickets_functional=1000,
        weight_tickets_share=3000, weight_user=0.3, weight_project=0.1, weight_department=0, weight_job=0,
    ),
    queue("all.q", "h1", 1),
    user("anna", fshare=30, oticket=40),
    user("bela", fshare=10),
    project("sea", fshare=5),
    userset("bio", "anna", "DEPT", fshare=7),
    userset("friends", "anna", "ACL"),
    attribute("gpu g INT <= YES YES 0 100"),
    sharetree(anna=1, bela=1),
)  # fmt: skip


def test_weights_are_what_a_term_can_come_to() -> None:
    weights = terms(cluster(*SITE), None)
    assert [(term.field, term.weight) for term in weights] == [
        ("weight_urgency", 0.1),
        ("weight_ticket", 0.5),
        ("weight_priority", 1.4),
    ]
    assert [term.part for term in weights] == pytest.approx([0.05, 0.25, 0.7])
    assert [term.decides for term in weights] == [0, 0, 0]


def test_what_differs_between_waiting_tasks_decides() -> None:
    on = cluster(*SITE)
    outcome = run(on, job(1, "-p -100"), job(2, "-p 0"), job(3, owner="bela"))
    urgency, tickets, posix = terms(on, outcome)
    assert urgency.decides == 0
    assert urgency.low == urgency.high
    assert tickets.decides + posix.decides == pytest.approx(1)
    assert tickets.high == pytest.approx(0.5)
    priorities = [job_outcome.npprior for job_outcome in outcome.jobs]
    assert posix.high - posix.low == pytest.approx(1.4 * (max(priorities) - min(priorities)))


@pytest.mark.parametrize("reported", ["true", "false"])
@pytest.mark.parametrize("options", ["-h", "-a 203001010000", "-hold_jid 1", "-t 1-3 -tc 1"])
def test_only_what_takes_part_differs(options: str, reported: str) -> None:
    policies = scheduler(weight_urgency=0.1, weight_priority=1, report_pjob_tickets=reported)
    on = cluster(policies, queue("all.q", "h1", 2), attribute("gpu g INT <= YES NO 0 100"))
    busy = running(1, "all.q@h1", slots=2, options="-l gpu=2")
    urgency, _, posix = terms(on, run(on, busy, job(2), job(3, "-l gpu=1"), job(4, options)))
    assert (urgency.decides, posix.decides) == (1, 0)
    assert (urgency.low, urgency.high) == pytest.approx((0, 0.05))
    assert (posix.low, posix.high) == (0.5, 0.5)


def test_where_nobody_takes_part_nothing_differs() -> None:
    on = cluster(*SITE)
    assert [(term.low, term.high, term.decides) for term in terms(on, run(on, job(1, "-h"), job(2, "-h -p -9")))] == [
        (0, 0, 0)
    ] * 3


def test_tickets_of_all_policies() -> None:
    on = cluster(*SITE)
    outcome = run(on, running(1, "all.q@h1"), job(2, owner="bela"))
    share, functional, override = ticket_totals(on, outcome)
    assert [(tickets.letter, tickets.total) for tickets in (share, functional, override)] == [
        ("S", 3000),
        ("F", 1000),
        ("O", 40),
    ]
    assert share.part == pytest.approx(3000 / 4040)
    everything = [task for job_outcome in outcome.jobs for task in job_outcome.tasks]
    assert override.given == pytest.approx(sum(task.otckt for task in everything)) == pytest.approx(40)
    assert (functional.tasks, override.tasks) == (2, 1)


def test_part_of_a_ticket_is_one_that_a_task_got() -> None:
    on = cluster(scheduler(weight_tickets_functional=1), queue("all.q", "h1", 1), user("anna", fshare=3), user("ben"))
    _, functional, override = ticket_totals(on, run(on, job(1), job(2), job(3, owner="ben")))
    assert (functional.tasks, override.tasks) == (2, 0)
    assert 0 < functional.given < 1


def test_share_tree_tickets_without_a_tree_are_none() -> None:
    assert ticket_totals(cluster(*SITE[:-1]), None)[0].total == 0


def test_categories_need_not_sum_to_one() -> None:
    assert [category.part for category in categories(cluster(*SITE))] == pytest.approx([0.75, 0.25, 0, 0])


def test_who_has_shares() -> None:
    on = cluster(*SITE)
    found = {
        (holder.kind, holder.name): holder for holder in holders(on, run(on, job(1), job(2, "-P sea", owner="bela")))
    }
    assert (found[Kind.USER, "anna"].part, found[Kind.USER, "anna"].oticket) == (0.75, 40)
    assert found[Kind.PROJECT, "sea"].jobs == 1
    assert found[Kind.USERSET, "bio"].fshare == 7
    assert (found[Kind.USER, "bela"].part, found[Kind.USER, "bela"].oticket) == (0.25, 0)
    assert found[Kind.USER, "anna"].override == pytest.approx(40)
    assert found[Kind.USER, "bela"].override == 0
    assert found[Kind.USER, "bela"].functional > 0
    assert found[Kind.USERSET, "bio"].jobs == 1
    assert (Kind.USERSET, "friends") not in found


def test_urgent_attributes() -> None:
    blank, negative = attribute("a a INT <= YES YES 0 0"), attribute("b b INT <= YES YES 0 -1")
    assert urgent_attributes(cluster(*SITE, blank, negative)) == (("slots", "1000"), ("gpu", "100"), ("b", "-1"))


def test_jobs_have_shares_and_override_tickets_of_their_own_and_those_that_have_some_come_first() -> None:
    on = cluster(*SITE)
    jobs = (job(1), job(2, "-js 30"), job(3, "-js 10 -ot 500"))
    share_holders = [holder for holder in holders(on, run(on, *jobs), jobs) if holder.kind is StateKind.JOB]
    assert [(holder.name, holder.fshare, holder.part, holder.oticket) for holder in share_holders] == [
        ("2", 30, 0.75, 0),
        ("3", 10, 0.25, 500),
        ("1", 0, 0, 0),
    ]
    assert share_holders[1].override > 0
    assert [(holder.jobs, holder.words) for holder in share_holders] == [(1, "sleep, anna")] * 3
    (left_out,) = [holder for holder in holders(on, run(on), jobs[:1]) if holder.kind is StateKind.JOB]
    assert (left_out.jobs, left_out.functional, left_out.override) == (0, 0, 0)
    override = ticket_totals(on, None, jobs)[2]
    assert override.total == ticket_totals(on, None)[2].total + 500


def test_who_may_ask_for_a_deadline() -> None:
    assert deadline_users(cluster(userset("deadlineusers", "anna,@staff"))) == ("anna", "@staff")
    assert deadline_users(cluster(userset("deadlineusers", "NONE"))) == deadline_users(cluster(*SITE)) == ()
