"""What the global host, a host and a queue instance have room for, for a parallel job (dispatch.md 8.3, 7a and 7b)."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from qmon_tui.scheduler.compiled.cluster import GLOBAL
from qmon_tui.scheduler.matching.refusal import Refusal
from qmon_tui.scheduler.matching.room import ANY_TASK, LATER, NEVER, NOT_MASTER, NOT_NOW_MASTER, Room
from qmon_tui.scheduler.placement.errand import Errand
from qmon_tui.scheduler.placement.threshold_cap import threshold_cap


@dataclass(slots=True)
class Offers:
    """The offers of one attempt. They are asked for from the outside in: everywhere, on a host, in its queue instances.

    What a level lacks is said each time. Queue instances that cannot be the master queue are marked on the way.
    """

    errand: Errand
    _accepted: set[str] = field(default_factory=set)
    """Attributes that the global level has."""
    _on_host: set[str] = field(default_factory=set)
    """Attributes that it or the host at hand has."""
    _queues: dict[str, bool] = field(default_factory=dict)
    """Whether a cluster queue passed its static check."""

    def at(self, number: int) -> int:
        """The slots that one queue instance has room for, whatever the others have."""
        resources = self.errand.site.resources
        if self.everywhere().result == NEVER or not self.queue_fits(resources.instances[number].queue):
            return 0
        on_host = self.of_host(resources.host_of[number], [number], 0)
        room = self.of_queue(number, 0) if on_host.now > 0 else on_host
        return 0 if room.result == NEVER else max(0, min(on_host.now, room.now))

    def everywhere(self) -> Room:
        """The room that the global host has."""
        site, applicant = self.errand.site, self.errand.applicant
        level = site.resources.global_level
        refusal = site.rules.host(site.compiled.hosts[GLOBAL], level.loads, applicant)
        if refusal is not None:
            return self._refused(refusal)
        return site.counter.count(level, applicant.demand, self._accepted, self.errand.say)

    def queue_fits(self, name: str) -> bool:
        """Tell whether a cluster queue passes its static check; what it fails is said once."""
        fits = self._queues.get(name)
        if fits is None:
            fits = self._queues[name] = self._passes(name)
        return fits

    def _passes(self, name: str) -> bool:
        errand = self.errand
        site, clear, key = errand.site, errand.memory.clear_queues, (name, errand.slots == 1)
        if key in clear:
            return True
        refusal = site.rules.cluster_queue(site.queues[name], errand.applicant)
        if refusal is not None:
            self._refused(refusal)
            return False
        clear.add(key)
        return True

    def of_host(self, host: int, members: Sequence[int], given: int) -> Room:
        """The room that a host has beside what its queue instances have `given` already."""
        errand = self.errand
        site, demand, memory = errand.site, errand.applicant.demand, errand.memory
        level = site.resources.hosts[host]
        name = site.resources.host_names[host]
        if demand.queues and demand.master_queues:
            groups, patterns = site.compiled.groups, (*demand.queues, *demand.master_queues)
            if not any(pattern.matches_host(name, groups) for pattern in patterns):
                return Room(NEVER)
        if host not in memory.clear_hosts or name in errand.applicant.unclean:
            refusal = site.rules.host(site.compiled.hosts[name], level.loads, errand.applicant)
            if refusal is not None:
                return self._refused(refusal)
            memory.clear_hosts.add(host)
        self._on_host = set(self._accepted)
        room = site.counter.count(level, demand, self._on_host, errand.say)
        if room.result == LATER:
            errand.masters.update(dict.fromkeys(members, NOT_NOW_MASTER))
        if room.now > 0:
            room.now = min(room.now, threshold_cap(site.resources, host, members, demand, errand.adjusts)) - given
        return room

    def of_queue(self, number: int, given: int) -> Room:
        """The room that a queue instance of that host has beside what it has `given` already."""
        errand = self.errand
        site, demand, memory = errand.site, errand.applicant.demand, errand.memory
        instance = site.resources.instances[number]
        if demand.master_queues and not site.rules.matches(instance, demand.master_queues):
            errand.masters[number] = NOT_MASTER
        if number not in memory.clear_instances:
            refusal = site.rules.instance(instance, errand.applicant)
            if refusal is not None:
                return self._refused(refusal)
            memory.clear_instances.add(number)
        quota = None
        if errand.purse is not None:
            quota = errand.purse.room(number, errand.master(number), errand.say)
            if quota.master is not None and quota.master != ANY_TASK:
                errand.masters[number] = quota.master
            if quota.result == NEVER:
                return quota
        room = site.counter.count(site.resources.queues[number], demand, set(self._on_host), errand.say)
        if room.master is not None:
            errand.masters[number] = room.master
        room.now -= given
        if quota is not None:
            room.now, room.later = min(room.now, quota.now), min(room.later, quota.later)
        return room

    def _refused(self, refusal: Refusal) -> Room:
        if self.errand.say is not None:
            self.errand.say(refusal.message)
        return Room(NEVER)
