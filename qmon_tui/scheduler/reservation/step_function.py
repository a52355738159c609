"""A step function of time: the amount of a resource in use from each time on (reservation.md#resource-diagrams).

Times are seconds since the epoch; `INFINITE` means never. Before its first step the function is 0. A booking without an
end has its last step at `INFINITE`, but counts as in use even then.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import Final

from qmon_tui.values import INFINITE

QUEUE_END: Final = 2**31 - 1
"""The first time that the search for a reservation tries; if none is found, the reservation is booked there."""


def until(start: int, duration: int) -> int:
    """Return the end of an interval, at most `INFINITE`."""
    return min(start + duration, INFINITE)


def lengthened(duration: int, offset: int) -> int:
    """Return the sum of a duration and an offset, at most `INFINITE`."""
    return min(duration + offset, INFINITE)


class StepFunction:
    """The use of one resource of one object over time."""

    __slots__ = ("_amounts", "_times")

    def __init__(self) -> None:
        self._times: list[int] = []
        self._amounts: list[float] = []

    def copy(self) -> "StepFunction":
        steps = StepFunction()
        steps._times, steps._amounts = self._times.copy(), self._amounts.copy()
        return steps

    def __bool__(self) -> bool:
        return bool(self._times)

    def __iter__(self) -> Iterator[tuple[int, float]]:
        return zip(self._times, self._amounts, strict=True)

    @property
    def times(self) -> tuple[int, ...]:
        """The times at which the amount changes, ascending."""
        return tuple(self._times)

    def add(self, start: int, end: int, amount: float) -> None:
        """Add an amount from `start` until before `end`.

        8.1.9 looks for the end only after the start: an interval that starts at `INFINITE` leaves two steps there,
        which changes the result of `at_queue_end`.
        """
        first = self._step_at(start)
        last = self._step_at(end, first + 1)
        for index in range(first, last):
            self._amounts[index] += amount
        self._simplify(first - 1, last + 1)

    def close(self, start: int, end: int, amount: float) -> None:
        """Set the amount from `start` until before `end`, as a calendar does.

        Bookings in between are dropped, and 8.1.9 continues after `end` with the amount of the first step after
        `start`; a step exactly at `start` is lost.
        """
        times, amounts = self._times, self._amounts
        index = bisect_left(times, start)
        after = amounts[index] if index < len(times) else 0.0
        if index < len(times) and times[index] == start:
            amounts[index] = amount
        else:
            times.insert(index, start)
            amounts.insert(index, amount)
            index += 1
        while index < len(times) and times[index] < end:
            after = amounts[index]
            del times[index], amounts[index]
        if index == len(times):
            times.append(end)
            amounts.append(0.0)
        elif times[index] > end:
            times.insert(index, end)
            amounts.insert(index, after)

    def peak(self, start: int, end: int) -> float:
        """Return the highest amount from `start` (even if `end` is not later) until before `end`.

        With `start` `INFINITE`, return the amount of bookings without an end.
        """
        if start == INFINITE:
            return self.at_queue_end()
        first = bisect_right(self._times, start) - 1
        last = bisect_left(self._times, end)
        return max(self._amounts[max(first, 0) : max(last, first + 1)], default=0.0)

    def at_queue_end(self) -> float:
        """Return the amount in use by bookings without an end."""
        if not self._times:
            return 0.0
        return self._amounts[-2] if self._times[-1] == INFINITE else self._amounts[-1]

    def falls_to(self, limit: float) -> int | None:
        """Return the last time at which the amount falls from above the limit to it or below; None if it never does."""
        for index in range(len(self._times) - 1, 0, -1):
            if self._amounts[index] <= limit < self._amounts[index - 1]:
                return self._times[index]
        return None

    def _step_at(self, time: int, after: int = 0) -> int:
        """Return the index of the step at a time, searched from index `after` on; insert the step if missing."""
        index = bisect_left(self._times, time, after)
        if index == len(self._times) or self._times[index] != time:
            self._times.insert(index, time)
            self._amounts.insert(index, self._amounts[index - 1] if index else 0.0)
        return index

    def _simplify(self, first: int, last: int) -> None:
        """Remove steps between two indexes (included) that do not change the amount."""
        for index in range(min(last, len(self._times) - 1), max(first, 0) - 1, -1):
            before = self._amounts[index - 1] if index else 0.0
            if self._amounts[index] == before:
                del self._times[index], self._amounts[index]
