"""What hosts have room for at the times of a search for a reservation (parallel.md#slots-taken-from-a-host)."""

import pytest

from qmon_tui.model import Task
from qmon_tui.qmaster import simulate
from qmon_tui.scheduler.matching import NO_LIMIT, NOT_MASTER, NOT_NOW_MASTER
from qmon_tui.scheduler.parallel import GrantedSlots, PeAttempt
from qmon_tui.scheduler.reservation import ScheduleState, TaskAllocation
from qmon_tui.scheduler.reservation.timed_parallel import TimedParallelSearch
from qmon_tui.scheduler.reservation.timed_rooms import Room, TimedRooms, WindowSlotCounter, _InQueue, change_times
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

Made = tuple[TimedParallelSearch, PeAttempt]


def made(options: str = "", slots: int = 4, rule: str = "fill", thresholds: str = "NONE") -> Made:
    """The search of a run and an attempt in it; on h1 three slots come free after 160 s, one of another after 260."""
    queues = (
        queue("a.q", "h1 h2 h4 h5", 4, pe_list="fill two", load_thresholds=thresholds),
        queue("b.q", "h1 h2", 3, pe_list="fill two", seq_no="1", complex_values="lic=5"),
        queue("c.q", "h3 h4", 2, seq_no="2"),
        queue("d.q", "h3", 2, seq_no="3", pe_list="fill two", user_lists="some"),
        queue("e.q", "h4 h6", str(2**31 - 1), seq_no="4", pe_list="fill two"),
    )
    on = cluster(
        attribute("lic lic INT <= YES YES 0"),
        attribute("once once INT <= YES JOB 0"),
        attribute("big big INT <= YES YES 0"),
        attribute("sort so STRING == YES NO NONE"),
        host("global", "big=5"),
        host("h1", "lic=9,once=1"),
        host("h2", "sort=x"),
        host("h4", "lic=3000000000"),
        host("h5", "lic=9", user_lists="some"),
        host("h6", f"lic={NO_LIMIT}"),
        userset("some", "bob"),
        *queues, environment("fill"), environment("two", "2"),
        scheduler(max_reservation=3, default_duration="1:0:0"),
    )  # fmt: skip
    jobs = [
        job(1, "-pe fill 3 -l h_rt=100", tasks={1: Task("r", {"a.q@h1": 3}, NOW)}),
        job(2, "-l lic=2,once=1,h_rt=200", tasks={1: Task("r", {"b.q@h1": 1}, NOW)}),
        job(3, f"-pe {rule} 98 {options}"),
    ]
    dispatch = (run := simulate(on, state(jobs))).dispatch
    parallel = dispatch.parallel
    assert isinstance(parallel, TimedParallelSearch)
    asking = next(run_job for run_job in run.jobs if run_job.id == 3)
    parallel.window.open(50)
    attempt = parallel.pe_attempt(asking, parallel.environments[rule], slots)
    attempt.pe_cache.__init__()  # type: ignore[misc]
    attempt.masters.clear()
    return parallel, attempt


def members_of(attempt: PeAttempt, name: str) -> tuple[int, list[int]]:
    resources = attempt.context.resources
    number = resources.host_numbers[name]
    return number, resources.instances_of[number]


def shown(room: Room | None, attempt: PeAttempt) -> str | None:
    if room is None:
        return None

    def pair(now: int, later: int) -> str:
        return "/".join("-" if amount == NO_LIMIT else str(amount) for amount in (now, later))

    names = attempt.context.resources.instances
    parts = [
        f"{names[each.number].queue[0]}:{pair(each.now, each.later) if each.takes else 'no' if each.is_asked else '?'}"
        for each in room.queues
    ]
    marked = (*room.host_marks.items(), *room.queue_marks.items())
    marks = [f"{names[number].queue[0]}{mark}" for number, mark in marked]
    return " ".join([pair(room.now, room.later), *parts, *marks])


