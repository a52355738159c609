"""Cached slots of hosts for the search for the earliest time, valid while the host's diagrams do not change.

The rule is `SlotCollection._free_slots`. A search for a time calls it for every host at every time at which anything
changes; its result for a host changes only at steps of the host's own diagrams, or when the job's end passes one.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from qmon_tui.scheduler.jobs import Demand, PeCache
from qmon_tui.scheduler.matching import NEVER, NO_LIMIT, FastChecker, Level, whole_slots
from qmon_tui.scheduler.parallel import AvailableSlots, GrantedSlots, PeAttempt
from qmon_tui.scheduler.reservation.durations import TimeWindow
from qmon_tui.scheduler.reservation.resource_diagrams import ResourceDiagrams
from qmon_tui.values import INFINITE

_NO_MARKS: Mapping[int, int] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class _InQueue:
    """The slots of a queue instance before any are granted."""

    number: int
    is_asked: bool
    """True if the cluster queue passes its static check, so that slots are counted."""
    takes: bool = False
    """True if the queue instance can take the job."""
    now: int = 0
    later: int = 0


@dataclass(frozen=True, slots=True)
class Room:
    """The slots of a host before any are granted, and the marks that counting leaves (`PeAttempt.masters`)."""

    now: int
    later: int
    host_marks: Mapping[int, int]
    """Marks left by the check of the host."""
    queues: Sequence[_InQueue]
    queue_marks: Mapping[int, int]
    """Marks left by the checks of its queue instances."""


@dataclass(slots=True)
class _HostRooms:
    members: Sequence[int]
    times: Sequence[int]
    """Start times (seconds since the epoch) at which the slots change, ascending."""
    known: dict[tuple[int, bool], Room] = field(default_factory=dict)
    """(number of `times` up to the start, `PeAttempt.adjusts`) -> slots."""


@dataclass(slots=True)
class WindowSlotCounter:
    """The slot counts of hosts in the window for one demand: by amounts if only these matter, else by the rule."""

    diagrams: ResourceDiagrams
    window: TimeWindow
    checker: FastChecker | None
    """Cached checks that depend only on amounts in use; None: count by the rule."""
    _pe_cache: PeCache = field(default_factory=PeCache)
    """Hosts and queue instances that passed their static checks."""
    _accepted: frozenset[str] | None = None
    """Requested attributes that the global host has; None: not checked yet."""

    def at(self, host: int, members: Sequence[int], pe_attempt: PeAttempt) -> Room:
        """Return the slots of a host in the window."""
        return self._quick(host, members, pe_attempt) or self._by_rule(host, members, pe_attempt)

    def _by_rule(self, host: int, members: Sequence[int], pe_attempt: PeAttempt) -> Room:
        """Count by the rule, with no slots granted and no cached results."""
        host_marks: dict[int, int] = {}
        queue_marks: dict[int, int] = {}
        asked = replace(pe_attempt, masters=host_marks, pe_cache=self._pe_cache)
        available_slots = AvailableSlots(asked)
        available_slots.global_slots()
        on_host = available_slots.host_slots(host, members, 0)
        asked.masters = queue_marks
        queues: list[_InQueue] = []
        for number in members:
            if not available_slots.queue_fits(asked.context.resources.instances[number].queue):
                queues.append(_InQueue(number, is_asked=False))
                continue
            room = available_slots.instance_slots(number, 0)
            queues.append(_InQueue(number, True, room.result != NEVER, room.now, room.later))
        return Room(on_host.now, on_host.later, host_marks, tuple(queues), queue_marks)

    def _quick(self, host: int, members: Sequence[int], pe_attempt: PeAttempt) -> Room | None:
        """Count by amounts in use; None if other checks may decide."""
        resources, demand = pe_attempt.context.resources, pe_attempt.placement_request.demand
        if self.checker is None or demand.master_queues or not resources.with_load_thresholds.isdisjoint(members):
            return None
        if self._accepted is None:
            available_slots = AvailableSlots(pe_attempt)
            available_slots.global_slots()
            self._accepted = frozenset(available_slots.accepted)
        if not self._pass(host, members, pe_attempt):
            return None
        on_host = self._counted(resources.hosts[host], demand, self._accepted)
        if on_host is None:
            return None
        accepted = self._accepted | on_host[2]
        queues: list[_InQueue] = []
        for number in members:
            in_queue = self._counted(resources.queues[number], demand, accepted)
            if in_queue is None:
                return None
            queues.append(_InQueue(number, True, True, in_queue[0], in_queue[1]))
        return Room(on_host[0], on_host[1], _NO_MARKS, tuple(queues), _NO_MARKS)

    def _pass(self, host: int, members: Sequence[int], pe_attempt: PeAttempt) -> bool:
        """True if a host and all of its queue instances pass their static checks."""
        context, placement_request, pe_cache = pe_attempt.context, pe_attempt.placement_request, self._pe_cache
        resources, rules = context.resources, context.rules
        if host not in pe_cache.clear_hosts:
            on_host = context.compiled.hosts[resources.host_names[host]]
            if rules.host(on_host, resources.hosts[host].loads, placement_request) is not None:
                return False
            pe_cache.clear_hosts.add(host)
        for number in members:
            instance = resources.instances[number]
            key = instance.queue, pe_attempt.slots == 1
            if key not in pe_cache.clear_queues:
                if rules.cluster_queue(context.queues[instance.queue], placement_request) is not None:
                    return False
                pe_cache.clear_queues.add(key)
            if number not in pe_cache.clear_instances:
                if rules.instance(instance, placement_request) is not None:
                    return False
                pe_cache.clear_instances.add(number)
        return True

    def _counted(self, level: Level, demand: Demand, accepted: Set[str]) -> tuple[int, int, Set[str]] | None:
        """Return (slots now, slots later, requested attributes of the level) as `TimedCounter`; None if uncertain."""
        reduced_check = self.checker.known(level, demand) if self.checker is not None else None
        if reduced_check is None or not reduced_check.divided or not reduced_check.elsewhere <= accepted:
            return None
        now = later = float(NO_LIMIT)
        start, end = self.window.start, self.window.end
        for name, amount, total in reduced_check.divided:
            steps = self.diagrams.of(level, name)
            free, free_later = (total - steps.peak(start, end)) / amount, (total - steps.at_queue_end()) / amount
            if max(free, free_later) > NO_LIMIT:
                return None  # a count outside int is negative, see `whole_slots`
            now, later = min(now, free), min(later, free_later)
        return whole_slots(now), whole_slots(later), reduced_check.accepts


@dataclass(slots=True)
class TimedRooms:
    """Cached slots of hosts, for the attempts of one search with one number of slots in one PE."""

    diagrams: ResourceDiagrams
    window: TimeWindow
    later_slots: dict[int, int] | None
    slot_counter: "WindowSlotCounter"
    _hosts: dict[int, _HostRooms] = field(default_factory=dict)
    _pe_attempt: PeAttempt | None = None

    def visits(self, pe_attempt: PeAttempt) -> "TimedRooms":
        """Begin the next attempt; return this object."""
        self._pe_attempt = pe_attempt
        return self

    def free_slots(
        self, host: int, members: Sequence[int], granted_slots: GrantedSlots
    ) -> tuple[int, int, bool] | None:
        time, pe_attempt = self.window.start, self._pe_attempt
        if time >= INFINITE or pe_attempt is None:
            return None
        rooms = self._rooms_of(host, members, pe_attempt)
        key = bisect_right(rooms.times, time), pe_attempt.adjusts
        room = rooms.known.get(key)
        if room is None:
            room = rooms.known[key] = self.slot_counter.at(host, members, pe_attempt)
        return self._taken(room, pe_attempt, granted_slots)

    def _rooms_of(self, host: int, members: Sequence[int], pe_attempt: PeAttempt) -> _HostRooms:
        rooms = self._hosts.get(host)
        if rooms is None or rooms.members != members:
            resources = pe_attempt.context.resources
            levels = (resources.hosts[host], *(resources.queues[number] for number in members))
            times = sorted(set(change_times(self.diagrams, levels, self.window.duration)))
            rooms = self._hosts[host] = _HostRooms(members, times)
        return rooms

    def _taken(self, room: Room, pe_attempt: PeAttempt, granted_slots: GrantedSlots) -> tuple[int, int, bool]:
        """Do what `SlotCollection._free_slots` does, with the slots in `room`."""
        granted, free_slots, later_slots = granted_slots.granted, granted_slots.free_slots, self.later_slots
        given = sum([granted.get(in_queue.number, 0) for in_queue in room.queues]) if granted else 0
        if room.host_marks:
            pe_attempt.masters.update(room.host_marks)
        slots, on_host = pe_attempt.slots, room.now
        now, later = min(on_host - given if on_host > 0 else on_host, slots), min(room.later, slots)
        if max(now, later) < pe_attempt.least:
            return now, later, True
        if room.queue_marks:
            pe_attempt.masters.update(room.queue_marks)
        all_now = all_later = 0
        for in_queue in room.queues:
            number = in_queue.number
            if in_queue.is_asked:
                free = in_queue.now - granted.get(number, 0)
                if not (in_queue.takes and max(free, in_queue.later) > 0):
                    free_slots[number] = 0
                    continue
                all_now += free
                all_later += in_queue.later
                free_slots[number] = free
            else:
                free_slots[number] = 0
            if later_slots is not None:
                later_slots[number] = in_queue.later % 2**32
        return min(all_now, now), min(all_later, later), False


def change_times(diagrams: ResourceDiagrams, levels: Iterable[Level], duration: int) -> Iterator[int]:
    """Yield the start times at which the levels' use during a job of `duration` seconds changes."""
    for level in levels:
        for name in level.used:
            for steps in (diagrams.of(level, name), diagrams.shared(level, name)):
                for time in steps.times:
                    yield time
                    yield time - duration + 1
