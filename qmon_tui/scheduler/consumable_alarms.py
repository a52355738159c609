"""Load thresholds on consumables, looked at again whenever what they read is booked (dispatch.md section 5.3).

Queue instances that read the very same amounts against the same limit form a group; only the first of a group is
looked at. An alarm is reported at once, but takes the queue instance out only where job_load_adjustments are set.
"""

from dataclasses import dataclass

from qmon_tui.scheduler.available import Availability
from qmon_tui.scheduler.requests import Demand
from qmon_tui.scheduler.resources import Resources

_Place = tuple[str, int, str]
"""Layer, number of the object there, attribute: one booked amount."""


@dataclass(slots=True)
class _Group:
    places: tuple[_Place, ...]
    members: list[int]


class ConsumableAlarms:
    """The groups of one run."""

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

    def check(self, demand: Demand, instance: int) -> set[int]:
        """The queue instances in alarm after a start in `instance`; the first of each group makes a message."""
        resources = self._resources
        attributes = resources.compiled.attributes.by_name
        host = resources.host_of[instance]
        touched = {("g", 0), ("h", host), ("q", instance)}
        tagged: set[int] = set()
        for group in self._groups:
            booked = any(
                place[:2] in touched and demand.amounts.get(place[2], attributes[place[2]].default_amount)
                for place in group.places
            )
            if booked and self._availability.is_overloaded(group.members[0], adjusted=False):
                tagged.update(group.members)
        return tagged

    def forget(self, instance: int) -> None:
        """Leave a dropped queue instance out of its first group, as the scheduler does."""
        for group in self._groups:
            if instance in group.members:
                group.members.remove(instance)
                if not group.members:
                    self._groups.remove(group)
                return
