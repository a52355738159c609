"""The slots that the global host, a host and a queue instance have for a parallel job (parallel.md#one-attempt)."""

from collections.abc import Sequence, Set
from dataclasses import dataclass, field

from qmon_tui.scheduler.configuration import GLOBAL
from qmon_tui.scheduler.matching import (
    ANY_TASK,
    LATER,
    NEVER,
    NOT_MASTER,
    NOT_NOW_MASTER,
    Refusal,
    SlotCount,
    threshold_cap,
)
from qmon_tui.scheduler.parallel.pe_attempt import PeAttempt


@dataclass(slots=True)
class AvailableSlots:
    """The slots available in one attempt: call `global_slots`, then `host_slots`, then `instance_slots`.

    Each call reports its shortages to `PeAttempt.say`, and marks instances that cannot be the master queue.
    """

    pe_attempt: PeAttempt
    _accepted: set[str] = field(default_factory=set)
    """Requested attributes that the global level has."""
    _on_host: set[str] = field(default_factory=set)
    """Requested attributes that the global level or the host of the last `host_slots` has."""
    _queues: dict[str, bool] = field(default_factory=dict)
    """Cluster queue -> True if it passed its static check."""

    @property
    def accepted(self) -> Set[str]:
        """Requested attributes that the global level has; set by `global_slots`."""
        return self._accepted

    def slots_in(self, number: int) -> int:
        """Return the slots that one queue instance has if no other instance of its host gives any."""
        resources = self.pe_attempt.context.resources
        if self.global_slots().result == NEVER or not self.queue_fits(resources.instances[number].queue):
            return 0
        on_host = self.host_slots(resources.host_of[number], [number], 0)
        room = self.instance_slots(number, 0) if on_host.now > 0 else on_host
        return 0 if room.result == NEVER else max(0, min(on_host.now, room.now))

    def global_slots(self) -> SlotCount:
        context, placement_request = self.pe_attempt.context, self.pe_attempt.placement_request
        level = context.resources.global_level
        refusal = context.rules.host(context.compiled.hosts[GLOBAL], level.loads, placement_request)
        if refusal is not None:
            return self._refused(refusal)
        return context.counter.count(level, placement_request.demand, self._accepted, self.pe_attempt.say)

    def queue_fits(self, name: str) -> bool:
        """True if a cluster queue passes its static check; a failure is reported once."""
        fits = self._queues.get(name)
        if fits is None:
            fits = self._queues[name] = self._passes(name)
        return fits

    def _passes(self, name: str) -> bool:
        pe_attempt = self.pe_attempt
        context, clear, key = pe_attempt.context, pe_attempt.pe_cache.clear_queues, (name, pe_attempt.slots == 1)
        if key in clear:
            return True
        refusal = context.rules.cluster_queue(context.queues[name], pe_attempt.placement_request)
        if refusal is not None:
            self._refused(refusal)
            return False
        clear.add(key)
        return True

    def host_slots(self, host: int, members: Sequence[int], given: int) -> SlotCount:
        """Return the slots that a host still has after its queue instances `members` gave `given` in this attempt."""
        pe_attempt = self.pe_attempt
        context, demand, pe_cache = pe_attempt.context, pe_attempt.placement_request.demand, pe_attempt.pe_cache
        level = context.resources.hosts[host]
        name = context.resources.host_names[host]
        if demand.queues and demand.master_queues:
            groups, patterns = context.compiled.groups, (*demand.queues, *demand.master_queues)
            if not any(pattern.matches_host(name, groups) for pattern in patterns):
                return SlotCount(NEVER)
        if host not in pe_cache.clear_hosts or name in pe_attempt.placement_request.unclean:
            refusal = context.rules.host(context.compiled.hosts[name], level.loads, pe_attempt.placement_request)
            if refusal is not None:
                return self._refused(refusal)
            pe_cache.clear_hosts.add(host)
        self._on_host = set(self._accepted)
        room = context.counter.count(level, demand, self._on_host, pe_attempt.say)
        if room.result == LATER:
            pe_attempt.masters.update(dict.fromkeys(members, NOT_NOW_MASTER))
        if room.now > 0:
            room.now = (
                min(room.now, threshold_cap(context.resources, host, members, demand, pe_attempt.adjusts)) - given
            )
        return room

    def instance_slots(self, number: int, given: int) -> SlotCount:
        """Return the slots that a queue instance of that host still has after it gave `given` in this attempt."""
        pe_attempt = self.pe_attempt
        context, demand, pe_cache = pe_attempt.context, pe_attempt.placement_request.demand, pe_attempt.pe_cache
        instance = context.resources.instances[number]
        if demand.master_queues and not context.rules.matches(instance, demand.master_queues):
            pe_attempt.masters[number] = NOT_MASTER
        if number not in pe_cache.clear_instances:
            refusal = context.rules.instance(instance, pe_attempt.placement_request)
            if refusal is not None:
                return self._refused(refusal)
            pe_cache.clear_instances.add(number)
        quota = None
        if pe_attempt.remaining_quota is not None:
            quota = pe_attempt.remaining_quota.room(number, pe_attempt.master(number), pe_attempt.say)
            if quota.master is not None and quota.master != ANY_TASK:
                pe_attempt.masters[number] = quota.master
            if quota.result == NEVER:
                return quota
        room = context.counter.count(context.resources.queues[number], demand, set(self._on_host), pe_attempt.say)
        if room.master is not None:
            pe_attempt.masters[number] = room.master
        room.now -= given
        if quota is not None:
            room.now, room.later = min(room.now, quota.now), min(room.later, quota.later)
        return room

    def _refused(self, refusal: Refusal) -> SlotCount:
        """Report the refusal and return no slots."""
        if self.pe_attempt.say is not None:
            self.pe_attempt.say(refusal.message)
        return SlotCount(NEVER)
