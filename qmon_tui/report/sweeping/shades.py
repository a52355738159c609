"""Shades of a heat map: they show how far points differ, not what is chance."""

from dataclasses import dataclass
from math import inf
from typing import Final

from qmon_tui.report.comparison import value_words
from qmon_tui.report.sweeping.points import Tried
from qmon_tui.simulation import least_difference_of

_CHANCE: Final = 0.25
"""Most of the shades that a difference may cover that is as large as chance makes it."""
_HARDLY_SEEN: Final = 0.05
"""A spread of less than this part of the number has not all shades where chance is not known."""


@dataclass(frozen=True, slots=True)
class Shades:
    """The shades of a measure over the points of a sweep."""

    low: float
    high: float
    span: float
    """Difference between the lightest and the darkest shade; infinite if all points have the same."""
    note: str
    """A sentence that says which differences are chance."""

    def part(self, number: float) -> float:
        """Return the shade of a number, from 0 for the lightest to 1."""
        return (number - self.low) / self.span if self.span else 0.0


def shades_of(tried: Tried, measure: str) -> Shades | None:
    """Return the shades of a measure; None if no point has it."""
    points = [numbers for _, numbers in tried if not isinstance(numbers, str) and measure in numbers]
    if not points:
        return None
    low, high = min(point[measure] for point in points), max(point[measure] for point in points)
    least = least_difference_of(points, measure)
    if least is None:
        note = "How much of a difference is chance, more days tell." if high > low else ""
        return Shades(low, high, max(high - low, abs(high) * _HARDLY_SEEN), note)
    words = value_words(measure, least)
    if high - low <= least:
        chance = f": all lie within what is chance ({words})" if high > low else ""
        return Shades(low, high, inf, f"No difference{chance}.")
    note = f"Differences below {words} are chance." if least else ""
    return Shades(low, high, max(high - low, least / _CHANCE), note)
