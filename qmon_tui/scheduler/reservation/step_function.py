"""A step function of time: how much of a resource is in use from each moment on (reservation.md#resource-diagrams).

Times are seconds since the epoch, `INFINITE` being the time that never comes. Before its first step the function is 0.
What lasts for ever ends at `INFINITE` as well, but counts as taken at the end of all things.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import Final

from qmon_tui.values import INFINITE

QUEUE_END: Final = 2**31 - 1
"""The time at which a reservation is looked for first; what gets none but was promised one is booked there."""


def until(start: int, duration: int) -> int:
    """The end of something that begins at a time and lasts so long."""
    return min(start + duration, INFINITE)


def lengthened(duration: int, offset: int) -> int:
    """A duration and some more; what has no end gets none."""
    return min(duration + offset, INFINITE)


class StepFunction:
    """One resource of one object; grows by what is booked."""

    __slots__ = ("_amounts", "_times")

    def __init__(self) -> None:
        self._times: list[int] = []
        self._amounts: list[float] = []

    def copy(self) -> "StepFunction":
        """The same steps, to be changed by themselves."""
        steps = StepFunction()
        steps._times, steps._amounts = self._times.copy(), self._amounts.copy()
        return steps

    def __bool__(self) -> bool:
        return bool(self._times)

    def __iter__(self) -> Iterator[tuple[int, float]]:
        return zip(self._times, self._amounts, strict=True)

    @property
    def times(self) -> tuple[int, ...]:
        """The moments at which the amount changes, ascending."""
        return tuple(self._times)

    def add(self, start: int, end: int, amount: float) -> None:
        """Use so much more from a time until before another.

        8.1.9 looks for the end behind the beginning: what begins when all things end leaves two steps there, and with
        that another amount in the end.
        """
        first = self._step_at(start)
        last = self._step_at(end, first + 1)
        for index in range(first, last):
            self._amounts[index] += amount
        self._simplify(first - 1, last + 1)

    def close(self, start: int, end: int, amount: float) -> None:
        """Use exactly so much from a time until before another: a calendar does that.

        What was booked in between is forgotten, and 8.1.9 goes on afterwards with the amount of the first step that it
        has met after the beginning; a step right at the beginning is lost.
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
        """The highest amount from a time until before another; that at `start` where no time lies between.

        At `INFINITE` nothing has ended that never ends.
        """
        if start == INFINITE:
            return self.at_queue_end()
        first = bisect_right(self._times, start) - 1
        last = bisect_left(self._times, end)
        return max(self._amounts[max(first, 0) : max(last, first + 1)], default=0.0)

    def at_queue_end(self) -> float:
        """What is in use when all that ends has ended."""
        if not self._times:
            return 0.0
        return self._amounts[-2] if self._times[-1] == INFINITE else self._amounts[-1]

    def falls_to(self, limit: float) -> int | None:
        """The last time at which the amount falls to a limit or below it; None where it never does."""
        for index in range(len(self._times) - 1, 0, -1):
            if self._amounts[index] <= limit < self._amounts[index - 1]:
                return self._times[index]
        return None

    def _step_at(self, time: int, after: int = 0) -> int:
        """The place of the step at a time, from a place on; made where there is none."""
        index = bisect_left(self._times, time, after)
        if index == len(self._times) or self._times[index] != time:
            self._times.insert(index, time)
            self._amounts.insert(index, self._amounts[index - 1] if index else 0.0)
        return index

    def _simplify(self, first: int, last: int) -> None:
        """Take out the steps between two places that change nothing, and leading ones to 0."""
        for index in range(min(last, len(self._times) - 1), max(first, 0) - 1, -1):
            before = self._amounts[index - 1] if index else 0.0
            if self._amounts[index] == before:
                del self._times[index], self._amounts[index]
