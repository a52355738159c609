"""The order of queue instances, and the fast order against plain sorting.

Source: dispatch.md#order-of-queue-instances and dispatch.md#load-formula.
"""

from dataclasses import replace
from typing import Literal, get_args

import pytest
from hypothesis import given, strategies as st

from qmon_tui.scheduler.configuration.load_formula import ERROR_LOAD, LoadFormula
from qmon_tui.scheduler.placement.plain_queue_list import PlainQueueList
from qmon_tui.scheduler.placement.queue_order import HostRanks, QueueOrder
from qmon_tui.scheduler.reservation.ranked_queue_list import RankedQueueList
from tests.unit.scheduler.building import (
    NOW,
    attribute,
    cluster,
    host,
    job,
    places,
    queue,
    run,
    running,
    scheduler,
)

LOADS = {"np_load_avg": "0.1", "num_proc": "2"}


# Section 16, to the letter: ties are broken by history, not by name.
def test_worked_example() -> None:
    on = cluster(
        queue("all.q", "h1 h2 h3", 2),
        scheduler(job_load_adjustments="np_load_avg=0.50", load_formula="np_load_avg"),
    )
    loads = {"h1": LOADS, "h2": LOADS, "h3": {**LOADS, "np_load_avg": "0.3"}}
    outcome = run(on, *(job(number) for number in range(1, 5)), loads=loads)
    assert places(outcome) == {1: "all.q@h1", 2: "all.q@h2", 3: "all.q@h3", 4: "all.q@h2"}


def test_seqno_first_or_load_first() -> None:
    queues = (queue("a.q", "h1 h2", 1, seq_no="1,[h2=5]"), queue("b.q", "h1 h2", 1, seq_no="2"))
    loads = {"h1": {"np_load_avg": "0.9"}, "h2": {"np_load_avg": "0.1"}}
    jobs = [job(number) for number in range(1, 5)]
    by_seqno = run(cluster(*queues, scheduler(queue_sort_method="seqno")), *jobs, loads=loads)
    assert list(places(by_seqno).values()) == ["a.q@h1", "b.q@h2", "b.q@h1", "a.q@h2"]
    by_load = run(cluster(*queues), *jobs, loads=loads)
    assert list(places(by_load).values()) == ["b.q@h2", "a.q@h2", "a.q@h1", "b.q@h1"]


def test_hosts_without_load_come_last() -> None:
    on = cluster(queue("all.q", "h1 h2 h3", 1))
    outcome = run(on, job(1), job(2), loads={"h2": {"np_load_avg": "7"}, "h3": {"np_load_avg": "5"}})
    assert places(outcome) == {1: "all.q@h3", 2: "all.q@h2"}


def test_load_is_scaled_before_it_is_sorted_by() -> None:
    on = cluster(queue("all.q", "h1 h2", 1), host("h1", load_scaling="np_load_avg=10"))
    outcome = run(on, job(1), loads={"h1": {"np_load_avg": "0.1"}, "h2": {"np_load_avg": "0.5"}})
    assert places(outcome) == {1: "all.q@h2"}


def test_remaining_consumables_in_the_formula_fill_one_host_after_the_other() -> None:
    on = cluster(
        attribute("lic lic INT <= YES YES 0"),
        queue("all.q", "h1 h2", 5),
        scheduler(load_formula="lic"),
        host("h1", "lic=4"),
        host("h2", "lic=3"),
    )
    outcome = run(on, *(job(number, "-l lic=1") for number in range(1, 6)))
    assert list(places(outcome).values()) == ["all.q@h2", "all.q@h2", "all.q@h2", "all.q@h1", "all.q@h1"]


def test_recent_starts_raise_the_load_until_it_has_decayed() -> None:
    on = cluster(
        queue("all.q", "h1 h2", 5),
        scheduler(job_load_adjustments="np_load_avg=1", load_adjustment_decay_time="0:1:40"),
    )
    loads = {"h1": {"np_load_avg": "0.5"}, "h2": {"np_load_avg": "1.2"}}
    for age, place in ((10, "all.q@h2"), (40, "all.q@h1"), (200, "all.q@h1")):
        busy = running(1, "all.q@h1")
        young = replace(busy, tasks={1: replace(busy.tasks[1], started=NOW - age)})
        assert places(run(on, young, job(2), loads=loads)) == {2: place}


