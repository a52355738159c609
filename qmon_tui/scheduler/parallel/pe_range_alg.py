"""Search order in a slot range (parallel.md#search-for-the-number-of-slots)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from qmon_tui.model import PeAlg

T = TypeVar("T")

LEAST, BINARY, HIGHEST = ALGORITHMS = ("least", "bin", "highest")
_PREFERENCE = (BINARY, HIGHEST, LEAST)
_HISTORY, _PRESENT = 66, 34


@dataclass(slots=True)
class RangeSearch:
    """The search in slot ranges; PE_RANGE_ALG=auto selects the algorithm with the lowest recent cost.

    The scheduler keeps the scores until it exits.
    """

    setting: str = "auto"
    scores: PeAlg = (0, 0, 0)
    """Score of each of `ALGORITHMS`: minus 100 times its average number of attempts, recent ones weighing most."""

    def highest(self, counts: Sequence[int], attempt: Callable[[int, bool], T | None]) -> T | None:
        """Return the result for the highest count that fits; None if none does.

        `attempt` gets a count, and True if it is the first attempt of the search.
        """
        algorithm = self.setting if self.setting in ALGORITHMS else max(_PREFERENCE, key=self._score)
        search = {LEAST: _ascending, BINARY: _binary, HIGHEST: _descending}[algorithm]
        result, position, runs = search(counts, attempt)
        if algorithm != BINARY:
            runs = _estimated_runs(len(counts))
        if len(counts) > 1:
            least, binary, highest = self.scores
            self.scores = _after(least, position + 1), _after(binary, runs), _after(highest, len(counts) - position + 1)
        return result

    def _score(self, algorithm: str) -> int:
        return self.scores[ALGORITHMS.index(algorithm)]


def _after(score: int, cost: int) -> int:
    """Return the score (never positive) after a search with `cost` attempts; the division truncates towards 0."""
    return -(-score * _HISTORY // 100) - cost * _PRESENT


def _binary(counts: Sequence[int], attempt: Callable[[int, bool], T | None]) -> tuple[T | None, int, int]:
    """Return the result for the highest count that fits, the index of that count, and the number of attempts."""
    best: T | None = None
    position = runs = 0
    low, high = 0, len(counts) - 1
    while low <= high:
        middle = (low + high) // 2
        result = attempt(counts[middle], runs == 0)
        runs += 1
        if result is not None:
            best, position, low = result, middle, middle + 1
        else:
            high = middle - 1
    return best, position, runs


def _ascending(counts: Sequence[int], attempt: Callable[[int, bool], T | None]) -> tuple[T | None, int, int]:
    best: T | None = None
    position = 0
    for index, count in enumerate(counts):
        result = attempt(count, index == 0)
        if result is None:
            break
        best, position = result, index
    return best, position, 0


def _descending(counts: Sequence[int], attempt: Callable[[int, bool], T | None]) -> tuple[T | None, int, int]:
    for index in range(len(counts) - 1, -1, -1):
        result = attempt(counts[index], index == len(counts) - 1)
        if result is not None:
            return result, index, 0
    return None, 0, 0


def _estimated_runs(count: int) -> int:
    """Return the number of attempts that 8.1.9 estimates for a binary search among `count` numbers."""
    runs, end = 1, count
    while runs < end:
        end -= runs
        runs += 1
    return runs - 1