@pytest.mark.parametrize(
    ("options", "where", "after", "quick", "room"),
    [
        ("", "h1", 0, False, "-/- a:1/4 b:2/3"),
        ("", "h4", 0, False, "-/- a:4/4 c:? e:-/-"),
        ("-l lic=1", "h1", 0, True, "7/9 a:1/4 b:2/3"),
        ("-l lic=1", "h1", 159, True, "7/9 a:1/4 b:2/3"),
        ("-l lic=1", "h1", 160, True, "7/9 a:4/4 b:2/3"),
        ("-l lic=1", "h1", 260, True, "9/9 a:4/4 b:3/3"),
        ("-l lic=2", "h1", 0, True, "3/4 a:1/4 b:1/2"),
        ("-l lic=4", "h1", 0, True, "1/2 a:1/4 b:0/1"),
        ("-l lic=4", "h1", 260, True, "2/2 a:4/4 b:1/1"),
        ("-l lic=0", "h1", 0, False, "-/- a:1/4 b:2/3"),
        ("-l big=1,lic=1", "h1", 0, True, "7/9 a:1/4 b:2/3"),
        # What no int can hold is far too little.
        ("-l lic=1", "h4", 0, False, "-2147483648/-2147483648 a:4/4 c:? e:-/-"),
        ("-l lic=1", "h6", 0, True, "-/- e:-/-"),
        ("-l lic=1", "h2", 0, False, "-/- a:no b:3/3"),
        ("-l lic=1", "h3", 0, False, "-/- c:? d:?"),
        ("-l lic=1", "h5", 0, False, "0/0 a:no"),
        ("-l lic=1 -masterq b.q", "h1", 0, False, "7/9 a:1/4 b:2/3 a0"),
        ("-l lic=1 -q b.q", "h1", 0, False, "7/9 a:? b:2/3"),
        ("-l lic=1 -q a.q,b.q@h2", "h1", 0, False, "7/9 a:1/4 b:no"),
        ("-l lic=1,once=1", "h1", 0, False, "7/9 a:1/4 b:2/3 a1 b1"),
        ("-l lic=1,once=1", "h1", 260, False, "9/9 a:4/4 b:3/3"),
    ],
)
def test_the_quick_look_sees_what_the_rule_sees(options: str, where: str, after: int, quick: bool, room: str) -> None:
    parallel, attempt = made(options)
    parallel.window.reserve(NOW + after)
    host, members = members_of(attempt, where)
    slot_counter = WindowSlotCounter(parallel.diagrams, parallel.window, parallel.fast_checker)
    assert shown(slot_counter._quick(host, members, attempt), attempt) == (room if quick else None)
    assert shown(slot_counter.at(host, members, attempt), attempt) == room
    by_rule = WindowSlotCounter(parallel.diagrams, parallel.window, None)
    assert shown(by_rule.at(host, members, attempt), attempt) == room
    assert attempt.masters == {}


@pytest.mark.parametrize(("slots", "is_single"), [(4, False), (1, True)])
def test_static_checks_that_were_passed_are_remembered(slots: int, is_single: bool) -> None:
    parallel, attempt = made("-l lic=1", slots)
    host, members = members_of(attempt, "h1")
    slot_counter = WindowSlotCounter(parallel.diagrams, parallel.window, parallel.fast_checker)
    for _ in range(2):
        assert slot_counter._quick(host, members, attempt) is not None
        known = slot_counter._pe_cache
        assert (known.clear_hosts, known.clear_instances) == ({host}, set(members))
        assert known.clear_queues == {("a.q", is_single), ("b.q", is_single)}


def test_what_never_ends_is_in_use_in_the_end() -> None:
    parallel, attempt = made("-l lic=1")
    host, members = members_of(attempt, "h1")
    demand, grants = attempt.placement_request.demand, ((members[1], 1),)
    parallel.diagrams.claim(TaskAllocation(ScheduleState.RUNNING, 4, 1, demand, grants, NOW, INFINITE))
    for checker in (parallel.fast_checker, None):
        slot_counter = WindowSlotCounter(parallel.diagrams, parallel.window, checker)
        assert shown(slot_counter.at(host, members, attempt), attempt) == "6/8 a:1/4 b:1/2"


def test_with_load_thresholds_only_the_rule_can_tell() -> None:
    parallel, attempt = made("-l lic=1", thresholds="lic=1")
    host, members = members_of(attempt, "h1")
    assert (
        WindowSlotCounter(parallel.diagrams, parallel.window, parallel.fast_checker)._quick(host, members, attempt)
        is None
    )


def rooms_of(parallel: TimedParallelSearch, later_slots: dict[int, int] | None = None) -> TimedRooms:
    slot_counter = WindowSlotCounter(parallel.diagrams, parallel.window, parallel.fast_checker)
    return TimedRooms(parallel.diagrams, parallel.window, later_slots, slot_counter)


def test_a_host_has_other_room_from_a_change_on_or_from_when_a_job_would_last_until_after_it() -> None:
    parallel, attempt = made("-l lic=1")
    host, members = members_of(attempt, "h1")
    resources = attempt.context.resources
    levels = (resources.queues[members[0]],)
    assert [time - NOW for time in change_times(parallel.diagrams, levels, 50)] == [0, -49, 160, 111]
    rooms = rooms_of(parallel).visits(attempt)
    assert [time - NOW for time in rooms._rooms_of(host, members, attempt).times] == [-49, 0, 111, 160, 211, 260]
    # Another list of queue instances is looked at anew.
    assert [time - NOW for time in rooms._rooms_of(host, members[1:], attempt).times] == [-49, 0, 211, 260]
    assert [time - NOW for time in rooms._rooms_of(host, members, attempt).times] == [-49, 0, 111, 160, 211, 260]


def test_a_room_is_looked_at_once_between_two_changes() -> None:
    parallel, attempt = made("-l lic=1")
    host, members = members_of(attempt, "h1")
    rooms = rooms_of(parallel).visits(attempt)
    seen = []
    for after in (0, 110, 111, 159, 160, 210, 211, 259, 260, 999):
        parallel.window.reserve(NOW + after)
        rooms.free_slots(host, members, GrantedSlots(attempt, {}))
        seen.append(len(rooms._rooms_of(host, members, attempt).known))
    assert seen == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]


