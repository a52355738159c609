"""What an attempt takes of the queue instances of one host (parallel.md#slots-taken-from-a-host)."""

from typing import Any

import pytest

from qmon_tui.qmaster import simulate
from qmon_tui.scheduler.matching import ANY_TASK, NOT_MASTER, NOT_NOW_MASTER
from qmon_tui.scheduler.parallel.collected_slots import CollectedSlots, GrantedSlots
from tests.unit.scheduler.building import cluster, environment, job, queue, state
from tests.unit.scheduler.test_quotas import quota

RULES = {"fill": "$fill_up", "robin": "$round_robin", "one": "$pe_slots", "two": "2"}


def attempt(rule: str, slots: int, options: str = "", limit: int = 0) -> Any:
    """In queues a.q, b.q and c.q of one host, which are numbered from 0."""
    on = cluster(
        *(queue(name, "h1", 9, pe_list=" ".join(RULES)) for name in ("a.q", "b.q", "c.q")),
        *(environment(name, text) for name, text in RULES.items()),
        *([quota("few", f"to slots={limit}")] if limit else []),
    )
    parallel = (run := simulate(on, state([job(1, f"-pe {rule} 98 {options}")]))).dispatch.parallel
    made = parallel.pe_attempt(run.jobs[-1], parallel.environments[rule], slots)
    made.masters.clear()
    if made.remaining_quota is not None:
        for number in range(3):
            made.remaining_quota.room(number, ANY_TASK, None)
    return made


NONE = {0: NOT_MASTER, 1: NOT_MASTER, 2: NOT_NOW_MASTER}


@pytest.mark.parametrize(
    ("rule", "slots", "free", "room", "masters", "limit", "granted", "sequence"),
    [
        ("fill", 4, {0: 2, 1: 9, 2: 9}, 4, {}, 0, {0: 2, 1: 2}, [1, 0]),
        ("fill", 4, {0: 2, 1: 9, 2: 9}, 3, {}, 0, {0: 2, 1: 1}, [1, 0]),
        ("fill", 4, {0: 0, 1: 1, 2: 1}, 4, {}, 0, {1: 1, 2: 1}, [2, 1]),
        ("fill", 4, {0: 0, 1: 0, 2: 0}, 4, {}, 0, {}, []),
        # One slot is left for the master queue, which then comes first.
        ("fill", 4, {0: 9, 1: 2, 2: 2}, 9, {0: NOT_MASTER}, 0, {0: 3, 1: 1}, [1, 0]),
        ("fill", 4, {0: 3, 1: 2, 2: 2}, 9, {0: NOT_NOW_MASTER}, 0, {0: 3, 1: 1}, [1, 0]),
        ("fill", 4, {0: 9, 1: 9, 2: 9}, 9, NONE, 0, {0: 3}, [0]),
        ("fill", 1, {0: 9, 1: 9, 2: 9}, 9, NONE, 0, {}, []),
        ("robin", 4, {0: 2, 1: 9, 2: 9}, 4, {}, 0, {0: 1}, [0]),
        ("robin", 4, {0: 0, 1: 0, 2: 1}, 4, {}, 0, {2: 1}, [2]),
        ("one", 4, {0: 2, 1: 1, 2: 9}, 4, {}, 0, {0: 2, 1: 1, 2: 1}, [2, 1, 0]),
        ("one", 4, {0: 2, 1: 1, 2: 0}, 4, {}, 0, {}, []),
        ("two", 4, {0: 1, 1: 9, 2: 9}, 4, {}, 0, {0: 1, 1: 1}, [1, 0]),
        ("two", 4, {0: 1, 1: 0, 2: 0}, 4, {}, 0, {}, []),
        ("fill", 4, {0: 2, 1: 9, 2: 9}, 4, {}, 3, {0: 2, 1: 1}, [1, 0]),
        ("two", 4, {0: 2, 1: 9, 2: 9}, 4, {}, 1, {}, []),
        ("one", 4, {0: 2, 1: 1, 2: 9}, 4, {}, 3, {}, []),
        # A queue instance that was not looked at gives one slot.
        ("fill", 4, {1: 2}, 9, {}, 0, {0: 1, 1: 2, 2: 1}, [2, 1, 0]),
    ],
)
def test_slots_are_taken_of_queue_instances_in_their_order(
    rule: str,
    slots: int,
    free: dict[int, int],
    room: int,
    masters: dict[int, int],
    limit: int,
    granted: dict[int, int],
    sequence: list[int],
) -> None:
    made = attempt(rule, slots, limit=limit)
    made.masters.update(masters)
    collected = GrantedSlots(made, dict(free))
    gives = collected.take((0, 1, 2), room)
    assert (collected.granted, collected.sequence) == (granted, sequence)
    assert collected.collected == sum(granted.values())
    assert gives is (collected.collected >= made.least)
    assert collected.has_master is any(masters.get(number, ANY_TASK) == ANY_TASK for number in granted)
    assert collected.is_complete is (collected.has_master and collected.collected == slots)
    assert collected.given((0, 2)) == granted.get(0, 0) + granted.get(2, 0)
    if not gives:
        assert collected.free_slots == dict.fromkeys(range(3), 0)
    if made.remaining_quota is not None:
        assert made.remaining_quota.room(0, ANY_TASK, None).now == limit - collected.collected


