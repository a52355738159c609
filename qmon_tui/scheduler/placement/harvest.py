"""One attempt to collect a given number of slots for a parallel job (dispatch.md section 8.3).

Hosts are visited in the order in which their first eligible queue instance stands in the list; with $round_robin again
and again. Each gives what its consumables, its load thresholds and its queue instances allow, or nothing if that is
too little. 8.1.9 forgets here to leave out queue instances that the category has found unsuitable before: each of them
counts as having one slot where the host has room otherwise. As the real system decides so, so does this.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from qmon_tui.scheduler.compiled.cluster import GLOBAL
from qmon_tui.scheduler.compiled.environments import FILL_UP, ROUND_ROBIN, Environment
from qmon_tui.scheduler.matching.refusal import Refusal
from qmon_tui.scheduler.matching.room import ANY_TASK, FITS, LATER, NEVER, NOT_MASTER, NOT_NOW_MASTER, Room, Say
from qmon_tui.scheduler.matching.static import Applicant
from qmon_tui.scheduler.placement.later import LaterHarvest
from qmon_tui.scheduler.placement.memory import Memory
from qmon_tui.scheduler.placement.site import Site
from qmon_tui.scheduler.placement.threshold_cap import threshold_cap
from qmon_tui.scheduler.quotas.purse import Purse


@dataclass(slots=True)
class Harvest:
    """The attempt for one number of slots in one parallel environment."""

    site: Site
    applicant: Applicant
    environment: Environment
    memory: Memory
    remembers: bool
    """The category has more jobs than this one, so that what it remembers is used."""
    masters: dict[int, int]
    """Whether a queue instance can be the master queue, for those that are not like all others."""
    soft: Callable[[int], int] | None
    """How many soft requests a queue instance does not meet; None for a job without any."""
    say: Say | None
    later_rooms: dict[int, int] | None = None
    """Set where it matters, too, whether there will be enough some time; see `LaterHarvest.rooms`."""
    adjusts: bool = True
    """Load thresholds limit the slots of a host where jobs are taken to add to its load."""
    purse: Purse | None = None
    """What quotas leave for this attempt; None where none is for the job."""
    learns: bool = True
    """Hosts that give nothing are remembered, too."""
    host_list: list[int] = field(default_factory=list)
    """The hosts in the order of the scheduler's list, which each attempt leaves behind in its own order."""
    unsorted: Sequence[int] | None = None
    """The list of queue instances as it was before this attempt, for what is said about cluster queues."""
    has_looked: bool = False
    """The global level did not rule everything out."""
    result: int = NEVER
    """Whether there is enough now, later or never."""
    offered: int = 0
    """For how many slots there was room."""
    later: LaterHarvest | None = None
    """Until there is enough later."""
    asks_for_later: bool = True
    granted: dict[int, int] = field(default_factory=dict)
    sequence: list[int] = field(default_factory=list)
    """The queue instances in the order in which they were taken, the master queue first."""
    violations: int = 0
    _violations_of: dict[int, int] = field(default_factory=dict)
    _accepted: set[str] = field(default_factory=set)
    """Attributes that the global level has."""
    _on_host: set[str] = field(default_factory=set)
    """Attributes that it or the host at hand has."""
    _queues: dict[str, bool] = field(default_factory=dict)
    """Whether a cluster queue passed its static check."""
    _room: dict[int, int] = field(default_factory=dict)
    """The slots that a queue instance can still give; one where it was not looked at."""
    _has_master: bool = False
    _collected: int = 0
    _least: int = 1
    _rule: int = FILL_UP

    def succeeds(self) -> bool:
        """Collect the slots; `granted` has them afterwards."""
        self._rule = self.environment.per_host(self.applicant.slots)
        self._least = max(1, self._rule)
        room = self._everywhere()
        if room.now < self.applicant.slots:
            self.offered = room.later
            self.result = NEVER if room.later < self.applicant.slots else LATER
            return False
        if self.later_rooms is not None:
            self.later = LaterHarvest(
                self.site, self.applicant, self.masters, self.later_rooms, self._rule, self._least
            )
        self._collect()
        self.offered = self._collected
        if self._has_enough():
            self.result = FITS
        return self.result == FITS

    def room_at(self, number: int) -> int:
        """The slots that one queue instance has room for, whatever the others have; what is missing is said."""
        if self._everywhere().result == NEVER or not self._queue_fits(self.site.resources.instances[number].queue):
            return 0
        on_host = self._room_on_host(self.site.resources.host_of[number], [number], 0)
        room = self._room_in_queue(number) if on_host.now > 0 else on_host
        return 0 if room.result == NEVER else max(0, min(on_host.now, room.now))

    def _has_enough(self) -> bool:
        return self._has_master and self._collected >= self.applicant.slots

    def _is_complete(self) -> bool:
        """Tell whether no host need be looked at any more."""
        if self.later is not None and self.later.is_complete:
            self.later = None
            self.asks_for_later = False
            self.result = LATER
        return self.later is None and self._has_enough()

    def _everywhere(self) -> Room:
        site = self.site
        level = site.resources.global_level
        refusal = site.rules.host(site.compiled.hosts[GLOBAL], level.loads, self.applicant)
        if refusal is not None:
            self._refuse(refusal)
            return Room(NEVER)
        return site.counter.count(level, self.applicant.demand, self._accepted, self.say)

    def _refuse(self, refusal: Refusal) -> None:
        if self.say is not None:
            self.say(refusal.message)

    def _collect(self) -> None:
        self.has_looked = True
        eligible: list[int] = []
        if self.say is not None or self.soft is not None:
            instances = self.site.resources.instances
            numbers = self.unsorted if self.unsorted is not None else self.site.order
            eligible = [number for number in numbers if self._queue_fits(instances[number].queue)]
        self.site.order.sort()
        if self.soft is not None:
            self._arrange(eligible, self.soft)
        seen: list[int] = []
        hosts: Iterable[int] = self._hosts()
        before = (-1, -1)
        while before != self._progress():
            before = self._progress()
            for host in hosts:
                if hosts is not seen:
                    seen.append(host)
                self._visit(host)
                if self._is_complete():
                    return
            if self._rule != ROUND_ROBIN:
                return
            hosts = seen

    def _progress(self) -> tuple[int, int]:
        return self._collected, self.later.collected if self.later is not None else 0

    def _arrange(self, eligible: Iterable[int], soft: Callable[[int], int]) -> None:
        """Let the queue instances that meet most soft requests come first."""
        found = self._violations_of = {number: soft(number) for number in eligible}
        self.site.order.arrange(lambda number: (0, found[number]) if number in found else (1, 0))

    def _queue_fits(self, name: str) -> bool:
        fits = self._queues.get(name)
        if fits is None:
            refusal = self.site.rules.cluster_queue(self.site.queues[name], self.applicant)
            if refusal is not None:
                self._refuse(refusal)
            fits = self._queues[name] = refusal is None
        return fits

    def _hosts(self) -> Iterator[int]:
        """The hosts in their order; those without an eligible queue instance last, where it matters."""
        resources, order = self.site.resources, self.site.order
        seen: dict[int, None] = {}
        for number in order:
            host = resources.host_of[number]
            if host not in seen and self._queue_fits(resources.instances[number].queue):
                seen[host] = None
                yield host
        if self.say is not None:
            rest = [host for host in self.host_list if host not in seen]
            self.host_list[:] = (*seen, *rest)
            yield from rest
        elif self.remembers and self.learns:
            rest = [host for host in {resources.host_of[number]: None for number in order} if host not in seen]
            self.memory.skipped_hosts.update(dict.fromkeys(rest))

    def _visit(self, host: int) -> None:
        memory = self.memory
        if self.remembers and host in memory.skipped_hosts:
            return
        if self.purse is not None and host in self.purse.skipped_hosts:
            return
        resources = self.site.resources
        exhausted = memory.exhausted.setdefault((self._least, self.applicant.slots == 1), {})
        if self.say is None and self.later is None and exhausted.get(host) == resources.changes_of_host[host]:
            return
        members = self.site.order.in_order(resources.instances_of[host])
        if not members:
            return
        given = sum(self.granted.get(number, 0) for number in members)
        room = self._room_on_host(host, members, given)
        slots = self.applicant.slots
        now, later = min(room.now, slots), min(room.later, slots)
        is_host_full = max(now, later) < self._least
        if not is_host_full:
            queues = self._room_in_queues(members, host)
            now, later = min(queues.now, now), min(queues.later, later)
        stays_so = is_host_full or self.purse is None or self._never_has_more(members)
        if now >= self._least and not self._take(members, now):
            now = 0
            stays_so = self.purse is not None and stays_so and not self.masters and self._never_has_more(members)
        if now < self._least and not given and stays_so:
            exhausted[host] = resources.changes_of_host[host]
        if self.later is not None and later >= self._least and not self.later.take(members, later):
            later = 0
        if self.remembers and self.learns and max(now, later) < self._least:
            memory.skipped_hosts[host] = None

    def _never_has_more(self, members: list[int]) -> bool:
        """Tell whether what quotas leave these queue instances does not depend on what the attempt has taken before."""
        skipped = self.memory.skipped_instances
        return self.purse is not None and skipped.keys().isdisjoint(members) and self.purse.is_untouched(members)

    def _room_on_host(self, host: int, members: list[int], given: int) -> Room:
        site, demand = self.site, self.applicant.demand
        level = site.resources.hosts[host]
        instance = site.resources.instances[members[0]]
        groups = site.compiled.groups
        lists = (demand.queues, demand.master_queues)
        if all(patterns and not any(one.matches_host(instance.host, groups) for one in patterns) for patterns in lists):
            return Room(NEVER)
        if self.say is not None or host not in self.memory.clear_hosts:
            refusal = site.rules.host(site.compiled.hosts[instance.host], level.loads, self.applicant)
            if refusal is not None:
                self._refuse(refusal)
                return Room(NEVER)
            self.memory.clear_hosts.add(host)
        self._on_host = set(self._accepted)
        room = site.counter.count(level, demand, self._on_host, self.say)
        if room.result == LATER:
            self.masters.update(dict.fromkeys(members, NOT_NOW_MASTER))
        if room.now > 0:
            room.now = min(room.now, threshold_cap(site.resources, host, members, demand, self.adjusts)) - given
        return room

    _host_accepted: set[str] = field(default_factory=set)

    def _room_in_queues(self, members: list[int], host: int) -> Room:
        total = Room(NEVER)
        memory = self.memory
        for number in members:
            if not self._queue_fits(self.site.resources.instances[number].queue):
                self._room[number] = 0
                self._note_later(number, 0)
                continue
            if self.purse is not None and self.site.resources.instances[number].queue in self.purse.skipped_queues:
                continue
            if self.remembers and number in memory.skipped_instances:
                continue
            room = self._room_in_queue(number)
            if room.result != NEVER and max(room.now, room.later) > 0:
                total.now += room.now
                total.later += room.later
                self._room[number] = room.now
                self._note_later(number, room.later)
            else:
                self._room[number] = 0
                if self.remembers:
                    memory.skipped_instances[number] = None
        return total

    def _note_later(self, number: int, room: int) -> None:
        if self.later_rooms is not None:
            self.later_rooms[number] = room

    def _room_in_queue(self, number: int) -> Room:
        site, demand = self.site, self.applicant.demand
        instance = site.resources.instances[number]
        if demand.master_queues and not site.rules.matches(instance, demand.master_queues):
            self.masters[number] = NOT_MASTER
        if self.say is not None or number not in self.memory.clear_instances:
            refusal = site.rules.instance(instance, self.applicant)
            if refusal is not None:
                self._refuse(refusal)
                return Room(NEVER)
            self.memory.clear_instances.add(number)
        quota = None
        if self.purse is not None:
            quota = self.purse.room(number, self.masters.get(number, ANY_TASK), self.say)
            if quota.master is not None and quota.master != ANY_TASK:
                self.masters[number] = quota.master
            if quota.result == NEVER:
                return quota
        room = site.counter.count(site.resources.queues[number], demand, set(self._on_host), self.say)
        if room.master is not None:
            self.masters[number] = room.master
        room.now -= self.granted.get(number, 0)
        if quota is not None:
            room.now, room.later = min(room.now, quota.now), min(room.later, quota.later)
        return room

    def _take(self, members: list[int], room: int) -> bool:
        """Take slots from a host's queue instances; nothing, and False, where they give too little."""
        wanted = self.applicant.slots - self._collected
        most = self._rule if self._rule > 0 else min(wanted, room) if self._rule == FILL_UP else 1
        taken: dict[int, int] = {}
        got_master = self._has_master
        total = 0
        for number in members:
            available = self._room.get(number, 1)
            if not available:
                continue
            amount = self._amount(number, min(available, most - total), total, got_master)
            if self.purse is not None and amount > 0:
                amount = self.purse.take(number, amount)
            self._room[number] = max(0, amount)
            if amount > 0:
                taken[number] = amount
                total += amount
                got_master |= self._enter(number, amount)
            if total == most:
                break
        if total < self._least:
            for number, amount in taken.items():
                self._give_back(number, amount)
            self._room.update(dict.fromkeys(members, 0))
            return False
        self._has_master |= got_master
        self._collected += total
        return True

    def _amount(self, number: int, amount: int, total: int, got_master: bool) -> int:
        """Leave a slot for the master queue while there is none, and give it one only where -q rules it out."""
        if got_master:
            return amount
        demand = self.applicant.demand
        if self.masters.get(number, ANY_TASK) != ANY_TASK:
            return amount - 1 if self._collected + total + amount == self.applicant.slots else amount
        instance = self.site.resources.instances[number]
        if demand.master_queues and demand.queues and not self.site.rules.matches(instance, demand.queues):
            return min(amount, 1)
        return amount

    def _enter(self, number: int, amount: int) -> bool:
        """Grant slots of a queue instance; True where that makes it the master queue."""
        self.violations += amount * self._violations_of.get(number, 0)
        if number in self.granted:
            self.granted[number] += amount
            return False
        self.granted[number] = amount
        is_master = not self._has_master and self.masters.get(number, ANY_TASK) == ANY_TASK
        self.sequence.insert(0 if is_master else len(self.sequence), number)
        return is_master

    def _give_back(self, number: int, amount: int) -> None:
        if self.purse is not None:
            self.purse.give_back(number, amount)
        self.violations -= amount * self._violations_of.get(number, 0)
        self.granted[number] -= amount
        if not self.granted[number]:
            del self.granted[number]
            self.sequence.remove(number)
