"""When jobs come, and which of them belong together (workloads.md#arrivals)."""

from collections.abc import Callable, Iterator
from heapq import heappop, heappush
from typing import Final, NamedTuple

from qmon_tui.model import Arrivals, Workload
from qmon_tui.simulation.workload import lublin
from qmon_tui.simulation.workload.cycle import Cycle
from qmon_tui.simulation.workload.dice import Dice


class Arrival(NamedTuple):
    """A burst of jobs in one second, since the epoch; jobs of one source have the same user and kind."""

    time: float
    source: int
    jobs: int


def arrivals(workload: Workload, seed: int, start: int, rate: float | None) -> Iterator[Arrival]:
    """Yield arrivals by time, without an end; `rate` is in jobs per hour, None for the rate of the model."""
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
