"""How far two days are from each other, and how far they may be."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from statistics import mean, median
from typing import Final

from tests.differential.day import Day, TaskKey

INTERVAL: Final = 3
"""Seconds between two runs of the real scheduler."""
AT_MOST: Final = {"median start": 3, "p90 start": 9, "mean wait": 3, "owner's wait": 6, "makespan": 6}
"""Seconds: a run of the real scheduler comes up to an interval later by chance."""
ORDER_AT_LEAST: Final = 0.95
OF_NOISE: Final = 1.5
"""Times the real system is from itself, where that is more."""
SAME: Final = ("missing", "other slots", "other places")
"""What is the same to the last."""


def differences(real: Day, other: Day) -> dict[str, float]:
    """How far the second is from the first; times in seconds, counted from the first submission of each."""
    same = sorted(real.started.keys() & other.started.keys())
    starts = [_since_first(day, same) for day in (real, other)]
    apart = sorted(abs(starts[0][key] - starts[1][key]) for key in same)
    owners = {real.jobs[number][1] for number, _ in same}
    spans = [max(day.ended.values()) - day.first for day in (real, other)]
    return {
        "tasks": len(same),
        "missing": len(real.started.keys() ^ other.started.keys()),
        "other slots": sum(sum(real.places[key].values()) != sum(other.places[key].values()) for key in same),
        "other places": sum(real.places[key] != other.places[key] for key in same if _is_early(key, real, other)),
        "order": _order(*starts),
        "same start": mean(seconds == 0 for seconds in apart),
        "median start": median(apart),
        "p90 start": apart[max(0, -(-9 * len(apart) // 10) - 1)],
        "mean wait": _waits_apart(real, other, same),
        "owner's wait": max(
            _waits_apart(real, other, [key for key in same if real.jobs[key[0]][1] == owner]) for owner in owners
        ),
        "makespan": abs(spans[0] - spans[1]),
    }


def _since_first(day: Day, keys: Iterable[TaskKey]) -> dict[TaskKey, int]:
    return {key: day.started[key] - day.first for key in keys}


def _is_early(key: TaskKey, *days: Day) -> bool:
    """Tell whether a task started before anything could have ended."""
    return all(day.started[key] < int(min(day.ended.values())) - 1 for day in days)


def _waits_apart(one: Day, other: Day, keys: Sequence[TaskKey]) -> float:
    waits = [mean(day.started[key] - day.jobs[key[0]][0] for key in keys) for day in (one, other)]
    return abs(waits[0] - waits[1])


def _order(real: Mapping[TaskKey, int], other: Mapping[TaskKey, int]) -> float:
    """The part of the pairs that start more than an interval apart in the first and so, in that order, in the other."""
    pairs = [(one, later) for one in real for later in real if real[later] - real[one] > INTERVAL]
    return mean(other[one] <= other[later] for one, later in pairs) if pairs else 1.0


def noise(recordings: Sequence[Day]) -> dict[str, float]:
    """How far the real system is from itself: of each difference the largest between two recordings."""
    found = [differences(one, other) for one, other in combinations(recordings, 2)]
    if not found:
        return {}
    return {name: (min if name in ("order", "same start") else max)(each[name] for each in found) for name in found[0]}


def beyond(found: Mapping[str, float], spread: Mapping[str, float]) -> dict[str, float]:
    """The differences that are more than may be, given those of the real system from itself."""
    limits: dict[str, float] = dict.fromkeys(SAME, 0)
    limits |= {name: max(most, OF_NOISE * spread.get(name, 0)) for name, most in AT_MOST.items()}
    too_far = {name: found[name] for name, most in limits.items() if found[name] > most}
    if found["order"] < min(ORDER_AT_LEAST, spread.get("order", 1)):
        too_far["order"] = found["order"]
    return too_far
