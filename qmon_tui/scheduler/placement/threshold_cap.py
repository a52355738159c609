"""How many slots a host can take before its load thresholds are reached (dispatch.md section 8.4)."""

from collections.abc import Sequence

from qmon_tui.scheduler.compiled.attributes import Attribute
from qmon_tui.scheduler.compiled.parsing import number_or_none
from qmon_tui.scheduler.matching.merged import merged
from qmon_tui.scheduler.matching.room import NO_LIMIT, whole_slots
from qmon_tui.scheduler.requests import Demand
from qmon_tui.scheduler.resources import Resources


def threshold_cap(resources: Resources, host: int, members: Sequence[int], demand: Demand, adjusts: bool = True) -> int:
    """The slots by the queue instance that can take most; loads count without the correction for recent starts.

    There is at least one member. Without `adjusts` only consumables count.
    """
    if resources.with_load_thresholds.isdisjoint(members):
        return NO_LIMIT
    most = 0
    for number in members:
        cap = NO_LIMIT
        for name, limit in resources.instances[number].profile.load_thresholds:
            attribute = resources.compiled.attributes.find(name)
            if attribute is None or not (adjusts or attribute.is_consumable):
                continue
            slots = _slots(resources, host, number, attribute, limit, demand)
            if slots is None:
                return 0
            cap = min(cap, slots)
        most = max(most, cap)
    return most


def _slots(
    resources: Resources, host: int, number: int, attribute: Attribute, limit: str, demand: Demand
) -> int | None:
    """The slots by one threshold; None where its consumable is nowhere, which leaves none at all."""
    name = attribute.name
    overall, own, queue = resources.levels_of(number)
    if attribute.is_consumable:
        found = merged(attribute, resources.adjustments, overall, own, queue)
        if found is None:
            return None
        value = found.amount if found.offer.per_job is not None else None
        change: float | None = demand.amounts.get(name, attribute.default_amount)
    else:
        load = own.loads.get(name) or overall.loads.get(name) or queue.configured.get(name)
        value = number_or_none(load.text) if load is not None else None
        change = resources.adjustments.amounts.get(name)
    bound = number_or_none(limit)
    if not attribute.numeric or value is None or bound is None or not change or attribute.relop in ("==", "!="):
        return NO_LIMIT
    if attribute.relop in ("<", "<="):
        change = -change
    if not attribute.is_consumable and name.startswith("np_") and own.processors > 1:
        change /= own.processors
    slots = whole_slots((bound - value) / change)
    # One slot may take a host into alarm, but nothing may be booked that is not there.
    return slots if attribute.is_consumable else slots + 1
