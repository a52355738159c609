"""The earliest time at which a parallel job fits (reservation.md#earliest-time-of-a-parallel-job)."""

from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from qmon_tui.model import Job, Task
from qmon_tui.qmaster import simulate
from qmon_tui.scheduler.dispatch.reservation_dispatch import ReservationDispatch
from qmon_tui.scheduler.matching import FITS, NEVER, Say
from qmon_tui.scheduler.parallel import PeSearch
from qmon_tui.scheduler.reservation import ScheduleState, TaskAllocation, TimedParallelSearch
from qmon_tui.scheduler.reservation.timed_parallel import Reservation, _is_better
from qmon_tui.scheduler.reservation.timed_rooms import TimedRooms
from qmon_tui.values import INFINITE
from tests.unit.scheduler.building import (
    NOW,
    attribute,
    cluster,
    environment,
    host,
    job,
    queue,
    scheduler,
    state,
    userset,
)

Claims = Sequence[tuple[str, str, int]]
"""Where jobs run, with how many slots; what they ask for, or the name of an environment; and for how many seconds."""


class Site:
    """Two queues on three hosts, of which one is for others only; a job that asks for a place."""

    def __init__(self, claims: Claims, options: str, *, fast: bool = True) -> None:
        on = cluster(
            attribute("lic lic INT <= YES YES 0"), attribute("all all INT <= YES YES 0"),
            attribute("kind kind STRING == YES NO NONE"), userset("some", "bob"),
            environment("fa", slots=5), environment("fb", slots=5), environment("two", "2"),
            environment("sole", slots=2),
            host("global", "all=4"), host("h1", "lic=4"), host("h2", "lic=4,kind=y"), host("h0", user_lists="some"),
            queue("a.q", "h0 h1 h2", 2, pe_list="fa fb sole two"),
            queue("b.q", "h1 h2", 2, pe_list="fb", user_lists="some"),
            queue("w.q", "h1 h2", 1), queue("s.q", "h1 h2", 9),
            scheduler(max_reservation=3, default_duration="0:1:0", params="DURATION_OFFSET=0"),
        )  # fmt: skip
        jobs = [self._holder(number, *claim) for number, claim in enumerate(claims, 1)]
        run = simulate(on, state([*jobs, job(99, f"{options} -h")]), fast=fast)
        self.names = [instance.name[0] + instance.name[-1] for instance in run.resources.instances]
        self.asking = next(run_job for run_job in run.jobs if run_job.id == 99)
        assert isinstance(run.dispatch, ReservationDispatch)
        self.dispatch = run.dispatch
        self.search = run.dispatch.reservation_state.searches.timed_parallel
        run.dispatch.prepare_checks(self.asking)
        order = run.dispatch.reservation_state.order
        last_first = sorted(range(len(self.names)), key=lambda number: (-ord(self.names[number][0]), number))
        order.restore_order(last_first)
        self.search.hosts.catch_up()

    @staticmethod
    def _holder(number: int, name: str, asked: str, seconds: int) -> Job:
        slots = int(name[3:] or 1)
        pe = asked if asked in ("fa", "sole") else None
        options = f"-pe {pe} {slots} -l h_rt={seconds}" if pe else f"-l h_rt={seconds}{asked and ',' + asked}"
        task = Task("r", {f"{name[0]}.q@h{name[1]}": slots}, NOW, environment=pe)
        return job(number, options, tasks={1: task})

    def claim(self, name: str, start: int, end: int) -> None:
        """Somebody else's reservation of two slots."""
        grants = ((self.names.index(name), 2),)
        parts = (ScheduleState.RESERVING, 50, 1, self.asking.demand, grants, NOW + start, end - start)
        self.search.diagrams.claim(TaskAllocation(*parts, slots=2))

    def reserved(self, say: Say | None = None) -> str:
        reservation = self.search.reserve(self.asking, say)
        assert self.search.result == (NEVER if reservation is None else FITS)
        if reservation is None:
            return ""
        assignment = reservation.assignment
        grants = [f"{self.names[number]}:{slots}" for number, slots in assignment.grants]
        return " ".join([str(reservation.start - NOW), assignment.environment, *grants])


LAST = INFINITE - NOW
HALF = (("a1:2", "", 100), ("a2:2", "", 50))
ONE_BY_ONE = (("a1:1", "", 100), ("a1:1", "", 90), ("a2:1", "", 80), ("a2:1", "", 70))
TAKEN = (*HALF, ("s2", "lic=3", 70))


