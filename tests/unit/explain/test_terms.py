"""The sentences about the terms of a priority: numbers as qstat's columns have them, and the ends of the scales."""

import pytest

from qmon_tui.explain import Bound, PriorityTerm
from qmon_tui.explain.explainer import explain
from qmon_tui.model.cluster import Cluster
from qmon_tui.model.jobs import Job
from qmon_tui.scheduler.priority.formulas import FORMULAS, GRID_ENGINE, Formulas
from tests.unit.scheduler.building import attribute, cluster, job, queue, running, scheduler, state, user

ON = cluster(attribute("n n DOUBLE <= YES NO 0 1"), queue("all.q", "h1", 1))


def terms(on: Cluster, number: int, *jobs: Job, formulas: Formulas = GRID_ENGINE) -> tuple[PriorityTerm, ...]:
    return explain(on, state(jobs), number, None, formulas=formulas).terms


@pytest.mark.parametrize("name", FORMULAS)
def test_the_ends_of_posix_priorities_are_those_that_it_may_have(name: str) -> None:
    posix = terms(ON, 2, job(1), job(2, "-p -512"), formulas=FORMULAS[name])[2]
    assert (posix.lowest, posix.highest) == (Bound(-1024), Bound(1024))


@pytest.mark.parametrize(
    ("amounts", "words"),
    [
        ((60, 3_600_060), "1060 lies between 1060 (job 1) and 3601060 (job 2)"),
        ((1, 200_000_000), "1001 lies between 1001 (job 1) and 2e+08 (job 2)"),
        ((0.25, 9.75), "1000 lies between 1000 (job 1) and 1010 (job 2)"),
        ((0.25, 0.375), "1000.25000 lies between 1000.25000 (job 1) and 1000.37500 (job 2)"),
    ],
)
def test_urgencies_are_told_as_qstat_prints_them(amounts: tuple[float, float], words: str) -> None:
    jobs = [job(number, f"-l n={amount}") for number, amount in enumerate(amounts, 1)]
    assert words in terms(ON, 1, *jobs)[0].explanation


def test_the_largest_urgency_is_told_as_qstat_prints_it_where_0_is_in_the_middle() -> None:
    jobs = (job(1, "-l n=3600060"), job(2))
    assert "1000 of 3601060 (job 1)" in terms(ON, 2, *jobs, formulas=FORMULAS["zero-centred"])[0].explanation


def test_negative_urgencies_are_told_as_qstat_prints_them() -> None:
    on = cluster(attribute("n n INT <= YES NO 0 -1"), queue("all.q", "h1", 1))
    term = terms(on, 1, job(1, "-l n=3601000"), job(2, "-l n=4601000"))[0]
    assert "-3600000 lies between -4600000 (job 2) and 0." in term.explanation


def test_tickets_are_told_without_their_fractions() -> None:
    on = cluster(queue("all.q", "h1", 1), scheduler(weight_tickets_functional=500), user("anna", fshare=7))
    priority_terms = terms(on, 3, running(1, "all.q@h1"), job(2), job(3))
    assert "41 of 500 tickets" in priority_terms[1].explanation
    priority_terms = terms(on, 2, running(1, "all.q@h1"), job(2), job(3))
    assert "62 of 500 tickets" in priority_terms[1].explanation


def test_a_job_that_is_alone_is_compared_with_none() -> None:
    assert terms(ON, 1, job(1))[0].explanation == "There is no other pending or running job, so it gets 0.5."
