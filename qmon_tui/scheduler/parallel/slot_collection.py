"""One attempt to collect a number of slots for a parallel job (parallel.md#one-attempt).

Hosts are visited in the order of their first eligible queue instance, with $round_robin repeatedly. Each host gives the
slots that its consumables, load thresholds and queue instances allow (`AvailableSlots`), or none if they are too few
(`CollectedSlots`). Queue instances that the category found unsuitable before are not excluded: as in 8.1.9, each counts
as one slot if its host has room.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from qmon_tui.scheduler.configuration import ROUND_ROBIN
from qmon_tui.scheduler.matching import FITS, LATER, NEVER, SlotCount
from qmon_tui.scheduler.parallel.available_slots import AvailableSlots
from qmon_tui.scheduler.parallel.collected_slots import CollectedSlots, GrantedSlots
from qmon_tui.scheduler.parallel.failed_visits import FailedVisit, FailedVisits
from qmon_tui.scheduler.parallel.host_list import HostList, eligible_hosts
from qmon_tui.scheduler.parallel.host_visits import HostVisits
from qmon_tui.scheduler.parallel.pe_attempt import PeAttempt


class HostShortcut(Protocol):
    """Cached slots of hosts, for one attempt."""

    def free_slots(
        self, host: int, members: Sequence[int], granted_slots: GrantedSlots
    ) -> tuple[int, int, bool] | None:
        """Return the result of `SlotCollection._free_slots`; None if uncertain."""


@dataclass(slots=True)
class SlotCollection:
    """One attempt: call `succeeds` once; afterwards `granted_slots` has the collected slots."""

    pe_attempt: PeAttempt
    host_list: HostList | None = None
    """The scheduler's list of hosts, which each attempt rearranges; None if nothing reads its order."""
    unsorted: Sequence[int] | None = None
    """The list of queue instances before this attempt, for the order of messages about cluster queues."""
    later: CollectedSlots | None = None
    """Slots that will be free later; None if these are not wanted, or once there are enough."""
    later_slots: dict[int, int] | None = None
    """Queue instance -> slots that it will have later, as last found; shared between attempts."""
    failed_visits: FailedVisits | None = None
    """Cached failed visits; None if there is no cache for the attempt."""
    host_shortcut: HostShortcut | None = None
    """Cached slots of hosts; None if there is no cache for the attempt."""
    result: int = NEVER
    """FITS, LATER or NEVER."""
    offered: int = 0
    """The number of slots found, for the message if they are too few."""
    has_visited_hosts: bool = False
    """True if hosts were visited: the global level has enough slots."""
    available_slots: AvailableSlots = field(init=False)
    granted_slots: GrantedSlots = field(init=False)
    _collected_later: int = 0
    _host_visits: HostVisits = field(init=False)

    def __post_init__(self) -> None:
        pe_attempt = self.pe_attempt
        self.available_slots = AvailableSlots(pe_attempt)
        self.granted_slots = GrantedSlots(pe_attempt, {})
        is_quick = pe_attempt.say is None and self.later is None
        self._host_visits = HostVisits(pe_attempt, self.available_slots, self.host_list, is_quick, self.failed_visits)

    def succeeds(self) -> bool:
        """Collect the slots; return True if there are enough."""
        slots = self.pe_attempt.slots
        room = self.available_slots.global_slots()
        if room.now < slots:
            self.offered = room.later
            self.result = NEVER if room.later < slots else LATER
            return False
        self._collect()
        self.offered = self.granted_slots.collected
        if self.granted_slots.is_complete:
            self.result = FITS
        return self.result == FITS

    def _collect(self) -> None:
        pe_attempt = self.pe_attempt
        self.has_visited_hosts = True
        self._sort()
        if self.host_list is not None:
            self.host_list.arrange(eligible_hosts(pe_attempt.context, self.available_slots))
        host_visits = self._host_visits
        hosts: Iterable[int] = host_visits
        before = (-1, -1)
        while before != self._progress():
            before = self._progress()
            for host in hosts:
                if hosts is host_visits:
                    self._visit_first(host)
                elif not (pe_attempt.skips(host) or (host_visits.is_quick and host_visits.is_known(host))):
                    self._visit(host)
                if self._is_through():
                    return
            if pe_attempt.rule != ROUND_ROBIN:
                return
            hosts = host_visits.visited

    def _progress(self) -> tuple[int, int]:
        """Return the slots collected so far, now and later."""
        return self.granted_slots.collected, self._collected_later

    def _is_through(self) -> bool:
        """True if no further host needs a visit."""
        if self.later is not None:
            self._collected_later = self.later.collected
        if self.later is not None and self.later.is_complete:
            self.later = None
            self.result = LATER
            if self.pe_attempt.remaining_quota is not None:
                self.pe_attempt.remaining_quota.asks_for_later = False
        return self.later is None and self.granted_slots.is_complete

    def _sort(self) -> None:
        """Sort the list of queue instances; with soft requests, those with the fewest violations first."""
        pe_attempt, order = self.pe_attempt, self.pe_attempt.context.order
        eligible: list[int] = []
        if pe_attempt.say is not None or pe_attempt.soft is not None:
            # Messages about cluster queues follow the earlier order of the list.
            instances = pe_attempt.context.resources.instances
            numbers = self.unsorted if self.unsorted is not None else order
            eligible = [number for number in numbers if self.available_slots.queue_fits(instances[number].queue)]
        order.sort()
        if pe_attempt.soft is not None:
            pe_attempt.context.resources.left_violations.clear()
            violations = {number: pe_attempt.soft(number) for number in eligible}
            self.granted_slots.violations = 0
            order.arrange(lambda number: (number not in violations, violations.get(number, 0)))

    def _visit_first(self, host: int) -> None:
        if not self.pe_attempt.skips(host):
            failed_visit = self._visit(host)
            if self.failed_visits is not None:
                self.failed_visits.learn(host, failed_visit, self.granted_slots.collected)

    def _visit(self, host: int) -> FailedVisit | None:
        """Take the slots of a host; return the failed visit if it gives none, else None."""
        pe_attempt, granted_slots = self.pe_attempt, self.granted_slots
        resources, least = pe_attempt.context.resources, pe_attempt.least
        members = pe_attempt.context.order.in_order(resources.instances_of[host])
        if not members:
            return None
        given = granted_slots.given(members)
        free_slots = (
            self.host_shortcut.free_slots(host, members, granted_slots) if self.host_shortcut is not None else None
        )
        now, later, is_host_full = free_slots or self._free_slots(host, members, given)
        is_tried = now >= least
        gives = is_tried and granted_slots.take(members, now)
        if self.later is not None and later >= least and not self.later.take(members, later):
            later = 0
        if gives:
            return None
        if is_host_full or pe_attempt.remaining_quota is None:
            stays_so = not is_tried
        else:
            stays_so = not (is_tried and pe_attempt.masters) and self._quotas_are_final(members)
        now = 0 if is_tried else now
        writes = self.later_slots is not None and not is_host_full
        failed_visit = FailedVisit(is_host_full, not given and stays_so and not writes, max(now, later) < least)
        self._host_visits.note((host,), failed_visit)
        return failed_visit

    def _free_slots(self, host: int, members: Sequence[int], given: int) -> tuple[int, int, bool]:
        """Return the slots of a host now and later, and True if the host itself has too few for its queue instances."""
        pe_attempt = self.pe_attempt
        room = self.available_slots.host_slots(host, members, given)
        now, later = min(room.now, pe_attempt.slots), min(room.later, pe_attempt.slots)
        if max(now, later) < pe_attempt.least:
            return now, later, True
        queues = self._room_in_queues(members)
        return min(queues.now, now), min(queues.later, later), False

    def _quotas_are_final(self, members: Sequence[int]) -> bool:
        """True if the quotas of these queue instances do not depend on slots taken earlier in the attempt."""
        remaining_quota, skipped = self.pe_attempt.remaining_quota, self.pe_attempt.pe_cache.skipped_instances
        return (
            remaining_quota is not None and skipped.keys().isdisjoint(members) and remaining_quota.is_untouched(members)
        )

    def _room_in_queues(self, members: Sequence[int]) -> SlotCount:
        """Return the total slots of a host's queue instances, and record the slots of each."""
        pe_attempt, granted_slots = self.pe_attempt, self.granted_slots
        instances, skipped = pe_attempt.context.resources.instances, pe_attempt.pe_cache.skipped_instances
        total = SlotCount(NEVER)
        for number in members:
            queue = instances[number].queue
            if not self.available_slots.queue_fits(queue):
                self._note(number, 0, 0)
                continue
            if pe_attempt.remaining_quota is not None and queue in pe_attempt.remaining_quota.skipped_queues:
                self._note_later(number, 0)
                continue
            if pe_attempt.remembers and number in skipped:
                continue
            room = self.available_slots.instance_slots(number, granted_slots.granted.get(number, 0))
            if room.result != NEVER and max(room.now, room.later) > 0:
                total.now += room.now
                total.later += room.later
                self._note(number, room.now, room.later)
            else:
                granted_slots.free_slots[number] = 0
                if pe_attempt.remembers:
                    skipped[number] = None
        return total

    def _note(self, number: int, now: int, later: int) -> None:
        self.granted_slots.free_slots[number] = now
        self._note_later(number, later)

    def _note_later(self, number: int, later: int) -> None:
        if self.later_slots is not None:
            self.later_slots[number] = later % 2**32
