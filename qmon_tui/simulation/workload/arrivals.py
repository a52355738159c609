"""Arrival times of jobs, in bursts and sessions (workloads.md#arrivals)."""

from collections.abc import Callable, Iterator
from datetime import datetime
from heapq import heappop, heappush
from math import inf
from typing import Final, NamedTuple

from qmon_tui.model import Arrivals, Workload
from qmon_tui.simulation.workload import lublin
from qmon_tui.simulation.workload.dice import Dice

HOUR, DAY, WEEK = 3600, 86400, 7 * 86400
FARTHEST: Final = 2 * 366 * DAY
"""Seconds after which no more jobs arrive: a rate may be mistyped."""


class Cycle:
    """Conversion of seconds of an even stream to seconds since the epoch, by weights of hours and weekdays."""

    def __init__(self, workload: Workload, start: int) -> None:
        day = workload.day or (1.0,) * 24
        week = workload.week or (1.0,) * 7
        mean = sum(day) * sum(week) / (24 * 7)
        self._weights = [hour * weekday / mean for weekday in week for hour in day]
        self._is_even = not (workload.day or workload.week)
        moment = datetime.fromtimestamp(start)
        self._in_week = moment.weekday() * DAY + moment.hour * HOUR + moment.minute * 60 + moment.second
        self._start = start
        self._hour = self._in_week // HOUR
        """The present hour, counted from the Monday before `start`."""
        self._reached = 0.0
        """Even seconds up to the beginning of that hour, or to `start` within it."""

    def time(self, even: float) -> float:
        """Return the time at which `even` even seconds have passed since the start; calls must not go back."""
        if even > FARTHEST:
            return inf
        if self._is_even:
            return self._start + even
        while True:
            weight = self._weights[self._hour % (24 * 7)]
            begins = max(self._hour * HOUR, self._in_week)
            lasts = (self._hour + 1) * HOUR - begins
            if weight and self._reached + lasts * weight > even:
                return self._start + begins - self._in_week + (even - self._reached) / weight
            self._reached += lasts * weight
            self._hour += 1


class Arrival(NamedTuple):
    """A burst of jobs at `time` (seconds since the epoch); all jobs of one source have the same user and `JobKind`."""

    time: float
    source: int
    jobs: int


def arrivals(workload: Workload, seed: int, start: int, rate: float | None) -> Iterator[Arrival]:
    """Yield arrivals in order of time, without end; `rate` is in jobs per hour, None for the rate of the model."""
    dice, sizes = Dice(seed, "arrivals"), Dice(seed, "bursts")

    def burst() -> int:
        return max(1, round(sizes.number(workload.burst)))

    if workload.arrivals == Arrivals.LUBLIN:
        stretch = 1.0 if rate is None else 3600 / rate * workload.burst.mean / _mean_distance(seed)
        for source, time in enumerate(lublin.times(dice, start, stretch)):
            yield Arrival(time, source, burst())
        return
    per_source = max(1.0, workload.burst.mean)
    if workload.arrivals == Arrivals.SESSIONS:
        per_source *= max(1.0, workload.session.mean)
    seconds = 3600 / (rate or 60.0) * per_source
    begins = _begins(Cycle(workload, start), dice, seconds, is_even=workload.arrivals == Arrivals.EVEN)
    if workload.arrivals != Arrivals.SESSIONS:
        yield from (Arrival(time, source, burst()) for source, time in enumerate(begins))
        return
    yield from _sessions(workload, seed, begins, burst)


def _begins(cycle: Cycle, dice: Dice, seconds: float, *, is_even: bool) -> Iterator[float]:
    even = 0.0
    while True:
        yield cycle.time(even)
        even += seconds if is_even else seconds * dice.exponential()


def _sessions(workload: Workload, seed: int, begins: Iterator[float], burst: Callable[[], int]) -> Iterator[Arrival]:
    thoughts = Dice(seed, "thoughts")
    waiting: list[tuple[float, int]] = []
    for source, begin in enumerate(begins):
        while waiting and waiting[0][0] <= begin:
            time, other = heappop(waiting)
            yield Arrival(time, other, burst())
        time = begin
        for _ in range(min(_LONGEST_SESSION, max(1, round(thoughts.number(workload.session))))):
            heappush(waiting, (time, source))
            time += max(1.0, thoughts.number(workload.think))


def _mean_distance(seed: int) -> float:
    dice = Dice(seed, "mean distance")
    return sum(lublin.distance(dice) for _ in range(_TRIED)) / _TRIED


_TRIED: Final = 4000
_LONGEST_SESSION: Final = 10_000
