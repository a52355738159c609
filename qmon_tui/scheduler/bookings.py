"""What a task uses of the consumables of the global host, its hosts and its queue instances, entered there."""

from dataclasses import dataclass, field

from qmon_tui.scheduler.compiled.attributes import AttributeTable
from qmon_tui.scheduler.matching.level import Level
from qmon_tui.scheduler.requests import Demand

Levels = tuple[Level, Level, Level]
"""The global host, a host and a queue instance there."""

_Amounts = tuple[tuple[int, str, float], ...]
"""The place of a level, a consumable there, what one slot takes of it."""

_UNKNOWN: _Amounts = ((-1, "", 0.0),)


def book(level: Level, demand: Demand, slots: int, master: bool, attributes: AttributeTable, times: int = 1) -> None:
    """The rule for one level: consumables per job are booked with the master queue only. With `times` -1 take back."""
    used = level.used
    for name in used:
        attribute = attributes.by_name[name]
        if attribute.per_job and not master:
            continue
        amount = demand.amounts.get(name, attribute.default_amount)
        count = times * (1 if attribute.per_job else slots)
        if amount:
            used[name] += amount * count
        elif attribute.exclusive:
            level.shared[name] = level.shared.get(name, 0.0) + count


@dataclass(slots=True)
class Bookings:
    """The bookings of one run. What a slot takes is worked out once for all levels that are alike."""

    attributes: AttributeTable
    _amounts: dict[tuple[int, int, int], _Amounts | None] = field(default_factory=dict)
    """By the identity of the demand and of what host and queue instance have configured."""
    _kept: list[object] = field(default_factory=list)
    """What must stay alive for its id to mean it."""

    def enter(self, levels: Levels, demand: Demand, slots: int, *, master: bool) -> None:
        """Book some slots in a queue instance on all levels."""
        key = id(demand), id(levels[1].configured), id(levels[2].configured)
        amounts = self._amounts.get(key, _UNKNOWN)
        if amounts is _UNKNOWN:
            amounts = self._amounts[key] = _amounts(levels, demand, self.attributes)
            self._kept.append((demand, levels[1].configured, levels[2].configured))
        if amounts is not None:
            for place, name, amount in amounts:
                levels[place].used[name] += amount * slots
            return
        for level in levels:
            book(level, demand, slots, master, self.attributes)


def _amounts(levels: Levels, demand: Demand, attributes: AttributeTable) -> _Amounts | None:
    """What `book` comes down to for each slot; None where it matters which slot it is, or who else has any."""
    booked = [(place, name, attributes.by_name[name]) for place, level in enumerate(levels) for name in level.used]
    if any(attribute.per_job or attribute.exclusive for _, _, attribute in booked):
        return None
    amounts = ((place, name, demand.amounts.get(name, one.default_amount)) for place, name, one in booked)
    return tuple((place, name, amount) for place, name, amount in amounts if amount)
