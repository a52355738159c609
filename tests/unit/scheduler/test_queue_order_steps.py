"""The list of queue instances step by step: ranks of hosts, cursors, ties (dispatch.md#order-of-queue-instances)."""

import pytest

from qmon_tui.scheduler.jobs import Cursor
from qmon_tui.scheduler.placement.queue_order import HostRanks, QueueOrder


@pytest.mark.parametrize(
    ("loads", "notes", "has_news", "is_other"),
    [
        ([1, 2, 4], [], False, False),
        ([1, 2, 4], [(2, 2)], False, False),
        ([1, 2, 4], [(2, 3)], True, False),
        ([1, 2, 4], [(2, 4)], True, True),
        ([1, 2, 4], [(2, 5)], True, True),
        ([1, 2, 4], [(2, 1)], True, True),
        ([1, 2, 4], [(1, 0.5)], True, False),
        ([1, 2, 4], [(1, 0)], True, True),  # the global host has no load
        ([1, 2, 4], [(1, -1)], True, True),
        ([2, 2, 4], [(1, 3)], True, True),
        ([1, 2, 4], [(2, 4), (3, 5)], True, False),
        ([1, 2, 4], [(2, 5), (3, 4.5)], True, True),
        ([1, 2, 4], [(2, 5), (2, 2)], True, False),
        ([1, 2, 4], [(2, 5), (3, 6), (2, 2)], True, False),
    ],
)
def test_hosts_have_other_ranks_once_one_meets_leaves_or_passes_another(
    loads: list[float], notes: list[tuple[int, float]], has_news: bool, is_other: bool
) -> None:
    ranks = HostRanks([0, 0, 1, 2], loads)
    for number, load in notes:
        ranks.note(number, load)
    assert (ranks.has_news, ranks.is_other, ranks.is_other) == (has_news, is_other, is_other)
    ranks.forget()
    assert (ranks.has_news, ranks.is_other) == (False, False)
    ranks.note(2, 3.5)
    assert (ranks.has_news, ranks.is_other) == (True, True)


def test_a_cursor_goes_on_where_it_stood_whatever_moves() -> None:
    order = QueueOrder([0] * 5, [1, 2, 3, 4, 5], by_seqno=False, members=range(5))
    assert order.is_arranged
    order.sort()
    assert not order.is_arranged
    cursor, host_of = Cursor(), [0, 0, 1, 1, 2]
    assert order.next_from(cursor, ()) == 0
    assert (order.next_from(cursor, {0, 1}), cursor.position) == (2, 2)
    assert (order.next_from(cursor, ()), list(order.rest(cursor))) == (2, [2, 3, 4])
    order.remove(1)
    assert (order.next_from(cursor, {0}), cursor.position) == (2, 1)
    assert (1 in order, 2 in order, len(order)) == (False, True, 4)
    assert order.in_order([4, 1, 2]) == [2, 4]
    assert (order.next_elsewhere(cursor, {1}, host_of), cursor.position) == (4, 3)
    assert order.next_elsewhere(cursor, {2}, host_of) is None
    # What moves before the cursor is of use again.
    order.set_load([3], 0.5)
    order.sort()
    assert list(order) == [3, 0, 2, 4]
    assert (order.next_from(cursor, ()), cursor.position) == (3, 0)
    assert order.next_from(cursor, {0, 2, 3}) == 4
    # A list that was sorted as a whole is gone through from its beginning.
    order.arrange(lambda number: (0, number))
    assert (order.is_arranged, list(order.rest(cursor))) == (True, [0, 2, 3, 4])
    order.must_sort = True
    order.sort()
    assert (order.next_from(cursor, ()), list(order.rest(cursor))) == (3, [3, 0, 2, 4])


def test_a_removed_queue_instance_does_not_move_any_more() -> None:
    order = QueueOrder([0] * 3, [1, 2, 3], by_seqno=False, members=range(3))
    order.sort()
    order.set_load([2], 0.5)
    order.remove(2)
    assert order.is_sorted is True
    order.sort()
    assert list(order) == [0, 1]
    following = QueueOrder([0] * 3, [1, 2, 3], by_seqno=False, members=range(3))
    following.take_over(order)
    assert (list(following), len(following)) == ([0, 1], 2)


@pytest.mark.parametrize(("load", "is_sorted"), [(1.5, True), (2, False), (3, False)])
def test_a_ranked_list_stays_until_a_host_has_another_rank(load: float, is_sorted: bool) -> None:
    loads = [1.0, 2.0]
    order = QueueOrder([0, 0], loads, by_seqno=False, members=range(2), rank=lambda: HostRanks([0, 1], [1.2, 2]))
    order.sort()
    order.must_sort = False
    order.set_load([0], 1.2)
    order.note_ranks(has_visited_hosts=False)
    assert order.is_sorted is True
    order.set_load([0], load)
    assert order.is_sorted is is_sorted
    order.must_sort = True
    assert order.is_sorted is False
    order.must_sort = False
    order.sort()
    assert list(order) == ([1, 0] if load > 2 else [0, 1])
    assert order.is_sorted is True
    order.note_ranks(has_visited_hosts=True)
    order.set_load([0], 1.6)
    assert order.is_sorted is False


def test_ranks_count_only_where_somebody_ranks_and_something_is_to_be_sorted() -> None:
    order = QueueOrder([0, 0], [1.0, 2.0], by_seqno=False, members=range(2), rank=lambda: HostRanks([0, 1], [1, 2]))
    order.sort()
    for load in (1.2, 1.0):
        order.set_load([0], load)
    order.note_ranks(has_visited_hosts=False)
    assert not order.is_arranged
    unranked = QueueOrder([0, 0], [1.0, 2.0], by_seqno=False, members=range(2))
    unranked.sort()
    unranked.set_load([0], 1.2)
    unranked.note_ranks(has_visited_hosts=False)
    assert not unranked.is_arranged


def test_what_rises_to_another_load_comes_before_those_that_had_it() -> None:
    order = QueueOrder([0, 0], [2.0, 1.0], by_seqno=False, members=range(2))
    order.sort()
    order.set_load([1], 2.0)
    order.sort()
    assert (list(order), list(order.current_order())) == ([1, 0], [1, 0])
    # So it does once the whole list was sorted; an arrangement leaves what is equal in its order.
    order.arrange(lambda number: (0, -number))
    order.arrange(lambda _: (0, 0))
    assert (list(order), list(order.current_order())) == ([1, 0], [1, 0])
    order.arrange(lambda number: (0, number))
    order.arrange(lambda _: (0, 0))
    assert list(order) == [0, 1]
    order.set_load([1], 1.0)
    order.sort()
    order.set_load([1], 2.0)
    order.sort()
    assert list(order) == [1, 0]
