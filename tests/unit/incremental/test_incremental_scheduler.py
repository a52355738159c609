"""What a run leaves to the next one: each run is the plain one, and tries nobody where nobody can start."""

from dataclasses import replace
from importlib import import_module
from typing import Any

import pytest

from qmon_tui.incremental import RunChain, state_after
from qmon_tui.incremental.incremental_scheduler import IncrementalScheduler, _with_changes
from qmon_tui.incremental.latest_moments import LatestMoments
from qmon_tui.incremental.lazy_run import LazyRun
from qmon_tui.model import Cluster, State
from qmon_tui.qmaster import simulate
from qmon_tui.qmaster.transition import TaskEnded, after_event
from qmon_tui.scheduler import session_of
from qmon_tui.scheduler.dispatch import prepare_dispatch
from tests.unit.incremental.rows_of_runs import EMPTY, OBJECTS, ROWS
from tests.unit.incremental.rows_with_reservations import RESERVING
from tests.unit.incremental.runs_in_a_row import assert_same, happened
from tests.unit.scheduler.building import (
    NOW,
    cluster,
    job,
    queue,
    running,
)


class Row:
    """Runs, each of which is compared with the plain one."""

    def __init__(self, on: Cluster, monkeypatch: pytest.MonkeyPatch, state: State = EMPTY) -> None:
        self.on = on
        self.quick = self.plain = state
        self.chain = RunChain()
        self.tried = 0

        def counted(*given: Any) -> object:
            self.tried += 1
            return prepare_dispatch(*given)

        monkeypatch.setattr(import_module(IncrementalScheduler.__module__), "prepare_dispatch", counted)

    def happens(self, what: str) -> None:
        self.quick, self.plain = (happened(self.on, state, what) for state in (self.quick, self.plain))

    def run(self, after: int = 15) -> tuple[str, bool]:
        """The tasks that are started, and whether any job was tried."""
        self.quick, self.plain = (replace(state, now=state.now + after) for state in (self.quick, self.plain))
        tried = self.tried
        quick, plain = self.chain.next_run(self.on, self.quick), simulate(self.on, self.plain, fast=False)
        assert isinstance(quick, LazyRun)
        assert_same(quick, plain, outcome=False)
        tried = self.tried - tried
        self.quick, self.plain = state_after(quick), state_after(plain)
        return " ".join(f"{job}.{task}" for job, task in quick.started), bool(tried)


