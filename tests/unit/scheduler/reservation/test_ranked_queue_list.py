"""The list of queue instances where there may be reservations (dispatch.md#order-of-queue-instances)."""

import pytest

from qmon_tui.scheduler.reservation.ranked_queue_list import RankedQueueList

HOST_OF = (0, 1, 2, 0, 1)
"""Instances 0 to 2 are on hosts of their own, 3 and 4 on the first two of these."""


def made(
    *loads: float, members: tuple[int, ...] = (0, 1, 2, 3, 4), seq_nos: str = "00000", by_seqno: bool = False
) -> RankedQueueList:
    return RankedQueueList([int(number) for number in seq_nos], HOST_OF, loads, by_seqno, members)


def sorted_anew(order: RankedQueueList) -> list[int]:
    order.begin()
    order.rank()
    order.sort()
    order.must_sort = False
    return list(order)


@pytest.mark.parametrize(
    ("loads", "seq_nos", "by_seqno", "expected"),
    [
        ((1, 1, 1), "00000", False, [0, 1, 2, 3, 4]),
        ((3, 1, 2), "00000", False, [1, 4, 2, 0, 3]),
        ((3, 1, 2), "00010", False, [1, 4, 2, 0, 3]),
        ((3, 1, 2), "10000", False, [1, 4, 2, 3, 0]),
        ((3, 1, 2), "01000", True, [4, 2, 0, 3, 1]),
        ((1, 1, 1), "21021", True, [2, 1, 4, 0, 3]),
        ((1, 1, 1), "21021", False, [2, 1, 4, 0, 3]),
    ],
)
def test_it_is_sorted_by_load_and_seq_no(
    loads: tuple[float, ...], seq_nos: str, expected: list[int], *, by_seqno: bool
) -> None:
    assert sorted_anew(made(*loads, seq_nos=seq_nos, by_seqno=by_seqno)) == expected


def test_it_is_sorted_again_only_where_ranks_have_changed() -> None:
    order = made(1, 2, 3)
    assert not order.is_sorted
    assert sorted_anew(order) == [0, 3, 1, 4, 2]
    order.restore_order([4, 3, 2, 1, 0])
    assert sorted_anew(order) == [4, 3, 2, 1, 0]
    # A load that is another, though not in rank, is no reason.
    order.set_load([1, 4], 2.5)
    assert (order.load(1), order.load(4), order.load(0)) == (2.5, 2.5, 1)
    assert sorted_anew(order) == [4, 3, 2, 1, 0]
    order.set_load([0, 3], 2.75)
    assert sorted_anew(order) == [4, 1, 3, 0, 2]
    # Nor is one that is set to what it was.
    order.restore_order([0, 1, 2, 3, 4])
    order.set_load([0, 3], 2.75)
    assert sorted_anew(order) == [0, 1, 2, 3, 4]
    order.must_sort = True
    assert sorted_anew(order) == [1, 4, 0, 3, 2]


def test_ranks_are_worked_out_once_for_each_job_with_the_load_of_the_moment() -> None:
    order = made(1, 2, 3)
    sorted_anew(order)
    order.begin()
    order.set_load([0, 3], 9)
    order.rank()
    assert order.is_sorted
    order.begin()
    order.rank()
    assert not order.is_sorted
    order.begin()
    assert order.is_sorted


def test_hosts_that_were_visited_are_ranked_anew() -> None:
    order = made(1, 2, 3)
    sorted_anew(order)
    for has_visited_hosts in (False, True):
        order.note_ranks(has_visited_hosts=has_visited_hosts)
        order.set_load([2], 4)
        order.begin()
        order.rank()
        assert order.is_sorted is not has_visited_hosts
        order.set_load([2], 3)


def test_ranks_may_be_those_of_another_list_of_hosts() -> None:
    order = made(1, 2, 3)
    order.begin()
    order.rank([2, 1, 0])
    order.sort()
    assert list(order) == [2, 1, 4, 0, 3]


def test_a_queue_instance_that_was_not_in_the_list_keeps_its_rank_the_first_at_first() -> None:
    order = made(3, 1, 2, members=(0, 1, 2))
    assert sorted_anew(order) == [1, 2, 0]
    order.append([3, 4])
    assert list(order) == [1, 2, 0, 3, 4]
    order.must_sort = True
    assert sorted_anew(order) == [3, 4, 1, 2, 0]
    order.remove(3)
    order.remove(3)
    assert (len(order), 3 in order, 4 in order, list(order)) == (4, False, True, [4, 1, 2, 0])
    assert order.in_order([0, 3, 4, 0, 1]) == [4, 1, 0]


def test_the_idle_global_host_has_a_rank_of_its_own() -> None:
    """So a host with any load comes after one that was not ranked."""
    order = made(1, 2, 3, members=(0,))
    sorted_anew(order)
    order.append([4])
    order.must_sort = True
    assert sorted_anew(order) == [4, 0]
    idle = made(0, 2, 3, members=(0,))
    sorted_anew(idle)
    idle.append([4])
    idle.must_sort = True
    assert sorted_anew(idle) == [0, 4]


def test_what_was_arranged_by_something_else_stays_so_until_it_is_restored() -> None:
    order = made(3, 1, 2)
    before = order.current_order()
    sorted_anew(order)
    order.arrange(lambda number: (number % 2, 0))
    assert list(order) == [4, 2, 0, 1, 3]
    assert order.in_order([0, 1, 2]) == [2, 0, 1]
    order.restore_order(before)
    assert list(order) == before == [0, 1, 2, 3, 4]
    assert order.in_order([4, 0]) == [0, 4]
