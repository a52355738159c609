"""Load thresholds on consumables that a slot of a parallel job would cross itself.

Source: parallel.md#one-attempt.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from qmon_tui.scheduler.configuration import Attribute, number_or_none
from qmon_tui.scheduler.jobs import Demand
from qmon_tui.scheduler.matching import Resources, merged, threshold_cap

_AT_MOST = ("<=", "<")


@dataclass(frozen=True, slots=True)
class CrossedThreshold:
    """A load threshold of a queue instance, and what is left of its consumable with the slots and without them."""

    attribute: Attribute
    limit: str
    bound: float
    left: float
    """How much is left of the consumable now."""
    each: float
    """How much of it each slot takes."""
    total: float
    """How much there is of it with nothing in use."""
    slots: int
    """How many slots have to fit together."""

    @property
    def after(self) -> float:
        """How much would be left with the slots."""
        return self.left - self.slots * self.each

    @property
    def is_lasting(self) -> bool:
        """True if the slots would cross it with nothing else in use."""
        return (self.total - self.bound) / self.each < self.slots


def crossed_thresholds(
    resources: Resources, members: Sequence[int], number: int, demand: Demand, slots: int
) -> Iterator[CrossedThreshold]:
    """Yield the thresholds of a queue instance that leave no room for the slots on its host.

    `members` are the usable queue instances of the host in the scheduler's order. The scheduler counts by the one that
    has most room, so that none is crossed if any of them has none that is.
    """
    host = resources.host_of[number]
    if not members or threshold_cap(resources, host, members, demand, adjusts=False) >= slots:
        return
    levels = resources.levels_of(number)
    for name, limit in resources.instances[number].profile.load_thresholds:
        attribute, bound = resources.compiled.attributes.find(name), number_or_none(limit)
        if attribute is None or not attribute.is_consumable or bound is None:
            continue
        value = merged(attribute, resources.adjustments, *levels)
        each = demand.amounts.get(attribute.name, attribute.default_amount)
        if value is None or not attribute.numeric or each <= 0 or attribute.relop not in _AT_MOST:
            continue
        used = sum(level.used.get(attribute.name, 0.0) for level in levels if level.layer == value.layer)
        crossed = CrossedThreshold(attribute, limit, bound, value.amount, each, value.amount + used, slots)
        if int((crossed.left - bound) / each) < slots:
            yield crossed
