"""Normalisation: scales that map raw values of one run to 0 to 1.

Source: priority.md#normalised-urgency and priority.md#normalised-tickets.
"""

import sys
from collections.abc import Iterable
from dataclasses import dataclass

EPSILON = 1e-5
NEUTRAL = 0.5
"""The normalised value of all jobs if a policy gives all the same."""
_BASE_PRIORITY = 1024
_PRIORITY_RANGE = 2048


def normalised_priority(priority: int) -> float:
    """Return -p normalised by its fixed range."""
    return (priority + _BASE_PRIORITY) / _PRIORITY_RANGE


@dataclass(frozen=True, slots=True)
class Scale:
    """The lowest and highest value of one run."""

    lowest: float = 0.0
    highest: float = 0.0
    flat: float = NEUTRAL
    """The normalised value if the ends are less than EPSILON apart."""

    @property
    def is_flat(self) -> bool:
        """True if the ends are less than EPSILON apart."""
        return self.highest - self.lowest < EPSILON

    def normalise(self, value: float) -> float:
        """Return 0 for the lowest value, 1 for the highest, `flat` if the scale is flat."""
        if self.highest - self.lowest < EPSILON:
            return self.flat
        return (value - self.lowest) / (self.highest - self.lowest)


def urgency_scale(urgencies: Iterable[float]) -> Scale:
    """Return the scale of urgencies; the smallest positive number counts as one of them."""
    values = list(urgencies)
    return Scale(min(values, default=sys.float_info.max), max((sys.float_info.min, *values)))


def ticket_scale(tickets: Iterable[float]) -> Scale:
    """Return the scale from 0 to the most tickets."""
    return Scale(0.0, max((0.0, *tickets)))