def test_at_the_end_of_time_and_without_an_attempt_only_the_rule_can_tell() -> None:
    parallel, attempt = made("-l lic=1")
    host, members = members_of(attempt, "h1")
    granted = GrantedSlots(attempt, {})
    rooms = rooms_of(parallel)
    assert rooms.free_slots(host, members, granted) is None
    rooms.visits(attempt)
    assert rooms.free_slots(host, members, granted) == (3, 4, False)
    parallel.window.reserve(INFINITE - 1)
    assert rooms.free_slots(host, members, granted) == (4, 4, False)
    parallel.window.reserve(INFINITE)
    assert rooms.free_slots(host, members, granted) is None


def room(now: int, later: int, *queues: _InQueue, marked: bool = False) -> Room:
    host_marks, queue_marks = ({0: NOT_NOW_MASTER}, {3: NOT_MASTER}) if marked else ({}, {})
    return Room(now, later, host_marks, queues, queue_marks)


FIRST, SECOND = _InQueue(0, True, True, 3, 5), _InQueue(3, True, True, 1, 1)


@pytest.mark.parametrize(
    ("there", "granted", "taken", "free", "later_slots"),
    [
        (room(9, 9, FIRST), {}, (3, 4, False), {0: 3}, {0: 5}),
        (room(9, 9, FIRST, SECOND), {}, (4, 4, False), {0: 3, 3: 1}, {0: 5, 3: 1}),
        (room(2, 3, FIRST, SECOND), {}, (2, 3, False), {0: 3, 3: 1}, {0: 5, 3: 1}),
        (room(9, 9, SECOND), {}, (1, 1, False), {3: 1}, {3: 1}),
        (room(9, 9, FIRST, SECOND), {0: 2}, (2, 4, False), {0: 1, 3: 1}, {0: 5, 3: 1}),
        (room(3, 9, FIRST, SECOND), {0: 2}, (1, 4, False), {0: 1, 3: 1}, {0: 5, 3: 1}),
        (room(1, 9, FIRST, SECOND), {0: 2}, (-1, 4, False), {0: 1, 3: 1}, {0: 5, 3: 1}),
        # A host that has nothing is not charged with what its queue instances have given.
        (room(0, 9, FIRST, SECOND), {0: 2}, (0, 4, False), {0: 1, 3: 1}, {0: 5, 3: 1}),
        (room(9, 9, FIRST, SECOND), {1: 2}, (4, 4, False), {0: 3, 3: 1}, {0: 5, 3: 1}),
        (room(0, 0, FIRST), {}, (0, 0, True), {}, {}),
        (room(0, 1, FIRST), {}, (0, 1, False), {0: 3}, {0: 5}),
        (room(1, 0, FIRST), {}, (1, 0, False), {0: 3}, {0: 5}),
        (room(9, 9, _InQueue(0, False)), {}, (0, 0, False), {0: 0}, {0: 0}),
        (room(9, 9, _InQueue(0, True, False, 2, 2), SECOND), {}, (1, 1, False), {0: 0, 3: 1}, {3: 1}),
        (room(9, 9, _InQueue(0, True, True, 0, 0), SECOND), {}, (1, 1, False), {0: 0, 3: 1}, {3: 1}),
        (room(9, 9, _InQueue(0, True, True, 0, 1)), {}, (0, 1, False), {0: 0}, {0: 1}),
        (room(9, 9, _InQueue(0, True, True, 1, -1)), {}, (1, -1, False), {0: 1}, {0: 2**32 - 1}),
    ],
)
def test_what_is_left_of_a_room(
    there: Room,
    granted: dict[int, int],
    taken: tuple[int, int, bool],
    free: dict[int, int],
    later_slots: dict[int, int],
) -> None:
    parallel, attempt = made()
    for noted in (dict[int, int](), None):
        slots = GrantedSlots(attempt, {})
        slots.granted.update(granted)
        assert rooms_of(parallel, noted)._taken(there, attempt, slots) == taken
        assert slots.free_slots == free
        assert noted is None or noted == later_slots
    assert attempt.masters == {}


@pytest.mark.parametrize(
    ("there", "rule", "is_full", "masters"),
    [
        (room(1, 0, FIRST, marked=True), "fill", False, {0: NOT_NOW_MASTER, 3: NOT_MASTER}),
        (room(1, 1, FIRST, marked=True), "two", True, {0: NOT_NOW_MASTER}),
        (room(2, 0, FIRST, marked=True), "two", False, {0: NOT_NOW_MASTER, 3: NOT_MASTER}),
        (room(0, 2, FIRST, marked=True), "two", False, {0: NOT_NOW_MASTER, 3: NOT_MASTER}),
        (room(2, 2, FIRST), "two", False, {}),
    ],
)
def test_a_host_with_too_little_is_left_before_its_queue_instances_leave_marks(
    there: Room, rule: str, is_full: bool, masters: dict[int, int]
) -> None:
    parallel, attempt = made(rule=rule)
    assert rooms_of(parallel)._taken(there, attempt, GrantedSlots(attempt, {}))[2] is is_full
    assert attempt.masters == masters