@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize(
    ("claims", "options", "reserved"),
    [
        ([], "-pe fa 2", "0 fa a1:2"),
        (HALF, "-pe fa 2", "50 fa a2:2"),
        (HALF, "-pe fa 4", "100 fa a1:2 a2:2"),
        (HALF, "-pe fa 5", ""),
        # The lowest number decides the time, which is raised then as far as there is room.
        (HALF, "-pe fa 1-4", "50 fa a2:2"),
        (HALF, "-pe fa 1-4 -soft -l kind=x", "50 fa a2:2"),
        (HALF, "-pe fa 1,3", "50 fa a2:1"),
        (ONE_BY_ONE, "-pe fa 1", "70 fa a2:1"),
        (ONE_BY_ONE, "-pe fa 2", "80 fa a2:2"),
        (ONE_BY_ONE, "-pe two 2", "80 two a2:2"),
        (ONE_BY_ONE, "-pe fa 3-4", "90 fa a1:1 a2:2"),
        (ONE_BY_ONE, "-pe two 4", "100 two a1:2 a2:2"),
        # Times at which something comes free that is asked for: on hosts, of the environment and everywhere.
        (TAKEN, "-pe two 2 -l lic=1", "70 two a2:2"),
        (TAKEN, "-pe two 2", "50 two a2:2"),
        ([("a1:2", "fa", 90), ("s1", "all=3", 70)], "-pe fa 2 -l all=1", "70 fa a2:2"),
        ([("s2", "all=3", 70)], "-pe fa 1-4 -l all=1", "0 fa a1:1"),
        ([("a1:2", "fa", 100), ("a2:2", "fa", 50)], "-pe fa 2", "50 fa a2:2"),
        # Of several environments the first where none is earlier.
        (HALF, "-pe f* 2", "50 fa a2:2"),
        (HALF, "-pe f* 2 -soft -l kind=x", "50 fa a2:2"),
        # What somebody has for ever never comes free.
        ([("a1:2", "", LAST), HALF[1]], "-pe fa 4", ""),
        ([("a1:2", "", LAST), HALF[1]], "-pe f* 2", "50 fa a2:2"),
    ],
)
def test_the_earliest_time_at_which_there_are_slots_enough(
    claims: Claims, options: str, reserved: str, *, fast: bool
) -> None:
    assert Site(claims, options, fast=fast).reserved() == reserved


LICENCES = (("s1", "lic=1", 50), ("s2", "lic=1", 60), ("s1", "lic=1", 70))


