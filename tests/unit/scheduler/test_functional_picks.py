"""Functional tickets piece by piece: weights, sums, and what a pick changes (tickets.md#functional-tickets)."""

from types import SimpleNamespace
from typing import Any

import pytest

from qmon_tui.scheduler.priority.functional_tickets import (
    TENTATIVE,
    Parts,
    Picks,
    divide_among_pending,
    divide_among_running,
    pending_weights,
    running_weights,
    sums_of_running,
    tickets_for,
)


def policy(*weights: float, total: float = 1000, shared: bool = False, dependent: str = "", most: int = 9) -> Any:
    user, project, department, job = weights
    return SimpleNamespace(
        user=user, project=project, department=department, job=job, functional=total,
        share_functional_shares=shared, dependent=dependent, max_functional_jobs=most,
    )  # fmt: skip


def holder(shares: float) -> Any:
    return SimpleNamespace(entitlement=SimpleNamespace(functional_shares=shares), running=0)


def ref(number: int, user: Any, project: Any = None, department: Any = None, job_share: int = 0) -> Any:
    tickets = SimpleNamespace(functional=0.0)
    request = SimpleNamespace(job_share=job_share)
    run_job = SimpleNamespace(job=SimpleNamespace(request=request, id=number, submitted=number))
    return SimpleNamespace(
        run_job=run_job, tickets=tickets, ticket_holders=(user, project, department), accumulated=0.0,
        seniority=(number, number, 1), task=1,
    )  # fmt: skip


def of(parts: Parts) -> list[float]:
    return [parts.user, parts.project, parts.department, parts.job]


def test_weights_add_up_to_one_among_the_parts_that_count() -> None:
    weights = policy(1, 2, 3, 4)
    assert of(pending_weights(weights)) == pytest.approx([0.1, 0.2, 0.3, 0.4])
    assert of(running_weights(weights, Parts(5, 5, 5, 5))) == pytest.approx([0.1, 0.2, 0.3, 0.4])
    assert of(running_weights(weights, Parts(1, 0, 1, 0))) == pytest.approx([0.25, 0, 0.75, 0])
    assert of(running_weights(weights, Parts(0, 1, 0, 1))) == pytest.approx([0, 1 / 3, 0, 2 / 3])
    assert of(pending_weights(policy(0, 0, 0, 0))) == [0, 0, 0, 0]
    assert of(pending_weights(policy(0.5, 0, 0, 0))) == [1, 0, 0, 0]


def test_shares_are_worth_their_part_of_each_sum() -> None:
    shares, sums, weights = Parts(1, 2, 3, 4), Parts(2, 8, 30, 5), Parts(0.1, 0.2, 0.3, 0.4)
    assert tickets_for(shares, sums, weights, 1000) == pytest.approx(0.1 * 500 + 0.2 * 250 + 0.3 * 100 + 0.4 * 800)
    assert tickets_for(shares, Parts(0, 8, 0, 0), weights, 1000) == pytest.approx(50)
    added = Parts(1, 2, 3, 4)
    added.add(Parts(10, 20, 30, 40))
    assert of(added) == [11, 22, 33, 44]


@pytest.mark.parametrize("shared", [False, True])
def test_running_tasks_divide_all_among_them(shared: bool) -> None:
    anna, bob, work = holder(100), holder(300), holder(60)
    refs = [ref(1, anna, work), ref(2, anna, None, None, 7), ref(3, bob, work, None, 3)]
    for account, running in ((anna, 2), (bob, 1), (work, 2)):
        account.running = running
    weights = policy(2, 1, 5, 1, shared=shared)
    sums = divide_among_running(refs, weights)
    assert of(sums) == ([400, 60, 0, 10] if shared else [500, 120, 0, 10])
    user = [50 / 400, 50 / 400, 300 / 400] if shared else [100 / 500, 100 / 500, 300 / 500]
    project, job = [0.5, 0, 0.5], [0, 0.7, 0.3]
    tickets = [1000 * (a / 2 + b / 4 + c / 4) for a, b, c in zip(user, project, job, strict=True)]
    assert [each.tickets.functional for each in refs] == pytest.approx(tickets)
    claims: Any = {n: (each.ticket_holders, each.run_job.job.request.job_share) for n, each in enumerate(refs)}
    of_claims, highest = sums_of_running((0, 1, 2), claims, weights)
    assert of(of_claims) == of(sums)
    assert highest == pytest.approx(max(tickets))


@pytest.mark.parametrize(
    ("shared", "dependent", "user", "sums"),
    [(False, "", 100, [600, 40, 0, 17]), (True, "", 50, [500, 40, 0, 17]), (False, "F", 100, [600, 40, 0, 17])],
)
def test_a_pick_counts_as_running_from_then_on(shared: bool, dependent: str, user: float, sums: list[float]) -> None:
    """Anna has a task running already, her project none."""
    anna, work = holder(100), holder(40)
    anna.running = 1
    next_one, after = ref(1, anna, work, None, 7), ref(2, anna, work)
    next_one.accumulated = 5
    picks = Picks(Parts(500, 0, 0, 10), policy(1, 1, 0, 3, shared=shared, dependent=dependent))
    # What is shared is not in the sum yet, which is next to nothing for the project.
    tried = [*([500, 0] if shared else [600, 40]), 17]
    value = sum(1000 * w * x / (y + TENTATIVE) for w, x, y in zip((0.2, 0.2, 0.6), (user, 40, 7), tried, strict=True))
    assert picks.value(next_one) == pytest.approx(value + (5 if dependent else 0), rel=1e-9)
    valued = next_one.tickets.functional
    picks.pick(next_one, after)
    assert after.tickets.functional == valued
    assert of(picks.sums) == sums
    assert (anna.running, work.running) == (2, 1)
    tickets = 1000 * (0.2 * user / sums[0] + 0.2 + 0.6 * 7 / 17)
    assert next_one.tickets.functional == pytest.approx(tickets, rel=1e-9)


@pytest.mark.parametrize(("most", "order"), [(0, []), (1, [3]), (2, [3, 1]), (9, [3, 1, 2])])
def test_pending_tasks_are_picked_by_what_they_would_get(most: int, order: list[int]) -> None:
    anna, bob = holder(100), holder(300)
    refs = [ref(1, anna), ref(2, anna), ref(3, bob)]
    weights = policy(1, 0, 0, 0, most=most)
    picked = divide_among_pending(refs, Picks(Parts(), weights), weights)
    assert [each.run_job.job.id for each in picked] == order
    assert (anna.running, bob.running) == (0, 0)
    for each in picked:
        assert each.accumulated == each.tickets.functional
    # Who was not picked keeps what he was valued at.
    expected = {2: [250, 250, 1000], 9: [250, 200, 1000]}
    if most in expected:
        assert [each.tickets.functional for each in refs] == pytest.approx(expected[most], rel=1e-5)


def test_tasks_that_are_left_over_get_the_value_of_the_first_one_left_in_their_group() -> None:
    anna, bob, carl = holder(100), holder(300), holder(0)
    refs = [ref(1, anna), ref(2, bob), ref(3, anna), ref(4, bob), ref(5, anna), ref(6, bob), ref(7, carl)]
    weights = policy(1, 0, 0, 0, most=1)
    assert [each.run_job.job.id for each in divide_among_pending(refs, Picks(Parts(), weights), weights)] == [2]
    # Bob's next one was not looked at any more: it has what was worked out for the one that was picked.
    assert [each.tickets.functional for each in refs] == pytest.approx(
        [1000, 1000, 1000, 1000, 1000, 1000, 0], rel=1e-4
    )
