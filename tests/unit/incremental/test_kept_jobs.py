"""Jobs that are kept when queues or hosts are edited: of which nothing is, and what a run may change of them."""

from typing import Any

import pytest

from qmon_tui.incremental import RunChain, kept_jobs
from qmon_tui.incremental.kept_jobs import KeptJobs, _depends_on_places, run_with
from qmon_tui.incremental.prepared_jobs import PreparedJobs
from qmon_tui.model import ConfigObject, Kind, State, Task, config_object
from qmon_tui.qmaster.outcome_builder import build_outcome
from qmon_tui.qmaster.run_jobs import RunJobs, collect_run_jobs
from qmon_tui.qmaster.scheduling import schedule
from qmon_tui.scheduler import session_of
from qmon_tui.scheduler.priority import GRID_ENGINE
from tests.unit.scheduler.building import (
    NOW,
    cluster,
    configuration,
    job,
    queue,
    running,
    scheduler,
    sharetree,
    state,
)

PLACED = {"a.q@n1": 1}


@pytest.mark.parametrize(
    ("options", "task", "looks"),
    [
        ("", None, False),
        ("-w e", None, True),
        ("-ar 1", None, True),
        ("", Task("r", PLACED), False),
        ("", Task("s", PLACED), False),
        ("", Task("S", PLACED), True),
        ("", Task("r", PLACED, seen_suspended=True), True),
        ("-ar 1", Task("r", PLACED), True),
    ],
)
def test_who_depends_on_places(options: str, task: Task | None, looks: bool) -> None:
    assert _depends_on_places(job(1, options, tasks={} if task is None else {1: task})) is looks


def test_tasks_that_thresholds_halt_have_their_priority_before_and_after_it() -> None:
    fresh = cluster(queue("a.q", "h1", 4))
    jobs = state([running(1, "a.q@h1"), running(2, "a.q@h1"), job(3)], loads={"h1": {"np_load_avg": "3.0"}})
    chain = RunChain()
    for seq_no, thresholds in enumerate(("NONE", "NONE", "NONE", "NONE", "np_load_avg=2", "NONE")):
        limits = {"suspend_thresholds": thresholds, "nsuspend": "1", "suspend_interval": "0:1:0"}
        edited = fresh.with_objects([queue("a.q", "h1", 4, seq_no=str(seq_no), **limits)])
        outcome = build_outcome(chain.simulate(edited, jobs))
        assert tuple(outcome.jobs) == tuple(schedule(edited, jobs, fast=False).jobs), seq_no


class Runs:
    """Runs of states on one configuration after the other, of which it is noted what they are given."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *objects: ConfigObject) -> None:
        self.on = cluster(queue("a.q", "h1", 4), *objects)
        self.prepared: PreparedJobs | None = None
        self.collected = 0
        self.kept = KeptJobs()
        monkeypatch.setattr(kept_jobs, "collect_run_jobs", self._collect)

    def _collect(self, *given: Any) -> RunJobs:
        self.collected += 1
        return collect_run_jobs(*given)

    def run(self, state: State, *edited: ConfigObject, at: int = NOW) -> str:
        """What a run is given after an edit: jobs that are collected or kept or prepared, and may be kept prepared."""
        self.on = self.on.with_objects(edited)
        session, before = session_of(self.on), self.collected
        compiled = session.compiled(state)
        of_run = self.kept.of(session, compiled, state, at, GRID_ENGINE)
        self.prepared = of_run.prepared
        run_with(of_run, session, state, at, GRID_ENGINE, None)
        words = ["collected"] * (self.collected - before) or ["kept" if of_run.prepared is None else "prepared"]
        return " ".join((*words, *(["keep"] * (of_run.keep is not None))))


def waiting(**more: Any) -> State:
    return state([running(1, "a.q@h1"), job(2, "-t 1-3"), job(3)], **more)


def edited(number: int) -> ConfigObject:
    return queue("a.q", "h1", 4, seq_no=str(number))


def test_jobs_are_kept_from_the_second_run_and_prepared_from_the_third(monkeypatch: pytest.MonkeyPatch) -> None:
    runs, jobs = Runs(monkeypatch), waiting()
    given = [runs.run(jobs, edited(number)) for number in range(4)]
    assert given == ["collected", "collected keep", "prepared", "prepared"]
    assert runs.run(jobs, scheduler(weight_urgency=1)) == "kept", "another policy may be tried out once"
    assert runs.run(jobs, edited(1)) == "kept keep"
    assert runs.run(jobs, edited(2)) == "prepared"
    assert runs.run(jobs, configuration(max_u_jobs=5)) == "collected"
    assert runs.run(jobs, edited(1)) == "collected keep"
    assert runs.run(jobs, config_object(Kind.MANAGERS, "managers", {"users": "root anna"})) == "collected"
    assert runs.run(jobs, edited(3)) == "collected keep"
    assert runs.run(jobs, edited(4), at=NOW + 1) == "collected"
    assert runs.run(waiting(), edited(4)) == "collected"


def test_jobs_of_two_states_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    runs, (first, second, third) = Runs(monkeypatch), (waiting() for _ in range(3))
    assert [runs.run(first, edited(number)) for number in range(3)][-1] == "prepared"
    assert runs.run(second) == "collected"
    assert [runs.run(jobs, edited(9)) for jobs in (first, second, first)] == ["prepared", "collected keep", "prepared"]
    assert runs.run(third) == "collected"
    assert [runs.run(jobs, edited(8)) for jobs in (second, third)] == ["prepared", "collected keep"]
    assert runs.run(first) == "collected"


@pytest.mark.parametrize(
    ("more", "given"),
    [
        ((), ["collected", "collected keep", "prepared"]),
        ((sharetree(anna=1),), ["collected", "collected", "kept"]),
        ((scheduler(params="JC_FILTER=TRUE"),), ["collected", "collected", "kept"]),
    ],
)
def test_what_is_another_in_each_run_is_not_prepared(
    more: tuple[ConfigObject, ...], given: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    runs, jobs = Runs(monkeypatch, *more), waiting()
    assert [runs.run(jobs, edited(number)) for number in range(3)] == given


def test_jobs_that_look_at_places_are_collected_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    runs, jobs = Runs(monkeypatch), state([job(1, "-w e")])
    assert [runs.run(jobs, edited(number)) for number in range(3)] == ["collected"] * 3


@pytest.mark.parametrize(
    ("limits", "policy", "shares"),
    [
        ({}, {}, True),
        ({"suspend_thresholds": "np_load_avg=2"}, {}, False),
        ({}, {"max_reservation": 1}, False),
        ({"suspend_thresholds": "np_load_avg=2"}, {"max_reservation": 1}, False),
    ],
)
def test_runs_share_started_jobs_where_nothing_is_noted_of_them(
    limits: dict[str, str], policy: dict[str, object], shares: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs, jobs = (
        Runs(monkeypatch, scheduler(**policy), queue("a.q", "h1", 4, **limits)),
        waiting(loads={"h1": {"np_load_avg": "1"}}),
    )
    assert [runs.run(jobs) for _ in range(3)][-1] == "prepared"
    assert runs.prepared is not None
    assert runs.prepared.shares_others is shares
