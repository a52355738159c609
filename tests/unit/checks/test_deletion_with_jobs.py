"""Deletions that jobs and advance reservations stand in the way of; `promising` has what a real one was asked."""

import pytest

from qmon_tui.checks import deletion_refusals
from qmon_tui.model.jobs import AdvanceReservation, Task
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import State
from tests.unit.scheduler.building import NOW, cluster, environment, job, queue, running, state

QUEUES = cluster(queue("a.q", "h1"), queue("b.q", "h1"), environment("mpi"), environment("smp"))
DENIED = "There are still running jobs in the queue. Deletion denied."


def said(before: State, kind: Kind, name: str) -> list[str]:
    return [finding.message for finding in deletion_refusals(QUEUES, kind, name, before)]


@pytest.mark.parametrize("letters", ["r", "s", "t", "dr", "T"])
def test_a_queue_in_which_something_runs_or_is_suspended_stays(letters: str) -> None:
    before = state([job(1, tasks={1: Task(letters, {"a.q@h1": 1}, NOW - 5)}), job(2, "-q b.q")])
    assert said(before, Kind.QUEUE, "a.q") == [DENIED]
    assert said(before, Kind.QUEUE, "b.q") == []


@pytest.mark.parametrize(("letter", "stays"), [("w", True), ("r", True), ("E", True), ("X", False), ("d", False)])
def test_a_queue_that_was_granted_stays_as_long_as_that_is_not_over(letter: str, stays: bool) -> None:
    reservation = AdvanceReservation(1, "anna", NOW + 60, NOW + 120, {"a.q@h1": 1}, letter)
    assert said(state([], reservations=(reservation,)), Kind.QUEUE, "a.q") == ([DENIED] if stays else [])


def test_an_environment_that_a_job_asks_for_by_a_pattern_stays() -> None:
    before = state([running(1, "a.q@h1"), job(2, "-pe m* 2", tasks={1: Task("hqw")})])
    assert said(before, Kind.PE, "mpi") == ['denied: Parallel environment "mpi" is still referenced in job 2.']
    assert said(before, Kind.PE, "smp") == []
