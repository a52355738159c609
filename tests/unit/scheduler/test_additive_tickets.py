"""Tickets that add up, which is not Grid Engine: each part divided equally among all tasks of its owner."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from qmon_tui.scheduler.priority.additive_tickets import divide


def policy(*weights: float, functional: float = 1000, shared: bool = True) -> Any:
    user, project, department, job = weights
    return SimpleNamespace(
        user=user, project=project, department=department, job=job, functional=functional,
        share_override_tickets=shared,
    )  # fmt: skip


def holder(shares: float, override: float = 0) -> Any:
    return SimpleNamespace(entitlement=SimpleNamespace(functional_shares=shares, override_tickets=override), running=0)


def ref(user: Any, project: Any = None, department: Any = None, job_share: int = 0, override: float = 0) -> Any:
    request = SimpleNamespace(job_share=job_share, override_tickets=override)
    return SimpleNamespace(
        run_job=SimpleNamespace(job=SimpleNamespace(request=request)), ticket_holders=(user, project, department),
        tickets=SimpleNamespace(functional=-1.0, override=-1.0),
    )  # fmt: skip


def functional(refs: Sequence[Any]) -> list[float]:
    return [each.tickets.functional for each in refs]


@pytest.mark.parametrize("active", [0, 1, 3])
def test_a_users_part_is_divided_among_all_of_its_tasks_running_or_not(active: int) -> None:
    anna, bob = holder(100), holder(300)
    refs = [ref(anna), ref(bob), ref(bob)]
    divide(refs[:active], refs[active:], policy(1, 0, 0, 0))
    assert functional(refs) == [250, 375, 375]
    assert (anna.running, bob.running) == (0, 0)


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        # Anna has 100 of 400 and three tasks, her project 60 of 60 and two; -js is 1, 2 and 7.
        ((1, 0, 0, 0), [250 / 3, 250 / 3, 250 / 3, 750]),
        ((0, 1, 0, 0), [500, 500, 0, 0]),
        ((0, 0, 1, 0), [0, 500, 0, 500]),
        ((0, 0, 0, 1), [100, 200, 0, 700]),
        ((2, 1, 0, 1), [250 / 6 + 125 + 25, 250 / 6 + 125 + 50, 250 / 6, 375 + 175]),
        ((1, 0, 3, 0), [250 / 12, 250 / 12 + 375, 250 / 12, 750 / 4 + 375]),
        ((0, 0, 0, 0), [0, 0, 0, 0]),
    ],
)
def test_each_part_goes_to_those_that_have_shares_in_it(weights: Sequence[float], expected: list[float]) -> None:
    anna, bob, work, science = holder(100), holder(300), holder(60), holder(9)
    refs = [ref(anna, work, None, 1), ref(anna, work, science, 2), ref(anna), ref(bob, None, science, 7)]
    divide(refs[:1], refs[1:], policy(*weights))
    assert functional(refs) == pytest.approx(expected)
    assert sum(functional(refs)) == pytest.approx(1000 if any(weights) else 0)


def test_parts_in_which_nobody_has_shares_go_to_the_others() -> None:
    refs = [ref(holder(0)), ref(holder(0), holder(5))]
    divide((), refs, policy(1, 1, 1, 1))
    assert functional(refs) == [0, 1000]
    divide((), refs, policy(1, 1, 1, 1, functional=0))
    assert functional(refs) == [0, 0]


@pytest.mark.parametrize(
    ("shared", "expected"), [(True, [7 + 25 + 4, 25, 25, 25, 50]), (False, [111, 100, 100, 100, 50])]
)
def test_override_tickets_are_divided_the_same_way(shared: bool, expected: list[float]) -> None:
    anna, bob, work = holder(0, 100), holder(0, 50), holder(0, 4)
    refs = [ref(anna, work, None, 0, 7), ref(anna), ref(anna), ref(anna), ref(bob)]
    divide(refs[:2], refs[2:], policy(1, 0, 0, 0, shared=shared))
    assert [each.tickets.override for each in refs] == expected