@pytest.mark.parametrize(
    ("options", "masters", "granted", "sequence"),
    [
        ("", {}, {0: 2, 1: 1, 2: 1}, [0, 1, 2]),
        ("", {0: NOT_MASTER}, {0: 2, 1: 1, 2: 1}, [1, 0, 2]),
        ("", {0: NOT_MASTER, 1: NOT_MASTER}, {0: 2, 1: 1, 2: 1}, [2, 0, 1]),
        ("", NONE, {0: 2, 1: 1}, [0, 1]),
        # Where -q leaves the master queue out, it gives one slot only.
        ("-q b.q,c.q -masterq a.q", {1: NOT_MASTER, 2: NOT_MASTER}, {0: 1, 1: 1, 2: 2}, [0, 1, 2]),
        ("-q a.q,b.q -masterq a.q", {1: NOT_MASTER, 2: NOT_MASTER}, {0: 2, 1: 1, 2: 1}, [0, 1, 2]),
        ("-masterq a.q", {1: NOT_MASTER, 2: NOT_MASTER}, {0: 2, 1: 1, 2: 1}, [0, 1, 2]),
    ],
)
def test_the_master_queue_is_found_on_one_of_the_hosts(
    options: str, masters: dict[int, int], granted: dict[int, int], sequence: list[int]
) -> None:
    made = attempt("fill", 4, options)
    made.masters.update(masters)
    collected = GrantedSlots(made, {0: 2, 1: 1, 2: 9})
    for number in range(3):
        collected.take((number,), 9)
    assert (collected.granted, collected.sequence) == (granted, sequence)
    assert collected.is_complete is (len(granted) == 3)


@pytest.mark.parametrize(
    ("rule", "free", "masters", "limit", "gives", "collected", "left"),
    [
        ("fill", {0: 2, 1: 9}, {}, 0, True, 4, {0: 2, 1: 2}),
        ("fill", {1: 3}, {}, 0, True, 3, {1: 3}),
        ("fill", {}, {}, 0, False, 0, {0: 0, 1: 0, 2: 0}),
        ("fill", {0: 9}, {0: NOT_NOW_MASTER}, 0, True, 4, {0: 4}),
        ("fill", {0: 9}, {0: NOT_MASTER}, 0, True, 3, {0: 3}),
        ("fill", {0: 2, 1: 9}, {}, 3, True, 3, {0: 2, 1: 1}),
        ("robin", {0: 2, 1: 9}, {}, 0, True, 1, {0: 1, 1: 9}),
        ("two", {0: 1, 1: 9}, {}, 0, True, 2, {0: 1, 1: 1}),
        ("two", {0: 1}, {}, 0, False, 0, {0: 0, 1: 0, 2: 0}),
        ("two", {0: 1, 1: 9}, {}, 1, False, 0, {0: 0, 1: 0, 2: 0}),
    ],
)
def test_slots_that_there_will_be_are_only_counted(
    rule: str,
    free: dict[int, int],
    masters: dict[int, int],
    limit: int,
    gives: bool,
    collected: int,
    left: dict[int, int],
) -> None:
    made = attempt(rule, 4, limit=limit)
    made.masters.update(masters)
    later = CollectedSlots(made, dict(free))
    assert later.take((0, 1, 2), 9) is gives
    assert (later.collected, later.free_slots) == (collected, left)
    has_master = gives and masters.get(0) != NOT_MASTER
    assert later.has_master is has_master
    assert later.is_complete is (has_master and collected == 4)
    if made.remaining_quota is not None:
        assert made.remaining_quota.room(0, ANY_TASK, None).later == limit - collected


