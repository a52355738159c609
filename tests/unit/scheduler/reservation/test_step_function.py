"""The step function against one that keeps every second."""

import itertools
from random import Random

import pytest

from qmon_tui.scheduler.reservation.step_function import StepFunction, lengthened, until
from qmon_tui.values.times import INFINITE

HORIZON = 30


class EverySecond:
    """The same, second by second, in the plainest way; the last second stands for all that come after."""

    def __init__(self) -> None:
        self.amounts = [0.0] * (HORIZON + 1)

    def add(self, start: int, end: int, amount: float) -> None:
        for second in range(start, min(end, HORIZON + 1)):
            self.amounts[second] += amount

    def peak(self, start: int, end: int) -> float:
        return max(self.amounts[start : max(end, start + 1)])

    def falls_to(self, limit: float) -> int | None:
        for second in range(HORIZON, 0, -1):
            if self.amounts[second] <= limit < self.amounts[second - 1]:
                return second
        return None


def drawn(seed: int) -> tuple[StepFunction, EverySecond, bool]:
    """Both of them after the same bookings, and whether something lasts for ever."""
    random = Random(seed)
    steps, seconds = StepFunction(), EverySecond()
    for_ever = False
    for _ in range(random.randint(0, 12)):
        start = random.randrange(HORIZON - 1)
        end = INFINITE if random.random() < 0.1 else random.randint(start + 1, HORIZON - 1)
        for_ever |= end == INFINITE
        amount = random.choice((1.0, 2.0, 0.5))
        steps.add(start, end, amount)
        seconds.add(start, end, amount)
    return steps, seconds, for_ever


@pytest.mark.parametrize("seed", range(300))
def test_it_agrees_with_one_that_keeps_every_second(seed: int) -> None:
    steps, seconds, for_ever = drawn(seed)
    for start in range(HORIZON):
        for end in range(start, HORIZON):
            assert steps.peak(start, end) == seconds.peak(start, end)
    assert steps.at_queue_end() == seconds.amounts[HORIZON]
    for limit in (0.0, 0.5, 1.0, 2.0, 3.5, 20.0):
        ours = steps.falls_to(limit)
        if for_ever and seconds.amounts[HORIZON] > limit:
            assert ours == INFINITE
        else:
            assert ours == seconds.falls_to(limit)


@pytest.mark.parametrize("seed", range(50))
def test_it_keeps_no_step_that_changes_nothing(seed: int) -> None:
    steps, _, _ = drawn(seed)
    amounts = [0.0, *(amount for _, amount in steps)]
    assert all(before != after for before, after in itertools.pairwise(amounts))
    assert list(steps.times) == sorted(set(steps.times))


def test_nothing_is_left_of_what_is_taken_back() -> None:
    steps = StepFunction()
    steps.add(0, 50, 2.0)
    steps.add(10, 60, 1.0)
    steps.add(0, 50, -2.0)
    assert list(steps) == [(10, 1.0), (60, 0.0)]
    steps.add(10, 60, -1.0)
    assert list(steps) == []


def test_what_lasts_for_ever_is_in_use_in_the_end() -> None:
    steps = StepFunction()
    steps.add(10, 50, 2.0)
    steps.add(20, INFINITE, 1.0)
    assert steps.at_queue_end() == 1.0
    assert steps.falls_to(1.0) == 50
    assert steps.falls_to(0.0) == INFINITE


def test_times_end_where_32_bits_do() -> None:
    assert until(4_000_000_000, 1_000_000_000) == INFINITE
    assert lengthened(INFINITE, 60) == INFINITE
    assert lengthened(3600, 60) == 3660


@pytest.mark.parametrize(
    ("booked", "expected"),
    [
        ([], [(100, 4.0), (200, 0.0)]),
        ([(50, 80, 1.0)], [(50, 1.0), (80, 0.0), (100, 4.0), (200, 0.0)]),
        # What was booked across the end of the period is forgotten: the next amount counts already.
        ([(50, 300, 1.0)], [(50, 1.0), (100, 4.0), (200, 0.0), (300, 0.0)]),
        ([(150, 300, 1.0)], [(100, 4.0), (200, 1.0), (300, 0.0)]),
        # A step right at the beginning goes, and the amount of the period stays on after it.
        ([(100, 300, 1.0)], [(200, 4.0), (300, 0.0)]),
    ],
)
def test_a_calendar_overrides_what_was_booked(
    booked: list[tuple[int, int, float]], expected: list[tuple[int, float]]
) -> None:
    steps = StepFunction()
    for start, end, amount in booked:
        steps.add(start, end, amount)
    steps.close(100, 200, 4.0)
    assert list(steps) == expected


def test_what_begins_when_all_things_end_hides_what_never_ends() -> None:
    # As the real scheduler's diagrams: a job with soft requests was promised the end of time.
    steps = StepFunction()
    steps.add(100, INFINITE, 4.0)
    assert steps.at_queue_end() == 4.0
    steps.add(INFINITE, INFINITE, 1.0)
    assert list(steps) == [(100, 4.0), (INFINITE, 1.0), (INFINITE, 0.0)]
    assert steps.at_queue_end() == 1.0
    assert steps.peak(100, 200) == 4.0
