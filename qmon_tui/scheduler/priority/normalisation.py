"""From raw numbers to numbers that can be added up: the scale between two ends.

Source: priority.md#normalised-urgency and priority.md#normalised-tickets.
"""

import sys
from collections.abc import Iterable
from dataclasses import dataclass

EPSILON = 1e-5
NEUTRAL = 0.5
"""What everybody gets where a policy tells nobody apart."""
_BASE_PRIORITY = 1024
_PRIORITY_RANGE = 2048


def normalised_priority(priority: int) -> float:
    """-p within its fixed range."""
    return (priority + _BASE_PRIORITY) / _PRIORITY_RANGE


@dataclass(frozen=True, slots=True)
class Scale:
    """The ends between which the values of one run are normalised."""

    lowest: float = 0.0
    highest: float = 0.0
    flat: float = NEUTRAL
    """What everybody gets where the ends are hardly apart."""

    @property
    def is_flat(self) -> bool:
        """True if the ends are too near to each other to tell anybody apart."""
        return self.highest - self.lowest < EPSILON

    def normalise(self, value: float) -> float:
        """A value's place between the ends: 0 at the lowest, 1 at the highest."""
        if self.highest - self.lowest < EPSILON:
            return self.flat
        return (value - self.lowest) / (self.highest - self.lowest)


def urgency_scale(urgencies: Iterable[float]) -> Scale:
    """From the lowest urgency to the highest, as if a job of the smallest positive urgency were always there."""
    values = list(urgencies)
    return Scale(min(values, default=sys.float_info.max), max((sys.float_info.min, *values)))


def ticket_scale(tickets: Iterable[float]) -> Scale:
    """From no tickets to the highest number of them."""
    return Scale(0.0, max((0.0, *tickets)))
