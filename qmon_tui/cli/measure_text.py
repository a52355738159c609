"""Measures as people read them: titles, values and differences."""

from typing import Final

from qmon_tui.cli.lengths import clock
from qmon_tui.simulation import Interval

MAIN_MEASURES: Final = (
    "wait.mean", "wait.median", "wait.p95", "wait.max", "turnaround.mean", "turnaround.p95", "bounded_slowdown.mean",
    "bounded_slowdown.p95", "throughput_per_hour", "utilisation", "fragmentation", "started", "ended", "backfilled",
    "starved", "jain.owner", "jain.project", "lost_slot_seconds", "queue_length.mean", "queue_length.max",
    "oldest_wait.max", "restarts",
)  # fmt: skip
_PARTS: Final = ("utilisation", "fragmentation", "free")
_SECONDS: Final = ("wait", "turnaround", "oldest_wait", "seconds", "lost_slot_seconds", "suspended_slot_seconds")
NO_DIFFERENCE: Final = "no difference"


def measure_title(name: str) -> str:
    """`wait.p95` as `wait p95`."""
    return name.replace("_", " ").replace(".", " ")


def is_time(name: str) -> bool:
    """Tell whether a measure is in seconds."""
    parts = name.split(".")
    return any(part in _SECONDS for part in parts) and parts[-1] != "count"


def value_text(name: str, value: float | None) -> str:
    """A value with its unit; nothing where there is none."""
    if value is None:
        return ""
    if any(part in _PARTS for part in name.split(".")):
        return f"{100 * value:.1f} %"
    if is_time(name):
        return clock(value)
    return f"{value:.0f}" if value == int(value) and abs(value) < 1e15 else f"{value:.3f}"


def difference_text(name: str, difference: Interval | None) -> str:
    """A difference with how sure it is, or that there is none."""
    if difference is None:
        return ""
    if difference.is_nothing:
        return NO_DIFFERENCE
    sign = "+" if difference.mean > 0 else ""
    text = f"{sign}{value_text(name, difference.mean)}"
    return f"{text} ± {value_text(name, difference.half)}" if difference.is_known else text
