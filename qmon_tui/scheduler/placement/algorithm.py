"""Which slot number of a range is tried first, and which next (dispatch.md section 8.2)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from qmon_tui.model.state import RANGE_ALGORITHMS

T = TypeVar("T")

BINARY, HIGHEST, LEAST = RANGE_ALGORITHMS
_HISTORY, _PRESENT = 66, 34


@dataclass(slots=True)
class RangeSearch:
    """The three ways to search; with PE_RANGE_ALG=auto the one that has cost least lately.

    The scheduler remembers the costs as long as it lives.
    """

    setting: str = "auto"
    costs: Mapping[str, int] = field(default_factory=dict)
    """By algorithm, in hundredths of an attempt, older ones counting less; 0 where nothing is known."""

    def highest(self, counts: Sequence[int], attempt: Callable[[int, bool], T | None]) -> T | None:
        """What the highest number that can be had gives; `attempt` is told whether it is the first of the search."""
        algorithm = self.setting if self.setting in RANGE_ALGORITHMS else min(RANGE_ALGORITHMS, key=self._cost)
        search = {BINARY: _binary, LEAST: _ascending, HIGHEST: _descending}[algorithm]
        found, place, runs = search(counts, attempt)
        if algorithm != BINARY:
            runs = _estimated_runs(len(counts))
        if len(counts) > 1:
            spent = {BINARY: runs, LEAST: place + 1, HIGHEST: len(counts) - place + 1}
            self.costs = {name: self._cost(name) * _HISTORY // 100 + cost * _PRESENT for name, cost in spent.items()}
        return found

    def _cost(self, algorithm: str) -> int:
        return self.costs.get(algorithm, 0)


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
