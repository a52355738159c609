"""Runs in a row say what plain runs say that know nothing of each other, whatever happens between them."""

import pickle
from dataclasses import replace
from random import Random

import pytest

from qmon_tui.incremental import RunChain, state_after
from qmon_tui.incremental.lazy_run import LazyRun
from qmon_tui.model import LaterNumbers, State, Task
from qmon_tui.qmaster import JobCommand, Target, build_outcome, modify, simulate
from qmon_tui.qmaster.transition import TaskArrived, after_event
from tests.examples import one_in
from tests.unit.incremental.runs_in_a_row import OPTIONS, OWNERS, STEPS, compared_runs, drawn_cluster, drawn_state, told
from tests.unit.scheduler.building import NOW, attribute, cluster, environment, host, job, queue, scheduler, user

RESERVING_OPTIONS = (
    "-R y", "-R y -l h_rt=300", "-R y -l mem=5G,h_rt=200", "-R y -pe mpi 4-6 -l h_rt=600", "-R y -pe smp 2",
    "-R y -pe mpi 2-4 -l disk=1,h_rt=60", "-R y -pe * 2 -l mem=2G", "-R y -t 1-4 -l h_rt=100", "-R y -l lic=2",
    "-R y -l ex -p 20", "-l ex,h_rt=100", "-R y -l mem=9G -p 5", "-R y -soft -l mem=4G", "-l h_rt=30", "-l h_rt=600",
    *OPTIONS,
)  # fmt: skip

CALM_OPTIONS = (
    "-l h_rt=9000", "-l h_rt=20000", "-R y -pe mpi 6 -l h_rt=6000", "-R y -pe mpi 10 -l h_rt=600 -p 10",
    "-R y -l mem=5G,h_rt=7000 -p 20", "-pe mpi 3 -l h_rt=7200", "-l mem=2G,h_rt=9000", "-R y -pe smp 2 -l h_rt=500",
)  # fmt: skip
"""Longer than a session, so that mostly nothing ends in time."""


@pytest.fixture
def chain() -> RunChain:
    return RunChain()


@pytest.mark.parametrize("seed", one_in(3, range(32)))
def test_runs_in_a_row_are_plain_runs(seed: int) -> None:
    random = Random(seed)
    on = drawn_cluster(random)
    odd = seed % 2 == 1
    quick_runs = compared_runs(random, on, drawn_state(random), odd=odd)
    assert quick_runs == STEPS or odd


@pytest.mark.parametrize("seed", one_in(3, range(32)))
def test_runs_with_reservations_in_a_row_are_plain_runs(seed: int) -> None:
    random = Random(seed)
    kinds = ("EXCL YES YES 0", "EXCL YES YES 1", "== YES NO 0", "== YES NO 0")
    exclusive = attribute(f"ex ex BOOL {random.choice(kinds)}")
    policy = {"max_reservation": random.choice((1, 2, 10)), "default_duration": random.choice(("0:10:0", "INFINITY"))}
    on = drawn_cluster(random, exclusive, host("h2", "mem=6G,disk=2,ex=TRUE,lic=1"), **policy)
    odd = seed % 2 == 1
    quick_runs = compared_runs(random, on, drawn_state(random), RESERVING_OPTIONS, odd=odd)
    assert quick_runs == STEPS or odd


@pytest.mark.parametrize("seed", range(10))
def test_runs_with_reservations_are_plain_runs_while_only_time_passes(seed: int) -> None:
    random = Random(seed)
    on = cluster(
        attribute("mem mem MEMORY <= YES YES 0"),
        *(host(f"h{number}", "mem=6G") for number in range(1, 4)),
        queue("a.q", "h1 h2 h3", random.choice((2, 4)), pe_list="mpi smp"),
        environment("mpi"),
        environment("smp", "$pe_slots"),
        *(user(owner, fshare=random.choice((0, 100, 300))) for owner in OWNERS),
        scheduler(
            max_reservation=random.choice((1, 2, 10)),
            weight_waiting_time=random.choice(("0", "0.01")),
            weight_tickets_functional=random.choice((0, 1000)),
            schedd_job_info=random.choice(("true", "false")),
        ),
    )
    assert compared_runs(random, on, State(now=NOW), CALM_OPTIONS, calm=True) == STEPS