def test_soft_requests_that_are_not_met_count_for_each_slot() -> None:
    made = attempt("two", 4, "-soft -q b.q")
    made.context.resources.left_violations.update({0: 1, 1: 0, 2: 3})
    collected = GrantedSlots(made, {0: 1, 1: 0, 2: 2}, violations=10)
    assert collected.take((0, 1, 2), 9)
    assert collected.violations == 10 + 1 + 3
    assert not collected.take((0,), 9)
    assert collected.violations == 10 + 1 + 3
    collected.free_slots[2] = 2
    assert collected.take((2,), 9)
    assert (collected.granted, collected.violations) == ({0: 1, 2: 3}, 10 + 1 + 3 + 6)


def test_who_cannot_be_the_master_queue_is_none_when_it_gives_again() -> None:
    made = attempt("robin", 4)
    made.masters.update(NONE)
    collected = GrantedSlots(made, {0: 2})
    assert collected.take((0,), 9)
    collected.free_slots[0] = 1
    assert collected.take((0,), 9)
    assert (collected.granted, collected.has_master) == ({0: 2}, False)


def test_a_queue_instance_with_fewer_than_no_slots_gives_all_that_is_missing() -> None:
    collected = GrantedSlots(attempt("fill", 4), {0: -2, 1: 9, 2: 9})
    assert collected.take((0, 1, 2), 4)
    assert (collected.granted, collected.collected) == ({0: 4}, 4)


@pytest.mark.parametrize(
    ("rule", "members", "granted", "collected", "left"),
    [
        # With what the counter lacks counted as missing, the next queue instance gives as much more.
        ("robin", (0, 1), {1: 3}, 1, 0),
        ("fill", (0, 1), {1: 6}, 4, 0),
        ("fill", (0,), {}, 0, -2),
    ],
)
def test_a_quota_with_fewer_than_no_slots_is_given_what_it_lacks(
    rule: str, members: tuple[int, ...], granted: dict[int, int], collected: int, left: int
) -> None:
    made = attempt(rule, 4, limit=9)
    made.remaining_quota.room(0, ANY_TASK, None)
    others = made.remaining_quota.quota_request.subject_usage.rule_usages
    made.remaining_quota.quota_request.subject_usage.rule_usages = [others[0], (), ()]
    (room,) = made.remaining_quota._rooms.values()
    room.now = -2
    taken = GrantedSlots(made, {0: -2, 1: 9, 2: 9})
    assert taken.take(members, 4) is bool(granted)
    assert (taken.granted, taken.collected, room.now) == (granted, collected, left)


def test_what_a_quota_lacks_is_put_in_also_where_only_later_slots_are_taken() -> None:
    made = attempt("fill", 4, limit=9)
    (room,) = made.remaining_quota._rooms.values()
    room.now, room.later = -2, 3
    assert made.remaining_quota.take_later(0, 2) == 2
    assert (room.now, room.later) == (0, 1)


def test_a_queue_instance_with_fewer_than_no_slots_gives_what_those_before_it_have_left() -> None:
    collected = GrantedSlots(attempt("fill", 4), {0: 1, 1: -2, 2: 9})
    assert collected.take((0, 1, 2), 4)
    assert (collected.granted, collected.collected) == ({0: 1, 1: 3}, 4)


def test_of_a_number_that_the_rule_does_not_divide_each_host_gives_one_slot() -> None:
    collected = GrantedSlots(attempt("two", 3), {0: 9, 1: 9, 2: 9})
    assert [collected.take(members, 9) for members in ((0, 1), (2,))] == [True, True]
    assert collected.granted == {0: 1, 2: 1}


def test_what_is_given_back_of_a_job_without_soft_requests_takes_off_what_the_last_one_left() -> None:
    made = attempt("two", 4)
    collected = GrantedSlots(made, {0: 1, 1: 0, 2: 0}, violations=10)
    assert not collected.take((0, 1, 2), 9)
    assert collected.violations == 10
    made.context.resources.left_violations[0] = 3
    collected.free_slots[0] = 1
    assert not collected.take((0, 1, 2), 9)
    assert collected.violations == 7
