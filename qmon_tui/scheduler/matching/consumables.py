"""Consumables of the global host, hosts and queue instances: bookings of tasks, and capacity correction."""

from collections.abc import Iterator, Mapping
from typing import Final

from qmon_tui.scheduler.configuration import Attribute, AttributeTable, Value, number_or_none
from qmon_tui.scheduler.jobs import Demand
from qmon_tui.scheduler.matching.level import Adjustments, Level


def debit_level(
    level: Level, demand: Demand, slots: int, master: bool, attributes: AttributeTable, times: int = 1
) -> None:
    """Book slots on one level; `times` -1 releases them."""
    for attribute, amount in debited_amounts(level, demand, attributes, master=master):
        name, count = attribute.name, times * (1 if attribute.per_job else slots)
        if amount:
            level.used[name] += amount * count
        else:
            level.shared[name] = level.shared.get(name, 0.0) + count


def debited_amounts(
    level: Level, demand: Demand, attributes: AttributeTable, *, master: bool
) -> Iterator[tuple[Attribute, float]]:
    """Yield each consumable of a level with the amount booked per slot or job; amount 0 if only its exclusive use
    counts.

    Consumables per job are booked with the master queue only.
    """
    for name in level.used:
        attribute = attributes.by_name[name]
        amount = demand.amounts.get(name, attribute.default_amount)
        if (amount or attribute.exclusive) and (master or not attribute.per_job):
            yield attribute, amount


_CORRECTABLE: Final = frozenset({"==", "<", "<=", "!="})


def with_capacity_correction(
    level: Level, configured: Mapping[str, Value], attributes: AttributeTable, adjustments: Adjustments
) -> Mapping[str, Value]:
    """Return the configured values, totals reduced if a load value of the level shows use by others."""
    smaller: dict[str, Value] = {}
    for name, load in level.loads.items():
        total = configured.get(name)
        if total is None or name not in level.used:
            continue
        amount = number_or_none(load.text)
        if attributes.by_name[name].relop not in _CORRECTABLE or amount is None:
            continue
        amount -= adjustments.amounts.get(name, 0.0) * level.correction_factor
        foreign = total.number - level.used[name] - amount
        if foreign > 0.0:
            smaller[name] = Value(total.text, total.number - foreign)
    return {**configured, **smaller} if smaller else configured
