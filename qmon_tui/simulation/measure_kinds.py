"""Units of the measures of a day, the main measures, and whether more is better."""

import re
from enum import Enum, auto
from typing import Final

MAIN_MEASURES: Final = (
    "wait.mean", "wait.median", "wait.p95", "wait.max", "turnaround.mean", "turnaround.p95", "bounded_slowdown.mean",
    "bounded_slowdown.p95", "throughput_per_hour", "utilisation", "fragmentation", "started", "ended", "not_started",
    "backfilled", "starved", "jain.owner", "jain.project", "lost_slot_seconds", "queue_length.mean", "queue_length.max",
    "oldest_wait.max", "restarts",
)  # fmt: skip
_PARTS: Final = frozenset({
    "utilisation", "utilisation_by_queue", "utilisation_by_resource", "fragmentation", "free", "received", "entitled",
})  # fmt: skip
_SECONDS: Final = frozenset(
    {"wait", "turnaround", "oldest_wait", "seconds", "lost_slot_seconds", "suspended_slot_seconds"}
)
_LESS_IS_BETTER: Final = frozenset({
    "wait", "turnaround", "slowdown", "bounded_slowdown", "restarts", "lost_slot_seconds", "suspended_slot_seconds",
    "starved", "fragmentation", "not_started", "not_ended", "oldest_wait", "queue_length",
})  # fmt: skip
_MORE_IS_BETTER: Final = frozenset({"utilisation", "throughput_per_hour", "ended", "started", "jain"})


class Unit(Enum):
    """Unit of a measure."""

    SECONDS = auto()
    PART = auto()
    """A fraction from 0 to 1, shown as percent."""
    NUMBER = auto()


_GROUPED: Final = re.compile(
    r"by\.([a-z]+)\.(.+)\.([a-z_]+\.(?:mean|median|max|count|p\d+)|throughput_per_hour|not_started|not_ended)"
)


def _parts(name: str) -> list[str]:
    """Return the words of a measure's name without its user, project or queue, whose name might be `free`."""
    grouped = _GROUPED.fullmatch(name)
    return (name if grouped is None else grouped[3]).split(".")


def unit_of(name: str) -> Unit:
    """Return the unit of a measure: `by.owner.ada.wait.p95` is in seconds."""
    parts = _parts(name)
    if not _PARTS.isdisjoint(parts):
        return Unit.PART
    return Unit.SECONDS if not _SECONDS.isdisjoint(parts) and parts[-1] != "count" else Unit.NUMBER


def is_better(name: str, change: float) -> bool | None:
    """Return True if a change of a measure is for the better, False if for the worse; None if it is neither."""
    parts = _parts(name)
    if not _LESS_IS_BETTER.isdisjoint(parts):
        return change < 0
    return change > 0 if not _MORE_IS_BETTER.isdisjoint(parts) else None


_LEFT_OUT: Final = {"wait": "not_started"} | dict.fromkeys(("turnaround", "slowdown", "bounded_slowdown"), "not_ended")


def left_out_of(name: str) -> str | None:
    """Return the measure that counts the tasks left out of a mean; None if `name` is no mean over tasks.

    Example: `by.owner.ada.not_started` for `by.owner.ada.wait.mean`.
    """
    *group, kind = name.removesuffix(".mean").split(".")
    return ".".join((*group, _LEFT_OUT[kind])) if name.endswith(".mean") and kind in _LEFT_OUT else None


def measure_title(name: str) -> str:
    """Return a measure's name in words, such as `wait p95 of user ada` for `by.owner.ada.wait.p95`."""
    if grouped := _GROUPED.fullmatch(name):
        kind, who, measure = grouped.groups()
        return f"{measure_title(measure)} of {'user' if kind == 'owner' else kind} {who}"
    if name.endswith(".mean"):
        *group, kind, _ = name.split(".")
        return measure_title(".".join((*group, f"mean {kind}")))
    return name.replace("_", " ").replace(".", " ")
