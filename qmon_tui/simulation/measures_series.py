"""A number over time that keeps its value until the next change; times are seconds since the epoch."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from qmon_tui.values import sum_in_order


@dataclass(slots=True)
class StepSeries:
    """A step function: each time with the value from then on. Before its first time it is 0."""

    times: list[int] = field(default_factory=list)
    values: list[float] = field(default_factory=list)

    def set(self, time: int, value: float) -> None:
        """Set the value from `time` on, which is not before the last one; in one second the last value counts."""
        if self.times and self.times[-1] == time:
            self.values[-1] = value
        elif not self.values or self.values[-1] != value:
            self.times.append(time)
            self.values.append(value)

    def add(self, time: int, change: float) -> None:
        """Add `change` to the value from `time` on."""
        self.set(time, (self.values[-1] if self.values else 0.0) + change)

    def at(self, time: int) -> float:
        """Return the value at a time."""
        place = bisect_right(self.times, time)
        return self.values[place - 1] if place else 0.0

    def pieces(self, start: int, end: int) -> Iterator[tuple[int, int, float]]:
        """Beginning, end and value of each stretch between two times."""
        place = bisect_right(self.times, start)
        since, value = start, self.values[place - 1] if place else 0.0
        for time, following in zip(self.times[place:], self.values[place:], strict=True):
            if time >= end:
                break
            if time > since:
                yield since, time, value
            since, value = time, following
        if end > since:
            yield since, end, value

    def area(self, start: int, end: int) -> float:
        """Its integral over time."""
        return sum_in_order((last - first) * value for first, last, value in self.pieces(start, end))

    def mean(self, start: int, end: int) -> float:
        """Its mean over time; the value where there is no time between."""
        return self.area(start, end) / (end - start) if end > start else self.at(start)

    def largest(self, start: int, end: int) -> float:
        """Its largest value that lasts."""
        return max((value for _, _, value in self.pieces(start, end)), default=self.at(start))

    def sampled(self, start: int, end: int, count: int) -> list[float]:
        """Its means over equal parts of the time, for a chart."""
        bounds = [start + (end - start) * number // count for number in range(count + 1)]
        return [self.mean(first, last) for first, last in pairwise(bounds)]


def product_area(first: StepSeries, second: StepSeries, start: int, end: int) -> float:
    """The integral of the product of two series."""
    return sum_in_order(value * second.area(since, until) for since, until, value in first.pieces(start, end))
