"""What happens in a simulated day takes no more steps where more jobs wait: steps are counted, of Python alone."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from qmon_tui.incremental import RunChain, state_after
from qmon_tui.incremental.lazy_run import LazyRun
from qmon_tui.model import Cluster, State
from qmon_tui.qmaster import submit
from qmon_tui.qmaster.transition import TaskArrived, TaskEnded, after_event
from tests.unit.growth.test_growth import steps
from tests.unit.scheduler.building import NOW, cluster, host, job, queue, scheduler

FEW, MANY = 100, 400
CHAIN = RunChain()
ALLOWED = 1.2


def full_cluster() -> Cluster:
    return cluster(host("h1"), queue("all.q", "h1", 2), scheduler(weight_tickets_functional=0))


def with_waiting(on: Cluster, count: int) -> State:
    """Two jobs run, so many wait, and two runs have passed."""
    state = State(now=NOW, jobs=tuple(job(number, submitted=NOW - 1000 + number) for number in range(1, count + 3)))
    state = state_after(CHAIN.next_run(on, state))
    for number in (1, 2):
        state = after_event(on, state, TaskArrived(number, 1), at=NOW + 1)
    return state_after(CHAIN.next_run(on, replace(state, now=NOW + 15)))


def steps_of_submission(on: Cluster, state: State) -> int:
    def comes() -> None:
        assert CHAIN.events_together(on, state).comes(job(900, submitted=NOW + 16), NOW + 16)

    return steps(comes)


def steps_of_end(on: Cluster, state: State) -> int:
    def ends() -> None:
        assert CHAIN.events_together(on, state).ends(TaskEnded(1, 1), NOW + 16)

    return steps(ends)


def steps_of_run(on: Cluster, state: State) -> int:
    """One has ended, so that the next one starts."""
    ended = after_event(on, state, TaskEnded(1, 1), at=NOW + 16)
    ended = submit(on, ended, job(900, submitted=NOW + 16)).state

    def run() -> None:
        made = CHAIN.next_run(on, replace(ended, now=NOW + 30))
        assert isinstance(made, LazyRun)
        assert len(made.started) == 1
        state_after(made)

    return steps(run)


@pytest.mark.parametrize("work", [steps_of_submission, steps_of_end, steps_of_run], ids=lambda work: str(work.__name__))
def test_a_step_of_a_day_takes_as_many_steps_whoever_waits(work: Callable[[Cluster, State], int]) -> None:
    on = full_cluster()
    work(on, with_waiting(on, FEW + 1))  # what is done only once is not counted
    few, many = (work(on, with_waiting(on, count)) for count in (FEW, MANY))
    assert many < few * ALLOWED, f"{few} steps, then {many}"
