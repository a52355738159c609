"""A number over time that keeps its value until the next change; times are seconds since the epoch."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from qmon_tui.values import sum_in_order


@dataclass(slots=True)
class StepSeries:
    """A step function: each time with the value from then on; 0 before the first time."""

    times: list[int] = field(default_factory=list)
    values: list[float] = field(default_factory=list)

    def set(self, time: int, value: float) -> None:
        """Set the value from `time` on, which is not before the last time; in one second the last value counts."""
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
        """Yield beginning, end and value of each constant piece between two times."""
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
        """Return the integral between two times."""
        return sum_in_order((last - first) * value for first, last, value in self.pieces(start, end))

    def mean(self, start: int, end: int) -> float:
        """Return the mean between two times; if they are equal, the value at that time."""
        return self.area(start, end) / (end - start) if end > start else self.at(start)

    def largest(self, start: int, end: int) -> float:
        """Return the largest value between two times that lasts for at least a second."""
        return max((value for _, _, value in self.pieces(start, end)), default=self.at(start))

    def sampled(self, start: int, end: int, count: int) -> list[float]:
        """Return the means over `count` equal parts of the time, for a chart."""
        bounds = [start + (end - start) * number // count for number in range(count + 1)]
        return [self.mean(first, last) for first, last in pairwise(bounds)]


def product_area(first: StepSeries, second: StepSeries, start: int, end: int) -> float:
    """Return the integral of the product of two series between two times."""
    return sum_in_order(value * second.area(since, until) for since, until, value in first.pieces(start, end))
