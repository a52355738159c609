"""Forecast of a recorded period with edits, and its bounds from the known error of the simulation.

Source: measures.md#calibration.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

from qmon_tui.simulation.confidence import Interval, interval
from qmon_tui.simulation.execution import TaskKey
from qmon_tui.simulation.measures import Distribution

PARTS: Final = 10
"""Number of parts of a period, each with its own error of the simulation."""


@dataclass(frozen=True, slots=True)
class CalibratedTask:
    """A task as recorded, as simulated, and with the edits; waits in seconds, times in seconds since the epoch."""

    key: TaskKey
    recorded_wait: int
    wait: int
    wait_with_edits: int | None
    """None if it does not start with the edits."""
    ends: tuple[int | None, int | None, int | None]
    """Recorded end, simulated end, end with the edits; None if it did not end."""


@dataclass(frozen=True, slots=True)
class Band:
    """A measure as recorded, and its forecast with the edits, with bounds."""

    recorded: float
    simulated: float
    """The simulated value with the edits."""
    expected: float
    """`simulated` corrected by the known error of the simulation."""
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Forecast:
    """The forecast with some edits: waits in seconds, throughput in tasks per hour."""

    edits: tuple[str, ...]
    wait: Band
    p95: Band
    throughput: Band

    @property
    def bands(self) -> Mapping[str, Band]:
        return {"wait.mean": self.wait, "wait.p95": self.p95, "throughput_per_hour": self.throughput}


def forecast_of(edits: tuple[str, ...], tasks: Sequence[CalibratedTask], start: int) -> Forecast:
    """Return the forecast from the compared tasks, in the order of submission; `start` begins the period."""
    size = max(1, len(tasks) // PARTS)
    parts = [tasks[place : place + size] for place in range(0, size * (len(tasks) // size), size)]
    waits = [float(task.wait_with_edits) for task in tasks if task.wait_with_edits is not None]
    means = [_mean([task.wait - task.recorded_wait for task in part]) for part in parts]
    tails = [_p95([task.wait for task in part]) - _p95([task.recorded_wait for task in part]) for part in parts]
    last = max((end for task in tasks if (end := task.ends[0]) is not None), default=start)
    rates = [_rates([task.ends[number] for task in tasks], start, last) for number in (0, 1)]
    errors = [simulated - recorded for recorded, simulated in zip(*rates, strict=True)]
    return Forecast(
        edits,
        _band(_mean([task.recorded_wait for task in tasks]), _mean(waits), interval(means)),
        _band(_p95([task.recorded_wait for task in tasks]), _p95(waits), interval(tails)),
        _band(
            throughput([task.ends[0] for task in tasks], start),
            throughput([task.ends[2] for task in tasks], start),
            interval(errors),
        ),
    )


def throughput(ends: Sequence[int | None], start: int) -> float:
    """Return ended tasks per hour from `start` (the first submission) to the last end; 0 if none ended."""
    known = [end for end in ends if end is not None]
    return 3600 * len(known) / (max(known) - start) if known and max(known) > start else 0.0


def _band(recorded: float, simulated: float, error: Interval) -> Band:
    expected = max(0.0, simulated - error.mean)
    # The forecast is for one more period: its own random error adds to that of the mean.
    half = error.half * sqrt(2)
    return Band(recorded, simulated, expected, max(0.0, expected - half), expected + half)


def _rates(ends: Sequence[int | None], start: int, last: int) -> list[float]:
    """Return the ended tasks per hour in each of `PARTS` equal parts of the period."""
    length = max(1, last - start) / PARTS
    counts = [0] * PARTS
    for end in ends:
        if end is not None and start <= end <= last:
            counts[min(PARTS - 1, int((end - start) / length))] += 1
    return [3600 * count / length for count in counts]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _p95(values: Sequence[float]) -> float:
    distribution = Distribution.of(values)
    return distribution.percentiles[95] if distribution is not None else 0.0