def test_numbers_of_what_stands_still_are_those_of_the_last_run_before(chain: RunChain) -> None:
    """The plain run that follows asks for them, and writes them down."""
    on = cluster(queue("all.q", "h1", 2), user("anna", fshare=100), scheduler(weight_tickets_functional=1000))
    state = state_after(chain.next_run(on, State(now=NOW, jobs=(job(1), job(2)))))
    state = after_event(on, state, TaskArrived(1, 1), at=NOW + 1)
    state = state_after(chain.next_run(on, replace(state, now=NOW + 15)))
    assert isinstance(state.jobs[0].tasks[1].tickets, LaterNumbers)
    shown = state.numbers_of(1, 1, state.jobs[0].tasks[1])
    assert shown is not None
    assert shown["ftckt"] == 500.0
    suspended = modify(on, state, JobCommand.SUSPEND, Target(1)).state
    after = state_after(chain.next_run(on, replace(suspended, now=NOW + 30)))
    assert after.jobs[0].tasks[1].tickets == shown


def test_a_state_is_the_same_once_it_was_written_down(chain: RunChain) -> None:
    on = cluster(queue("all.q", "h1", 1), user("anna", fshare=100), scheduler(weight_tickets_functional=1000))
    state = state_after(chain.next_run(on, State(now=NOW, jobs=(job(1), job(2)))))
    again: State = pickle.loads(pickle.dumps(state))
    assert again == state
    assert told(state_after(chain.next_run(on, replace(again, now=NOW + 15)))) == told(
        state_after(simulate(on, replace(state, now=NOW + 15)))
    )


def test_a_run_can_be_written_down_and_read_again(chain: RunChain) -> None:
    on = cluster(queue("all.q", "h1", 1))
    run = chain.next_run(on, State(now=NOW, jobs=(job(1), job(2))))
    assert isinstance(run, LazyRun)
    again = pickle.loads(pickle.dumps(run))
    assert again.started == run.started == [(1, 1)]
    assert build_outcome(again.full()) == build_outcome(run.full())


@pytest.mark.parametrize(
    ("first", "second", "quick"),
    [(NOW - 50, NOW - 50, False), (NOW - 50, NOW - 49, True), (None, None, False), (None, 1, True)],
)
def test_where_it_is_not_known_which_of_two_was_started_first_the_plain_run_is_made(
    first: float | None, second: float | None, quick: bool, chain: RunChain
) -> None:
    on = cluster(queue("all.q", "h1 h2", 4))
    one = job(1, "-p -10", tasks={1: Task("r", {"all.q@h1": 1}, first)})
    other = job(2, tasks={1: Task("r", {"all.q@h2": 1}, second)})
    state = State(now=NOW, jobs=(one, other, job(3)))
    run = chain.next_run(on, state)
    assert isinstance(run, LazyRun) is quick
    assert state_after(run).jobs[2].tasks[1].granted == state_after(simulate(on, state)).jobs[2].tasks[1].granted


def test_a_number_drawn_last_is_forgotten_where_a_higher_one_is_there(chain: RunChain) -> None:
    on = cluster(queue("a.q", "h1", 4))
    given = State(now=NOW, jobs=(job(3, "-h"), job(5, "-h")))
    chain.next_run(on, given)
    # Jobs of a workload come in whatever order.
    given = replace(given, jobseqnum=3)
    quick, plain = chain.next_run(on, given), simulate(on, given, fast=False)
    assert isinstance(quick, LazyRun)
    assert state_after(quick).jobseqnum == state_after(plain).jobseqnum == 0


def test_full_runs_follow_a_failure_twice_as_many_each_time(chain: RunChain) -> None:
    on, followed = cluster(queue("all.q", "h1", 1)), State(now=NOW, jobs=(job(1),))
    failing = replace(followed, jobs=(job(1, "-now y"),))
    kinds = []
    for state in (failing, followed, failing, followed, followed, followed, failing, followed, followed):
        kinds.append(isinstance(chain.next_run(on, state), LazyRun))
    assert kinds == [False, False, False, False, False, True, False, False, True]


def test_a_chain_begins_again_with_another_configuration(chain: RunChain) -> None:
    on, failing = cluster(queue("all.q", "h1", 1)), State(now=NOW, jobs=(job(1, "-now y"),))
    assert not isinstance(chain.next_run(on, failing), LazyRun)
    other = on.with_objects([queue("all.q", "h1", 2)])
    run = chain.next_run(other, State(now=NOW, jobs=(job(1), job(2))))
    assert isinstance(run, LazyRun)
    assert run.started == [(1, 1), (2, 1)]
