"""What a run leaves to the next one: each run is the plain one, and tries nobody where nothing can have changed."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from importlib import import_module
from typing import Any

import pytest

from qmon_tui.model import Cluster, Kind, State, config_object
from qmon_tui.qmaster import Run, next_run, simulate
from qmon_tui.qmaster.commands import InstanceCommand, Target, change_instances, hold, new_job, release, submit
from qmon_tui.qmaster.next_run import QuickRun
from qmon_tui.qmaster.next_run.left_by_run import LeftByRun
from qmon_tui.qmaster.transition import TaskArrived, TaskEnded, after_event, after_run
from qmon_tui.scheduler.dispatch import prepare_dispatch
from qmon_tui.simulation.backfilling import backfilled_in
from tests.unit.qmaster.runs_in_a_row import told
from tests.unit.scheduler.building import (
    NOW,
    attribute,
    cluster,
    environment,
    host,
    job,
    project,
    queue,
    running,
    scheduler,
    sharetree,
    user,
)

OBJECTS = (
    attribute("lic lic INT <= YES YES 0 100"),
    host("global", "lic=2"),
    environment("mpi"),
    environment("own", control_slaves="TRUE"),
    project("blue", fshare=50),
    user("anna", fshare=100),
    user("bob", fshare=300),
)
SMALL = (queue("a.q", "h1", 2, pe_list="mpi own"),)
MINUTE = NOW - NOW % 60
BREAK = "-".join(datetime.fromtimestamp(MINUTE + seconds).strftime("%H:%M") for seconds in (60, 120))
TICKETS = {"weight_tickets_functional": 1000, "weight_ticket": 2, "halftime": 1}

EMPTY = State(now=NOW)

Step = tuple[str, str, bool]
"""What happens before a run, which tasks that starts, and whether it tries any job."""
ROWS: dict[str, tuple[Cluster, Sequence[Step]]] = {
    "full": (
        cluster(*OBJECTS, *SMALL),
        [
            ("", "", False),
            ("submit", "1.1", True),
            ("submit; submit", "2.1", True),
            ("", "", False),
            ("arrive 1; arrive 2", "", False),
            ("submit -h", "", False),
            ("end 1", "3.1", True),
            ("end 2; end 3", "", False),
            ("release 4", "4.1", True),
        ],
    ),
    "nobody fits": (
        cluster(*OBJECTS, *SMALL),
        [
            ("submit -l lic=2; submit -l lic=1; submit", "1.1 3.1", True),
            ("end 3", "", True),
            ("", "", False),
            ("arrive 1", "", False),
            ("submit -h", "", False),
            ("submit -l lic=2", "", True),
            ("", "", False),
            ("hold 2", "", False),
            ("release 2; end 1", "5.1", True),
            ("", "", True),
            ("", "", False),
        ],
    ),
    "one job of each user": (
        cluster(*OBJECTS, queue("a.q", "h1 h2", 4), scheduler(maxujobs=1)),
        [
            ("submit; submit; submit by bob", "1.1 3.1", True),
            ("submit by bob", "", True),
            ("end 1", "2.1", True),
            ("end 2", "", True),
        ],
    ),
    "parallel": (
        cluster(*OBJECTS, queue("a.q", "h1 h2", 2, pe_list="mpi own")),
        [
            ("submit -pe mpi 2", "1.1", True),
            ("submit -pe own 3; submit -pe mpi 1", "3.1", True),
            ("", "", True),
            ("end 1", "2.1", True),
            ("submit", "", False),
            ("end 3", "4.1", True),
            ("end 2", "", False),
            ("submit -pe mpi 1-4", "5.1", True),
            ("submit -pe mpi 1-4", "", False),
            ("", "", False),
            ("", "", False),
        ],
    ),
    "tickets": (
        cluster(*OBJECTS, queue("a.q", "h1 h2", 2), scheduler(**TICKETS)),
        [
            ("submit -t 1-3 by anna; submit -t 1-3 by bob; submit -P blue by carl", "2.1 3.1 2.2 1.1", True),
            ("end 1; end 2", "2.3 1.2", True),
            ("end 2.2", "1.3", True),
            ("end 3", "", False),
        ],
    ),
    "a share tree": (
        cluster(
            *OBJECTS,
            queue("a.q", "h1", 2),
            sharetree(anna=10, bob=20),
            scheduler(weight_tickets_share=1000, weight_ticket=2, halftime=1),
        ),
        [
            ("submit by anna; submit by anna; submit by bob; submit by bob", "3.1 1.1", True),
            ("", "", False),
            ("end 2", "", False),
            ("end 1", "4.1", True),
            ("end 4", "2.1", True),
        ],
    ),
    "override tickets": (
        cluster(*OBJECTS, queue("a.q", "h1", 1), user("olga", oticket=5), scheduler(weight_ticket=2)),
        [
            ("submit by anna; submit by olga; submit by anna; submit by olga", "2.1", True),
            ("end 1", "", False),
            ("submit by olga; end 2", "4.1", True),
            ("end 4", "5.1", True),
            ("end 5", "1.1", True),
            ("end 3", "", False),
        ],
    ),
    "arrays": (
        cluster(*OBJECTS, queue("a.q", "h1", 3), scheduler(max_pending_tasks_per_job=2)),
        [
            ("submit -t 1-5; submit -p -1", "1.1 1.2 1.3", True),
            ("end 1.2", "1.4", True),
            ("end 1.1; end 1.3", "1.5 2.1", True),
            ("end 1.4", "", False),
            ("end 2; submit -t 1-4 -tc 2", "3.1 3.2", True),
            ("end 1.5; end 3.1", "", False),
            ("end 3.2; end 3.3; end 3.4", "3.3", True),
            ("", "3.4", True),
        ],
    ),
    "one waits for another": (
        cluster(*OBJECTS, queue("a.q", "h1", 4)),
        [
            ("submit; submit -hold_jid 1; submit -hold_jid 2", "1.1", True),
            ("", "", False),
            ("end 1", "2.1", True),
            ("", "", False),
            ("end 2", "3.1", True),
            ("", "", False),
            ("end 3", "", False),
            ("", "", False),
            ("submit", "4.1", True),
        ],
    ),
    "loads": (
        cluster(*OBJECTS, queue("a.q", "h1 h2", 1, load_thresholds="np_load_avg=2")),
        [
            ("submit; submit", "", False),
            ("load h1 3; end 1; end 2; submit; submit", "", False),
            ("", "", False),
            ("load h2 3", "", False),
            ("load h1 1", "1.1", True),
            ("load h2 1", "2.1", True),
        ],
    ),
    "letters": (
        cluster(*OBJECTS, queue("a.q", "h1 h2", 1)),
        [
            ("disable a.q@h1; submit; submit", "1.1", True),
            ("", "", False),
            ("disable a.q@h2; end 1", "", False),
            ("", "", False),
            ("enable a.q@h1", "2.1", True),
            ("", "", False),
        ],
    ),
    "reservations": (
        cluster(
            *OBJECTS, queue("a.q", "h1", 2, pe_list="mpi own"), scheduler(max_reservation=2, default_duration="1:0:0")
        ),
        [
            ("submit -l h_rt=600", "1.1", True),
            ("submit -R y -pe mpi 2 -l h_rt=100; submit -l h_rt=900; submit -l h_rt=100", "4.1", True),
            ("", "", True),
            ("", "", False),
            ("end 4", "", True),
            ("submit -l h_rt=500", "5.1", True),
            ("", "", True),
            ("end 1", "", True),
            ("end 5", "2.1", True),
            ("end 2", "3.1", True),
            ("", "", False),
            ("submit -R y -l lic=2,h_rt=50; submit -R y -l lic=2,h_rt=50", "6.1", True),
            ("end 3", "", True),
            ("", "", True),
            ("end 6", "7.1", True),
        ],
    ),
    "subordinates": (
        cluster(
            *OBJECTS,
            queue("high.q", "h1 h2", 2, subordinate_list="low.q=1,lower.q"),
            queue("low.q", "h1", 2),
            queue("lower.q", "h1 h2", 1, subordinate_list="last.q"),
            queue("last.q", "h2", 1),
        ),
        [
            ("submit -q low.q; submit -q lower.q@h1; submit -q last.q", "1.1 2.1 3.1", True),
            ("arrive 1", "", False),
            ("submit -q high.q@h1; submit -q low.q", "4.1", True),
            ("", "", True),
            ("submit -q high.q@h1", "6.1", True),
            ("arrive 4; arrive 6; arrive 2", "", True),
            ("end 1", "", True),
            ("end 4", "", True),
            ("submit -q high.q@h2; submit -q lower.q@h2", "7.1 8.1", True),
            ("end 6", "5.1", True),
            ("end 2; end 3; submit -q last.q", "", True),
            ("end 8; end 7", "9.1", True),
            ("disable low.q@h1; submit -q low.q@h1", "", True),
            ("submit -q high.q@h1", "11.1", True),
            ("enable low.q@h1", "", True),
            ("end 11", "10.1", True),
        ],
    ),
    "slot-wise subordinates": (
        cluster(
            *OBJECTS,
            queue("high.q", "h1 h2", 4, subordinate_list="slots=3(low.q:1:sr,lower.q:2:lr)"),
            queue("low.q", "h1 h2", 4),
            queue("lower.q", "h1", 4),
        ),
        [
            ("submit -q low.q@h1; submit -q lower.q; submit -q low.q@h2", "1.1 2.1 3.1", True),
            ("arrive 1; arrive 2", "", False),
            ("submit -q high.q@h1; submit -q high.q@h1", "4.1 5.1", True),
            ("", "", False),
            ("submit -q high.q@h1", "6.1", True),
            ("submit -q low.q@h1; arrive 4", "7.1", True),
            ("end 4", "", False),
            ("end 5", "", False),
            ("end 6", "", False),
            ("submit -t 1-4 -q high.q@h2", "8.1 8.2 8.3 8.4", True),
            ("end 2; end 8.1; end 8.2", "", False),
        ],
    ),
    "a calendar": (
        cluster(
            *OBJECTS,
            config_object(Kind.CALENDAR, "break", {"calendar_name": "break", "week": f"mon-sun={BREAK}=suspended"}),
            queue("a.q", "h1", 1),
            queue("b.q", "h1", 2, calendar="break"),
        ),
        [
            ("submit -q b.q; submit -q a.q; submit", "1.1 2.1 3.1", True),
            ("arrive 1", "", False),
            ("", "", False),
            ("end 3; submit -q b.q; submit -q b.q", "", False),
            ("", "", False),
            ("", "4.1", True),
            ("", "", False),
            ("", "", False),
            ("arrive 4; end 1", "5.1", True),
            ("", "", False),
        ],
    ),
}


class Row:
    """Runs, each of which is compared with the plain one."""

    def __init__(self, on: Cluster, monkeypatch: pytest.MonkeyPatch, state: State = EMPTY) -> None:
        self.on = on
        self.quick = self.plain = state
        self.tried = 0

        def counted(*given: Any) -> object:
            self.tried += 1
            return prepare_dispatch(*given)

        monkeypatch.setattr(import_module(LeftByRun.__module__), "prepare_dispatch", counted)

    def happens(self, what: str) -> None:
        self.quick, self.plain = (happened(self.on, state, what) for state in (self.quick, self.plain))

    def run(self, after: int = 15) -> tuple[str, bool]:
        """The tasks that are started, and whether any job was tried."""
        self.quick, self.plain = (replace(state, now=state.now + after) for state in (self.quick, self.plain))
        tried = self.tried
        quick, plain = next_run(self.on, self.quick), simulate(self.on, self.plain, fast=False)
        assert isinstance(quick, QuickRun)
        assert_same(quick, plain)
        tried = self.tried - tried
        self.quick, self.plain = after_run(quick), after_run(plain)
        return " ".join(f"{job}.{task}" for job, task in quick.started), bool(tried)


def assert_same(quick: QuickRun, plain: Run) -> None:
    assert list(quick.started) == list(plain.started)
    assert list(quick.reserved) == list(plain.reserved)
    assert backfilled_in(quick) == backfilled_in(plain)
    assert told(after_run(quick)) == told(after_run(plain))


def happened(on: Cluster, state: State, what: str) -> State:
    command, _, rest = what.partition(" ")
    number, _, task = rest.partition(".")
    if command == "submit":
        options, _, owner = f" {rest}".partition(" by ")
        return submit(on, state, new_job(state, owner or "anna", f"{options} sleep 60".strip())).state
    if command in ("arrive", "end"):
        key = int(number), int(task or 1)
        event = TaskArrived(*key) if command == "arrive" else TaskEnded(*key, (("cpu", 5.0),))
        return after_event(on, state, event, at=state.now)
    if command in ("hold", "release"):
        return (hold if command == "hold" else release)(on, state, Target(int(number))).state
    if command == "load":
        name, _, load = rest.partition(" ")
        return replace(state, loads={**state.loads, name: {"np_load_avg": load}})
    return change_instances(on, state, InstanceCommand[command.upper()], [rest]).state


@pytest.mark.parametrize("name", ROWS)
def test_runs_in_a_row(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    on, steps = ROWS[name]
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