@pytest.mark.parametrize(
    ("claims", "options", "tried"),
    [
        # Time after time from the last one on.
        (ONE_BY_ONE, "-pe fa 1", [100, 90, 80, 70, 0]),
        (ONE_BY_ONE, "-pe fa 2", [100, 90, 80, 70]),
        (ONE_BY_ONE, "-pe fa 3", [100, 90, 80]),
        (ONE_BY_ONE, "-pe fa 4", [100, 90]),
        (ONE_BY_ONE, "-pe fa 2,4", [100, 90, 80, 70]),
        (LICENCES, "-pe fa 1 -l lic=1", [70, 60, 50, 0]),
        (LICENCES[:2], "-pe fa 1 -l lic=1", [60, 50, 0]),
        (LICENCES, "-pe fa 1 -l lic=1 -soft -l kind=x", [70, 60, 50, 0]),
        ((*LICENCES, ("a1:2", "", LAST)), "-pe fa 1 -l lic=1", [LAST, 70, 60, 50, 0]),
        # The slots of the environment count as those of the hosts do.
        ((*LICENCES, ("a1:2", "sole", 85)), "-pe sole 1 -l lic=1", [85, 70]),
        ((*LICENCES, ("a1:1", "sole", 85)), "-pe sole 1 -l lic=1", [85, 70, 60, 50, 0]),
        # Where there is nothing at the last of them the search ends; a second environment is tried at the time found.
        ((HALF[1], ("a1:2", "", LAST)), "-pe fa 4", [LAST]),
        (HALF, "-pe f* 2", [100, 50, 0, 50]),
        ([], "-pe fa 2", [0]),
    ],
)
def test_which_times_are_tried(claims: Claims, options: str, tried: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    times: list[int] = []
    attempt_at = TimedParallelSearch._at

    def at(search: TimedParallelSearch, attempt: PeSearch, time: int, least: int, **more: Any) -> Reservation | None:
        times.append(time - NOW)
        return attempt_at(search, attempt, time, least, **more)

    monkeypatch.setattr(TimedParallelSearch, "_at", at)
    results = []
    for fast in (True, False):
        results.append(Site(claims, options, fast=fast).reserved())
        assert times == tried
        times.clear()
    assert results[0] == results[1]
    # While something is told, each of them is tried.
    Site(claims, options).reserved(list[str]().append)
    assert times == tried


@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize("options", ["", " -soft -l kind=x"])
def test_a_host_that_has_no_room_at_one_time_may_have_it_before(options: str, *, fast: bool) -> None:
    site = Site([("a2:2", "", 50)], f"-pe fa 2{options}", fast=fast)
    site.claim("a1", 60, 100)
    assert site.reserved() == "0 fa a1:2"


def test_the_search_is_silent_until_one_environment_has_been_searched() -> None:
    site = Site(HALF, "-pe f* 5")
    messages = site.dispatch.reservation_state.job_messages
    messages.lines = []
    site.reserved(messages)
    offers = [
        'cannot run in PE "fa" because it only offers 4 slots',
        'cannot run in PE "fb" because it only offers 4 slots',
    ]
    assert (messages.lines[0], messages.lines[-1]) == (offers[0], offers[1])
    assert 'has no permission for queue "b.q@h1"' in messages.lines
    site.search.environments = {}
    assert site.reserved() == ""
    assert not messages.is_silent


def test_a_search_for_a_time_tells_who_does_not_take_the_job_and_what_an_environment_offers() -> None:
    said: list[str] = []
    assert Site(HALF, "-pe fa 5").reserved(said.append) == ""
    forbidden = 'has no permission for host "h0"'
    assert said == [
        forbidden,
        *(f'cannot run in queue "{name}" because PE "fa" is not in PE list' for name in ("w.q", "s.q")),
        'has no permission for cluster queue "b.q"',
        forbidden,
        'cannot run in PE "fa" because it only offers 4 slots',
    ]


@pytest.mark.parametrize(
    ("seconds", "schedules", "after", "free"),
    [
        (0, True, 0, (5, 5)),
        (0, False, 0, (5, 5)),
        (90, True, 0, (3, 5)),
        (90, True, 89, (3, 5)),
        (90, True, 90, (5, 5)),
        (LAST, True, 90, (3, 3)),
        # What is planned counts where no reservations are made, too.
        (90, False, 89, (3, 5)),
        (90, False, 90, (5, 5)),
    ],
)
def test_free_slots_of_an_environment_for_some_time_and_in_the_end(
    seconds: int, after: int, free: tuple[int, int], *, schedules: bool
) -> None:
    search = Site([("a1:2", "fa", seconds)] if seconds else [], "-pe fa 1").search
    search.window.reserve(NOW + after)
    search.diagrams.schedules = schedules
    assert search.slots_of(search.environments["fa"]) == free


@pytest.mark.parametrize(("schedules", "free"), [(True, (5, 5)), (False, (2, 5))])
def test_what_is_in_use_of_an_environment_without_a_plan_counts_where_nothing_is_planned(
    free: tuple[int, int], *, schedules: bool
) -> None:
    search = Site([], "-pe fa 1").search
    search.context.resources.environment_slots["fa"] = 3
    search.diagrams.schedules = schedules
    assert search.slots_of(search.environments["fa"]) == free


@pytest.mark.parametrize("gone", ["a0", "a1 b1 s1 w1", "a0 a1 b1 s1 w1"])
def test_a_host_without_queue_instances_is_told_of_and_does_not_end_the_look_at_the_others(
    gone: str,
) -> None:
    site = Site([("a1:2", "", LAST), ("a2:2", "", 50)], "-pe fa 2")
    for name in gone.split():
        site.search.context.order.remove(site.names.index(name))
    said: list[str] = []
    assert site.reserved() == site.reserved(said.append) == "50 fa a2:2"
    assert 'has no permission for host "h0"' in said


def test_rooms_are_remembered_during_one_search_for_attempts_where_only_slots_count() -> None:
    search, asking = (site := Site([], "-pe fa 2")).search, site.asking
    environment_of = search.environments
    plain = search.pe_attempt(asking, environment_of["fa"], 2)
    assert search.timed_visits(plain) is None
    search._rooms = {}
    rooms = search.timed_visits(plain)
    assert isinstance(rooms, TimedRooms)
    assert search.timed_visits(plain) is rooms
    assert search.timed_visits(search.pe_attempt(asking, environment_of["fa"], 3)) is not rooms
    assert search.timed_visits(search.pe_attempt(asking, environment_of["fb"], 2)) is not rooms
    for name in ("soft", "remaining_quota", "say"):
        given: dict[str, Any] = {name: SimpleNamespace()}
        assert search.timed_visits(replace(plain, **given)) is None
    site.reserved()
    assert search._rooms is None


@pytest.mark.parametrize(
    ("start", "violations", "is_better"),
    [(9, 1, True), (10, 0, True), (10, 1, False), (10, 2, False), (11, 0, False), (9, 5, True)],
)
def test_the_earlier_time_wins_then_fewer_violations(start: int, violations: int, *, is_better: bool) -> None:
    def reservation(start: int, violations: int) -> Reservation:
        assignment: Any = SimpleNamespace(violations=violations)
        return Reservation(assignment, start)

    assert _is_better(reservation(start, violations), reservation(10, 1)) is is_better