@pytest.mark.parametrize("name", [*ROWS, *RESERVING])
def test_runs_in_a_row(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    on, steps = (ROWS | RESERVING)[name]
    row = Row(on, monkeypatch)
    for number, (events, started, tried) in enumerate(steps):
        for what in events.split("; "):
            if what:
                row.happens(what)
        assert (number, *row.run()) == (number, started, tried)


SUBORDINATES = (queue("high.q", "h1", 4, subordinate_list="low.q=1"), queue("low.q", "h1", 4))


def test_a_state_need_not_tell_who_stands_still(monkeypatch: pytest.MonkeyPatch) -> None:
    jobs = (running(1, "high.q@h1", changed=None), running(2, "low.q@h1"), job(3, "-q low.q"))
    jobs = (jobs[0], replace(jobs[1], tasks={1: replace(jobs[1].tasks[1], started=NOW - 50)}), jobs[2])
    row = Row(cluster(*SUBORDINATES), monkeypatch, State(now=NOW, jobs=jobs))
    for _ in range(2):
        assert row.run()[0] == ""
        assert row.quick.queue_states == {"low.q@h1": "S"}
        assert [job.tasks[1].state for job in row.quick.jobs if job.tasks] == ["r", "S"]
    row.happens("end 1")
    assert row.run() == ("3.1", True)


def test_what_a_start_sends_is_seen_as_it_stands_then(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first start suspends the other queue instance, which is sent with the second one."""
    jobs = (job(1, "-q high.q"), job(2, "-q low.q"))
    row = Row(cluster(*SUBORDINATES), monkeypatch, State(now=NOW, jobs=jobs, seen_suspended=frozenset({"low.q@h1"})))
    assert row.run()[0] == "1.1 2.1"
    assert row.quick.seen_suspended == {"low.q@h1"}
    row.happens("submit -q high.q")
    assert row.run()[0] == "3.1"
    assert row.quick.seen_suspended == {"low.q@h1"}
    for what in ("end 1", "end 3", "end 2", "submit -q low.q"):
        row.happens(what)
    assert row.run()[0] == "4.1"
    assert row.quick.seen_suspended == frozenset()


def test_what_is_started_and_suspended_in_one_run_hides_nothing_behind_it(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = queue("high.q", "h1", 4, subordinate_list="slots=2(low.q:1:sr)")
    row = Row(cluster(tree, queue("low.q", "h1", 4)), monkeypatch)
    row.happens("submit -h -q low.q")
    row.happens("submit -q low.q")
    assert row.run()[0] == "2.1"
    for what in ("release 1", "submit -q high.q", "submit -q high.q"):
        row.happens(what)
    assert row.run()[0] == "1.1 3.1 4.1"
    assert [job.tasks[1].state for job in row.quick.jobs] == ["St", "St", "t", "t"]


def test_where_suspend_thresholds_halt_something_the_plain_run_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = {"suspend_thresholds": "np_load_avg=2", "nsuspend": "1", "suspend_interval": "0:0:30"}
    row = Row(cluster(queue("a.q", "h1 h2", 2, **limits)), monkeypatch)
    row.happens("load h1 1")
    row.happens("submit -q a.q@h1")
    assert row.run() == ("1.1", True)
    row.happens("load h1 3")
    halted = row.chain.next_run(row.on, row.quick)
    assert not isinstance(halted, LazyRun)
    assert [job.tasks[1].state for job in state_after(halted).jobs] == ["Tt"]


@pytest.mark.parametrize("order", [(1, 2, 3, 4), (4, 2, 1, 3)])
def test_jobs_that_a_run_has_changed_stay_in_their_places(order: tuple[int, ...]) -> None:
    """Those of a state that is read need not be in the order of their numbers."""
    jobs = {number: job(number) for number in order}
    changed = {number: replace(job(number), name="changed") for number in (1, 3)}
    after = _with_changes(tuple(jobs.values()), changed, {2})
    assert [(one.id, one.name) for one in after] == [
        (number, "changed" if number in changed else jobs[number].name) for number in order if number != 2
    ]


def test_nothing_is_kept_of_what_is_gone() -> None:
    on = cluster(*OBJECTS, queue("a.q", "h1", 1, pe_list="mpi"))
    left = IncrementalScheduler(session_of(on), EMPTY, LatestMoments())
    jobs = (job(1), job(2), job(3, "-pe mpi 2", reservation_rejected=True), job(4, "-hold_jid 1"))
    state = left.next_run(replace(EMPTY, jobs=jobs)).after
    known = vars(left)
    assert (known["_waiting"].keys(), known["_parallel"]) == ({2, 3}, {3})
    assert not known["_ended"]
    assert not known["_suspended"]
    for _ in range(2):
        state = left.next_run(replace(state, jobs=state.jobs[:1], now=state.now + 15)).after
    assert not any(known[name] for name in ("_waiting", "_parallel", "_ended", "_suspended"))
    assert [run_job.id for run_job in known["_jobs"].listed] == [1]
    kinds, order = vars(known["_rejected_categories"]), vars(known["_order"])
    assert (len(kinds["_categories"]), kinds["_telling"], len(kinds["_silent"])) == (1, {}, 1)
    assert (len(order["_times"]), len(order["_running"])) == (1, 1)
    assert left.next_run(after_event(on, state, TaskEnded(1, 1), at=state.now + 15)).after.jobs == ()
    assert not any(kinds.values())
    assert not order["_times"]
    assert not order["_running"]


def test_starts_of_two_runs_in_one_second_come_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    row = Row(cluster(queue("a.q", "h1", 9)), monkeypatch)
    for expected in ("1.1", "2.1 3.1", "4.1"):
        for _ in expected.split():
            row.happens("submit")
        assert row.run(after=0) == (expected, True)
    starts = [job.tasks[1].started or 0 for job in row.quick.jobs]
    assert starts == sorted(set(starts))


@pytest.mark.parametrize("numbers", [{"jobseqnum": 3}, {"jobseqnum": 7}, {"arseqnum": 4}, {}])
def test_the_number_that_was_drawn_last_is_known_after_a_start(
    numbers: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    row = Row(cluster(queue("a.q", "h1", 9)), monkeypatch, replace(EMPTY, jobs=(job(5),), **numbers))
    assert row.run() == ("5.1", True)
    assert row.quick.jobseqnum == (7 if numbers.get("jobseqnum") == 7 else 0)
    row.happens("end 5")
    row.run()
    assert row.quick.jobseqnum == (7 if numbers.get("jobseqnum") == 7 else 5)
