"""Which jobs tell after a run that their kind gets no reservation, or no longer tell so."""

from types import SimpleNamespace
from typing import Any

import pytest

from qmon_tui.incremental.rejected_categories import RejectedCategories


def jobs_of_kind(telling: str) -> tuple[Any, list[Any]]:
    """A category, and its jobs from number 1 on, of which those with a `t` tell that it is given up."""
    category = SimpleNamespace(jobs=len(telling), reservation_rejected=False)
    profile = SimpleNamespace(category=category)
    jobs = (SimpleNamespace(id=number, reservation_rejected=sign == "t") for number, sign in enumerate(telling, 1))
    return category, [SimpleNamespace(job=job, profile=profile) for job in jobs]


@pytest.mark.parametrize(
    ("telling", "rejected", "started", "tried", "changes"),
    [
        ("-", False, (), True, []),
        ("-", True, (), True, [(1, True)]),
        ("-", True, (), False, []),
        # With its start a single job has its kind found anew.
        ("-", True, (1,), True, []),
        ("t", True, (1,), True, [(1, False)]),
        ("t", True, (), True, []),
        ("--", True, (1,), True, [(1, True), (2, True)]),
        ("t-", True, (1,), True, [(2, True)]),
        ("tt", True, (1,), True, []),
        # Where nobody was tried those go by it that have come since.
        ("t-", True, (), False, [(2, True)]),
        ("t-t", False, (), True, []),
    ],
)
def test_who_tells_something_else(
    telling: str, rejected: bool, started: tuple[int, ...], tried: bool, changes: list[tuple[int, bool]]
) -> None:
    category, known = jobs_of_kind(telling)
    kinds = RejectedCategories()
    for each in known:
        kinds.add(each)
    kinds.begin_run()
    assert category.reservation_rejected is ("t" in telling)
    category.reservation_rejected = rejected
    assert [(job.id, told) for job, told in kinds.changes(started, has_tried=tried)] == changes
    for each in known:
        kinds.remove(each)
    assert not any(vars(kinds).values())


def test_a_job_tells_what_it_tells_now() -> None:
    category, (silent,) = jobs_of_kind("-")
    telling: Any = SimpleNamespace(job=SimpleNamespace(id=1, reservation_rejected=True), profile=silent.profile)
    kinds = RejectedCategories()
    kinds.add(silent)
    for before, after in ((silent, telling), (telling, silent), (silent, telling)):
        kinds.replace(before, after)
        kinds.begin_run()
        assert category.reservation_rejected is after.job.reservation_rejected
    kinds.remove(telling)
    assert not any(vars(kinds).values())