def test_queue_instances_with_jobs_come_after_idle_ones_that_are_equal() -> None:
    on = cluster(queue("all.q", "h1 h2 h3", 5))
    outcome = run(on, running(1, "all.q@h1"), job(2), job(3))
    assert places(outcome) == {2: "all.q@h2", 3: "all.q@h2"}


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("a", 3.0),
        ("$a", 3.0),
        ("-a", -3.0),
        ("a+b", 8.0),
        ("a-b", -2.0),
        ("a*2", 6.0),
        ("2*a", 6.0),
        ("b-a*2+1", 0.0),
        ("a*b", 15.0),
        ("b/2", 2.5),
        ("b&4", 4.0),
        ("a|4", 7.0),
        ("a^b", 6.0),
        ("0.5", 0.5),
        ("nosuch", ERROR_LOAD),
        ("a+nosuch", ERROR_LOAD),
        ("a*2*3", 6.0),
        ("", 0.0),
    ],
)
def test_load_formula(formula: str, value: float) -> None:
    assert LoadFormula.parse(formula).evaluate({"a": 3.0, "b": 5.0}.get) == value


@st.composite
def cases(draw: st.DrawFn) -> tuple[list[int], list[int], list[float], list[tuple[int, float]], bool]:
    hosts = draw(st.integers(1, 4))
    host_of = draw(st.lists(st.integers(0, hosts - 1), min_size=1, max_size=10))
    seq_nos = draw(st.lists(st.integers(0, 2), min_size=len(host_of), max_size=len(host_of)))
    load = st.sampled_from([0.0, 0.5, 1.0, 1.5])
    loads = draw(st.lists(load, min_size=hosts, max_size=hosts))
    moves = draw(st.lists(st.tuples(st.integers(0, hosts - 1), load), max_size=12))
    return host_of, seq_nos, loads, moves, draw(st.booleans())


@given(cases())
def test_moving_is_the_same_as_sorting_again(
    case: tuple[list[int], list[int], list[float], list[tuple[int, float]], bool],
) -> None:
    host_of, seq_nos, loads, moves, by_seqno = case

    def key(number: int) -> tuple[float, float]:
        load, seq_no = loads[host_of[number]], float(seq_nos[number])
        return (seq_no, load) if by_seqno else (load, seq_no)

    plain = list(range(len(host_of)))
    order = QueueOrder(seq_nos, [loads[one] for one in host_of], by_seqno, plain)
    assert list(order) == plain
    plain.sort(key=key)
    order.sort()
    assert list(order) == plain
    for step, (place, load) in enumerate(moves):
        loads[place] = load
        order.set_load([number for number, one in enumerate(host_of) if one == place], load)
        if step % 3:  # several hosts may have changed before the next sort
            plain.sort(key=key)
            order.sort()
            assert list(order) == plain


@given(cases(), st.lists(st.integers(0, 3), min_size=10, max_size=10), st.booleans())
def test_an_arrangement_stays_until_the_list_is_sorted_again(
    case: tuple[list[int], list[int], list[float], list[tuple[int, float]], bool], ranks: list[int], placed: bool
) -> None:
    host_of, seq_nos, loads, moves, by_seqno = case

    def key(number: int) -> tuple[float, float]:
        load, seq_no = loads[host_of[number]], float(seq_nos[number])
        return (seq_no, load) if by_seqno else (load, seq_no)

    expected = sorted(range(len(host_of)), key=key)
    of_list = seq_nos, [loads[one] for one in host_of], by_seqno, list(range(len(host_of)))
    orders = QueueOrder(*of_list), PlainQueueList(*of_list, lambda: HostRanks(host_of, list(loads)))
    for order in orders:
        order.sort()
        order.must_sort = False
        order.arrange(lambda number: (0, ranks[number]))
    expected.sort(key=lambda number: (ranks[number], *key(number)))
    for order in orders:
        assert list(order) == expected
        assert order.in_order(reversed(range(len(host_of)))) == expected
        order.sort()
        assert list(order) == expected
        order.remove(0)
        order.must_sort = placed
    expected.remove(0)
    changed = False
    for place, load in moves[:1]:
        numbers = [number for number, one in enumerate(host_of) if one == place]
        changed = bool(numbers) and load != loads[place]
        loads[place] = load
        for order in orders:
            order.set_load(numbers, load)
    for order in orders:
        order.sort()
        assert list(order) == (sorted(expected, key=key) if placed or changed else expected)


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize(
    ("news", "is_sorted"),
    [
        ([], True),
        ([(1, 0.2)], True),
        ([(1, 0.5)], False),
        ([(0, 0.1)], True),
        # Of a host that is full nothing is left in the list, and yet its load counts.
        ([(0, 0.5)], False),
        ([(0, 0.5), (0, 0.1)], False),
        ([(1, 0.5), (2, 0.3)], False),
    ],
)
def test_an_arrangement_is_given_up_where_any_load_is_another(
    plain: bool, news: list[tuple[int, float]], is_sorted: bool
) -> None:
    of_list = [0, 0, 0], [0.1, 0.2, 0.3], False, [0, 1, 2]
    order = PlainQueueList(*of_list, lambda: HostRanks([0, 1, 2], [0.1, 0.2, 0.3])) if plain else QueueOrder(*of_list)
    order.sort()
    order.must_sort = False
    order.arrange(lambda number: (0, -number))
    order.remove(0)
    for number, load in news:
        order.set_load([number], load)
    assert order.is_sorted is is_sorted
    order.sort()
    assert list(order) == ([2, 1] if is_sorted or (1, 0.5) in news else [1, 2])
    assert order.is_sorted


