"""Consumables of the global host, hosts and queue instances: bookings of tasks, and capacity correction."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from qmon_tui.scheduler.configuration import Attribute, AttributeTable, Value, number_or_none
from qmon_tui.scheduler.jobs import Demand
from qmon_tui.scheduler.matching.level import Adjustments, Level

Levels = tuple[Level, Level, Level]
"""The global host, a host and a queue instance on it."""

_Plain = tuple[tuple[int, str, float], ...]
"""(index in Levels, consumable, default per slot) for each consumable of the levels."""

_UNKNOWN: _Plain = ((-1, "", 0.0),)


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


@dataclass(slots=True)
class ConsumableDebits:
    """The bookings of one run. The consumables of levels with equal configuration are looked up once."""

    attributes: AttributeTable
    _plain: dict[tuple[int, int], _Plain | None] = field(default_factory=dict)
    """(id of the host's, id of the queue instance's configured values) -> their consumables."""
    _takers: dict[tuple[int, int, bool], bool] = field(default_factory=dict)
    """(id of the configured values, id of the demand, master) -> whether anything is booked."""
    _kept: list[object] = field(default_factory=list)
    """Objects kept alive so that their ids stay valid."""

    def debit(self, levels: Levels, demand: Demand, slots: int, *, master: bool) -> None:
        """Book slots in a queue instance on all levels."""
        plain = self._plain_on(levels)
        if plain is None:
            for level in levels:
                debit_level(level, demand, slots, master, self.attributes)
            return
        wanted = demand.amounts
        for index, name, default in plain:
            amount = wanted.get(name, default)
            if amount:
                levels[index].used[name] += amount * slots

    def _plain_on(self, levels: Levels) -> _Plain | None:
        key = id(levels[1].configured), id(levels[2].configured)
        plain = self._plain.get(key, _UNKNOWN)
        if plain is _UNKNOWN:
            plain = self._plain[key] = self._plain_ones(levels)
            self._kept.append((levels[1].configured, levels[2].configured))
        return plain

    def debits_any(self, level: Level, demand: Demand, *, master: bool) -> bool:
        """True if a task uses a consumable of the level."""
        key = id(level.configured), id(demand), master
        takes = self._takers.get(key)
        if takes is None:
            takes = self._takers[key] = any(
                True for _ in debited_amounts(level, demand, self.attributes, master=master)
            )
            self._kept.append((level.configured, demand))
        return takes

    def _plain_ones(self, levels: Levels) -> _Plain | None:
        """Return the consumables if all are booked per slot and none exclusively; else None."""
        by_name = self.attributes.by_name
        consumables = [(index, by_name[name]) for index, level in enumerate(levels) for name in level.used]
        if any(attribute.per_job or attribute.exclusive for _, attribute in consumables):
            return None
        return tuple((index, attribute.name, attribute.default_amount) for index, attribute in consumables)


class PlainConsumableDebits(ConsumableDebits):
    """Bookings without cached lookups: the plain rule."""

    def debit(self, levels: Levels, demand: Demand, slots: int, *, master: bool) -> None:
        for level in levels:
            debit_level(level, demand, slots, master, self.attributes)

    def debits_any(self, level: Level, demand: Demand, *, master: bool) -> bool:
        return any(True for _ in debited_amounts(level, demand, self.attributes, master=master))


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
