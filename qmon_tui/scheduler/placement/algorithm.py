"""Which slot number of a range is tried first, and which next (dispatch.md section 8.2)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

T = TypeVar("T")

BINARY, LEAST, HIGHEST = "bin", "least", "highest"
_PREFERENCE = (BINARY, HIGHEST, LEAST)
_HISTORY, _PRESENT = 66, 34


@dataclass(slots=True)
class RangeSearch:
    """The three ways to search; with PE_RANGE_ALG=auto the one that has cost least lately.

    The scheduler remembers the costs as long as it lives; here they begin anew with each run.
    """

    setting: str = "auto"
    scores: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_PREFERENCE, 0))

    def highest(self, counts: Sequence[int], attempt: Callable[[int, bool], T | None]) -> T | None:
        """What the highest number that can be had gives; `attempt` is told whether it is the first of the search."""
        algorithm = self.setting if self.setting in _PREFERENCE else max(_PREFERENCE, key=self.scores.__getitem__)
        search = {BINARY: _binary, LEAST: _ascending, HIGHEST: _descending}[algorithm]
        found, place, runs = search(counts, attempt)
        if algorithm != BINARY:
            runs = _estimated_runs(len(counts))
        if len(counts) > 1:
            costs = {BINARY: runs, LEAST: place + 1, HIGHEST: len(counts) - place + 1}
            for name, cost in costs.items():
                # Both divisions truncate towards 0, and the scores are never positive.
                self.scores[name] = -(-self.scores[name] * _HISTORY // 100) - cost * 100 * _PRESENT // 100
        return found


def _binary(counts: Sequence[int], attempt: Callable[[int, bool], T | None]) -> tuple[T | None, int, int]:
    best: T | None = None
    place = runs = 0
    low, high = 0, len(counts) - 1
    while low <= high:
        middle = (low + high) // 2
        found = attempt(counts[middle], runs == 0)
        runs += 1
        if found is not None:
            best, place, low = found, middle, middle + 1
        else:
            high = middle - 1
    return best, place, runs


def _ascending(counts: Sequence[int], attempt: Callable[[int, bool], T | None]) -> tuple[T | None, int, int]:
    best: T | None = None
    place = 0
    for index, count in enumerate(counts):
        found = attempt(count, index == 0)
        if found is None:
            break
        best, place = found, index
    return best, place, 0


def _descending(counts: Sequence[int], attempt: Callable[[int, bool], T | None]) -> tuple[T | None, int, int]:
    for index in range(len(counts) - 1, -1, -1):
        found = attempt(counts[index], index == len(counts) - 1)
        if found is not None:
            return found, index, 0
    return None, 0, 0


def _estimated_runs(count: int) -> int:
    """How many runs the scheduler thinks a binary search would have taken."""
    runs, end = 1, count
    while runs < end:
        end -= runs
        runs += 1
    return runs - 1
