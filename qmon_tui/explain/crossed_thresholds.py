"""Load thresholds on consumables that slots of a parallel job would cross.

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
    """A load threshold of a queue instance, and the rest of its consumable with and without the slots."""

    attribute: Attribute
    limit: str
    bound: float
    left: float
    """The rest of the consumable now."""
    each: float
    """The amount that each slot takes."""
    total: float
    """The rest with nothing in use."""
    slots: int
    """The number of slots that must fit together."""

    @property
    def after(self) -> float:
        """The rest after taking the slots."""
        return self.left - self.slots * self.each

    @property
    def is_lasting(self) -> bool:
        """True if the slots would cross it with nothing else in use."""
        return (self.total - self.bound) / self.each < self.slots


def crossed_thresholds(
    resources: Resources, members: Sequence[int], number: int, demand: Demand, slots: int
) -> Iterator[CrossedThreshold]:
    """Yield the thresholds of a queue instance that rule out the slots on its host.

    `members`: the usable queue instances of the host in the scheduler's order. The scheduler counts by the one with
    most slots, so none is crossed if a member has none that is.
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
