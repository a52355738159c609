"""Load thresholds on consumables, checked again whenever a consumable that they read is booked.

Queue instances with the same limit on the same consumables form a group; only its first member is checked. An alarm is
reported immediately, but removes the queue instance only if job_load_adjustments are set.

Source: dispatch.md#load-thresholds-during-the-run.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from qmon_tui.scheduler.jobs import Demand
from qmon_tui.scheduler.matching import Grants, Resources
from qmon_tui.scheduler.suspension import Availability

_Place = tuple[str, int, str]
"""A booked consumable: (layer g, h or q; host or queue instance number, 0 for the global host; attribute name)."""


@dataclass(slots=True)
class _Group:
    """Queue instance numbers in `members` that share a limit on the consumables in `places`."""

    places: tuple[_Place, ...]
    members: list[int]


class ConsumableAlarms:
    """The load thresholds on consumables in one run; False if no queue instance has one."""

    def __init__(self, resources: Resources, availability: Availability) -> None:
        self._resources = resources
        self._availability = availability
        groups: dict[tuple[object, ...], _Group] = {}
        for number in availability.usable:
            for name, limit in resources.instances[number].profile.load_thresholds:
                attribute = resources.compiled.attributes.find(name)
                if attribute is None:
                    break
                if attribute.is_consumable:
                    places = self._places(number, name)
                    groups.setdefault((places, limit), _Group(places, [])).members.append(number)
        self._groups = list(groups.values())
        self._changed: set[_Place] = set()
        """Consumables booked, but not yet read by a group."""

    def __bool__(self) -> bool:
        return bool(self._groups)

    def _places(self, number: int, name: str) -> tuple[_Place, ...]:
        resources = self._resources
        host = resources.host_of[number]
        candidates = (
            (resources.global_level, ("g", 0, name)),
            (resources.hosts[host], ("h", host, name)),
            (resources.queues[number], ("q", number, name)),
        )
        return tuple(place for level, place in candidates if name in level.used)

    def check(self, demand: Demand, grants: Grants) -> set[int]:
        """Return the queue instances in alarm after a start; the first of each group reports a message.

        A booked amount triggers only the first group that reads it, as 8.1.9 clears its mark there.
        """
        self._changed.update(self._booked(demand, grants))
        tagged: set[int] = set()
        for group in self._groups:
            was_booked = not self._changed.isdisjoint(group.places)
            self._changed.difference_update(group.places)
            if was_booked and self._availability.is_overloaded(group.members[0], adjusted=False):
                tagged.update(group.members)
        return tagged

    def _booked(self, demand: Demand, grants: Grants) -> Iterator[_Place]:
        resources = self._resources
        attributes = resources.compiled.attributes.by_name
        for position, (instance, _) in enumerate(grants):
            host = resources.host_of[instance]
            levels = resources.levels_of(instance)
            for layer, number, level in zip("ghq", (0, host, instance), levels, strict=True):
                for name in level.used:
                    attribute = attributes[name]
                    is_booked = position == 0 or not attribute.per_job
                    if is_booked and demand.amounts.get(name, attribute.default_amount):
                        yield layer, number, name

    def forget(self, instance: int) -> None:
        """Remove a queue instance that left the list from the first group it is in, as 8.1.9 does."""
        for group in self._groups:
            if instance in group.members:
                group.members.remove(instance)
                if not group.members:
                    self._groups.remove(group)
                return