Try = Literal["sequential", "looks", "fails early"]


@given(cases(), st.lists(st.sampled_from(get_args(Try)), min_size=12, max_size=12), st.booleans())
def test_both_lists_are_sorted_at_the_same_times(
    case: tuple[list[int], list[int], list[float], list[tuple[int, float]], bool], tries: list[Try], rising: bool
) -> None:
    host_of, seq_nos, loads, moves, by_seqno = case
    now = list(loads)
    numbers = list(range(len(host_of)))
    fast = QueueOrder(
        seq_nos, [loads[one] for one in host_of], by_seqno, numbers, lambda: HostRanks(host_of, list(now))
    )
    detailed = RankedQueueList(seq_nos, host_of, loads, by_seqno, numbers)
    plain = PlainQueueList(
        seq_nos, [loads[one] for one in host_of], by_seqno, numbers, lambda: HostRanks(host_of, list(now))
    )
    for kind, (place, load) in zip(tries, moves, strict=False):
        detailed.begin()
        detailed.rank()
        if kind != "fails early":
            for order in (fast, plain, detailed):
                order.sort()
        if kind == "sequential":
            fast.must_sort = plain.must_sort = detailed.must_sort = False
        else:
            for order in (fast, plain, detailed):
                order.note_ranks(has_visited_hosts=kind == "looks")
        assert list(fast) == list(plain) == list(detailed)
        if kind == "sequential":
            now[place] = now[place] + load if rising else load
            started_on = [number for number, one in enumerate(host_of) if one == place]
            for order in (fast, plain, detailed):
                order.set_load(started_on, now[place])


@given(st.lists(st.integers(0, 5), max_size=8), st.lists(st.integers(0, 7), max_size=8))
def test_removed_instances_are_gone(loads: list[int], removed: list[int]) -> None:
    numbers = list(range(len(loads)))
    order = QueueOrder([0] * len(loads), [float(load) for load in loads], False, numbers)
    for step, number in enumerate(removed):
        order.remove(number)
        if step == 2:
            order.sort()
    order.sort()
    assert list(order) == [number for number in sorted(numbers, key=loads.__getitem__) if number not in removed]
    assert len(order) == len(set(numbers) - set(removed))


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize(
    ("news", "is_sorted", "order"),
    [
        ([], True, [0, 1, 2]),
        ([(0, 0.5)], False, [1, 2, 0]),
        # A load that is again what it was has changed nothing.
        ([(0, 0.5), (0, 0.1)], True, [0, 1, 2]),
        ([(0, 0.5), (1, 0.2)], False, [1, 2, 0]),
    ],
)
def test_a_list_that_is_not_arranged_is_sorted_where_a_load_is_another(
    plain: bool, news: list[tuple[int, float]], is_sorted: bool, order: list[int]
) -> None:
    of_list = [0, 0, 0], [0.1, 0.2, 0.3], False, [0, 1, 2]
    built = PlainQueueList(*of_list, lambda: HostRanks([0, 1, 2], [0.1, 0.2, 0.3])) if plain else QueueOrder(*of_list)
    built.sort()
    built.must_sort = False
    for number, load in news:
        built.set_load([number], load)
    assert built.is_sorted is is_sorted
    built.sort()
    assert list(built) == order
