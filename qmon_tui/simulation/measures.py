"""Measures of a simulated period (docs/reference/measures.md)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

from qmon_tui.formats.records import FinishedTask
from qmon_tui.simulation.task_record import TaskRecord
from qmon_tui.values import sum_in_order

SHORTEST = 10
"""Least run time in seconds for the bounded slowdown: shorter tasks count as this long (measures.md#slowdown)."""
PERCENTILES = (50, 90, 95, 99)
STARVED_AFTER: Final = 86400
"""Default seconds of waiting after which a task counts as starved."""


@dataclass(frozen=True, slots=True)
class Distribution:
    """Summary of numbers: their count, mean, percentiles by the nearest rank, and the largest."""

    count: int
    mean: float
    percentiles: Mapping[int, float]
    largest: float

    @classmethod
    def of(cls, values: Iterable[float]) -> "Distribution | None":
        """Summarise values; None if there are none."""
        ordered = sorted(values)
        if not ordered:
            return None
        ranks = {percent: ordered[max(1, ceil(percent * len(ordered) / 100)) - 1] for percent in PERCENTILES}
        return cls(len(ordered), sum_in_order(ordered) / len(ordered), ranks, ordered[-1])

    def as_data(self) -> dict[str, float]:
        named = {"median" if percent == 50 else f"p{percent}": value for percent, value in self.percentiles.items()}
        return {"count": self.count, "mean": self.mean, **named, "max": self.largest}


def wait(record: TaskRecord) -> float | None:
    """Return seconds from submission to the last start; None before it (measures.md#waiting-time)."""
    return None if record.started is None else float(record.started - record.submitted)


def waited(record: TaskRecord, end: int) -> int:
    """Return seconds from submission to the last start, the deletion or the end of the day (measures.md#starvation)."""
    return record.waiting_until(end) - record.submitted


def turnaround(record: TaskRecord) -> float | None:
    """Return seconds from submission to the end; None before it (measures.md#turnaround)."""
    return None if record.ended is None else float(record.ended - record.submitted)


def slowdown(record: TaskRecord) -> float | None:
    """Return turnaround over run time; None before the end or if the task took no time (measures.md#slowdown)."""
    whole, run_time = turnaround(record), record.run_time
    return None if whole is None or not run_time else whole / run_time


def bounded_slowdown(record: TaskRecord) -> float | None:
    """Return turnaround over run time, at least 1; shorter run times count as `SHORTEST`; None before the end."""
    whole, run_time = turnaround(record), record.run_time
    return None if whole is None or run_time is None else max(1.0, whole / max(run_time, SHORTEST))


TASK_MEASURES: Mapping[str, Callable[[TaskRecord], float | None]] = {
    "wait": wait,
    "turnaround": turnaround,
    "slowdown": slowdown,
    "bounded_slowdown": bounded_slowdown,
}


def master_queue(record: TaskRecord) -> str | None:
    """Return the cluster queue of the master task; None before the start."""
    return next(iter(record.granted)).partition("@")[0] if record.granted else None


_SIZES: Final = ((1, "1"), (8, "2-8"), (32, "9-32"), (128, "33-128"))
_LENGTHS: Final = ((60, "under 1 min"), (600, "1-10 min"), (3600, "10-60 min"), (21600, "1-6 h"), (86400, "6-24 h"))


def size_class(record: TaskRecord) -> str | None:
    """Return the class of a task by its slots, such as `2-8`; None before the start (measures.md#classes)."""
    if record.started is None:
        return None
    return next((name for most, name in _SIZES if record.slots <= most), "over 128")


def length_class(record: TaskRecord) -> str | None:
    """Return the class of a task by its run time, such as `1-6 h`; None before the end (measures.md#classes)."""
    seconds = record.run_time
    return None if seconds is None else next((name for end, name in _LENGTHS if seconds < end), "over 24 h")


GROUPS: Mapping[str, Callable[[TaskRecord], str | None]] = {
    "owner": lambda record: record.owner,
    "project": lambda record: record.project,
    "department": lambda record: record.department,
    "queue": master_queue,
    "size": size_class,
    "length": length_class,
}


def measures(
    records: Sequence[TaskRecord], start: int, end: int, total_slots: int, starved_after: int = STARVED_AFTER
) -> dict[str, object]:
    """Return all measures of the tasks between two times (seconds since the epoch), ready for JSON.

    `total_slots` counts all queue instances; a task that waits longer than `starved_after` seconds is starved.
    """
    window = max(0, end - start)
    ended = _ended(records, start, end)
    used = sum_in_order(_slot_seconds(record, start, end) for record in records)
    groups = {name: _by_group(records, group, start, end) for name, group in GROUPS.items()}
    return {
        "seconds": window,
        "tasks": len(records),
        "started": sum(record.started is not None for record in records),
        "ended": ended,
        **_not_counted(records),
        "throughput_per_hour": _by_the_hour(ended, window),
        "utilisation": used / (total_slots * window) if total_slots and window else 0.0,
        "reserved": sum(record.reserved for record in records),
        "backfilled": sum(record.backfilled for record in records),
        "starved": sum(waited(record, end) > starved_after for record in records),
        "restarts": sum(record.restarts for record in records),
        "lost_slot_seconds": sum(record.lost_slot_seconds for record in records),
        "suspended_slot_seconds": sum(record.suspended * record.slots for record in records),
        **_distributions(records),
        "by": {name: group for name, group in groups.items() if group},
    }


def recorded_wait(
    records: Iterable[TaskRecord], recorded: Mapping[tuple[int, int], FinishedTask]
) -> dict[str, dict[str, float]]:
    """Return `recorded_wait` -> the distribution of the waits in a trace, in seconds; empty if no wait is known."""
    known = ((record, recorded.get((record.job, record.task))) for record in records) if recorded else ()
    distribution = Distribution.of(
        float(task.started - record.submitted)
        for record, task in known
        if task is not None and task.started is not None
    )
    return {} if distribution is None else {"recorded_wait": distribution.as_data()}


def _distributions(records: Sequence[TaskRecord]) -> dict[str, object]:
    distributions = {
        name: Distribution.of(value for record in records if (value := measure(record)) is not None)
        for name, measure in TASK_MEASURES.items()
    }
    return {name: distribution.as_data() for name, distribution in distributions.items() if distribution is not None}


def _not_counted(records: Iterable[TaskRecord]) -> dict[str, object]:
    """Return the counts of tasks left out of the means: not started (no wait), not ended (no turnaround, slowdown)."""
    records = tuple(records)
    return {
        "not_started": sum(record.started is None for record in records),
        "not_ended": sum(record.ended is None for record in records),
    }


def _by_the_hour(number: int, seconds: int) -> float:
    return 3600 * number / seconds if seconds else 0.0


def _ended(records: Iterable[TaskRecord], start: int, end: int) -> int:
    """Return the number of tasks that ended between two times."""
    return sum(record.ended is not None and start <= record.ended <= end for record in records)


def _by_group(
    records: Iterable[TaskRecord], group: Callable[[TaskRecord], str | None], start: int, end: int
) -> dict[str, dict[str, object]]:
    members: dict[str, list[TaskRecord]] = {}
    for record in records:
        name = group(record)
        if name is not None:
            members.setdefault(name, []).append(record)
    return {
        name: {
            "throughput_per_hour": _by_the_hour(_ended(members[name], start, end), max(0, end - start)),
            **_not_counted(members[name]),
            **_distributions(members[name]),
        }
        for name in sorted(members)
    }


def _slot_seconds(record: TaskRecord, start: int, end: int) -> float:
    """Return the slot-seconds that a task used between two times."""
    if record.started is None:
        return 0.0
    last = end if record.ended is None else min(record.ended, end)
    return float(record.slots * max(0, last - max(record.started, start)))
