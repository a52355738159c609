"""Cached search for a time: the times with enough slots, from the last one backwards.

The rule is an attempt at each time (`TimedParallelSearch._earliest`). If only free slots decide, there are enough as
soon as the hosts' slots add up. From one time to the one before only hosts that change in between are counted again.
"""

from bisect import bisect_right
from dataclasses import dataclass, field

from qmon_tui.scheduler.configuration import FILL_UP, ROUND_ROBIN
from qmon_tui.scheduler.jobs import Demand
from qmon_tui.scheduler.matching import Resources
from qmon_tui.scheduler.parallel import AvailableSlots, PeAttempt
from qmon_tui.scheduler.reservation.durations import TimeWindow
from qmon_tui.scheduler.reservation.timed_rooms import TimedRooms, change_times


@dataclass(slots=True)
class TimeScan:
    """The scan for one number of slots in one PE; times must be queried in descending order."""

    pe_attempt: PeAttempt
    rooms: TimedRooms
    window: TimeWindow
    _members: dict[int, list[int]] = field(default_factory=dict)
    """Host -> its queue instances, in the order of the list."""
    _given: dict[int, int] = field(default_factory=dict)
    """Host -> slots that it would give."""
    _total: int = 0
    _changes: list[tuple[int, int]] = field(default_factory=list)
    """(time, host) at which a host's slots change, ascending."""
    _global_times: list[int] = field(default_factory=list)
    _global_slots: dict[int, int] = field(default_factory=dict)
    """Number of these times passed -> slots of the global host."""

    def __post_init__(self) -> None:
        resources, order = self.pe_attempt.context.resources, self.pe_attempt.context.order
        for number in order:
            self._members.setdefault(resources.host_of[number], []).append(number)
        rooms = self.rooms.visits(self.pe_attempt)
        for host, members in self._members.items():
            self._changes += ((time, host) for time in rooms.times(host, members))
        self._changes.sort()
        duration = self.window.duration
        self._global_times = sorted(set(change_times(rooms.diagrams, (resources.global_level,), duration)))
        for host in self._members:
            self._look_at(host)

    def has_enough(self) -> bool:
        """True if an attempt in the window would succeed."""
        time, changes = self.window.start, self._changes
        changed: set[int] = set()
        while changes and changes[-1][0] > time:
            changed.add(changes.pop()[1])
        for host in changed:
            self._look_at(host)
        slots = self.pe_attempt.slots
        return self._total >= slots and self._on_global_host(time) >= slots

    def _look_at(self, host: int) -> None:
        pe_attempt = self.pe_attempt
        room = self.rooms.visits(pe_attempt).of(host, self._members[host], self.window.start)
        now = min(room.now, pe_attempt.slots, room.in_queues)
        least, rule = pe_attempt.least, pe_attempt.rule
        gives = 0 if now < least else now if rule in (FILL_UP, ROUND_ROBIN) else rule
        self._total += gives - self._given.get(host, 0)
        self._given[host] = gives

    def _on_global_host(self, time: int) -> int:
        passed = bisect_right(self._global_times, time)
        slots = self._global_slots.get(passed)
        if slots is None:
            slots = self._global_slots[passed] = AvailableSlots(self.pe_attempt).global_slots().now
        return slots


def can_scan(resources: Resources, demand: Demand, pe_attempt: PeAttempt) -> bool:
    """True if only free slots decide, and no check marks queue instances."""
    rule, slots = pe_attempt.rule, pe_attempt.slots
    if not (rule in (FILL_UP, ROUND_ROBIN) or (rule > 0 and slots % rule == 0)):
        return False
    if pe_attempt.soft is not None or pe_attempt.remaining_quota is not None or pe_attempt.say is not None:
        return False
    if demand.master_queues or any(request.attribute.per_job for request in demand.hard):
        return False
    if pe_attempt.placement_request.unclean or any(resources.left_violations.values()):
        return False
    return not resources.compiled.attributes.has_exclusive
