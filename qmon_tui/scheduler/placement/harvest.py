"""One attempt to collect a given number of slots for a parallel job (dispatch.md section 8.3).

Hosts are visited in the order in which their first eligible queue instance stands in the list; with $round_robin again
and again. Each gives what its consumables, its load thresholds and its queue instances allow (`Offers`), or nothing if
that is too little (`Basket`). 8.1.9 forgets here to leave out queue instances that the category has found unsuitable
before: each of them counts as having one slot where the host has room otherwise. As the real system decides so, so
does this.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from qmon_tui.scheduler.compiled.environments import ROUND_ROBIN
from qmon_tui.scheduler.matching.room import FITS, LATER, NEVER, Room
from qmon_tui.scheduler.placement.basket import Basket, GrantBasket
from qmon_tui.scheduler.placement.errand import Errand
from qmon_tui.scheduler.placement.host_list import HostList, eligible_hosts
from qmon_tui.scheduler.placement.memory import OnHosts
from qmon_tui.scheduler.placement.offers import Offers
from qmon_tui.scheduler.placement.order import QueueOrder

_NONE: Mapping[int, int] = MappingProxyType({})


@dataclass(slots=True)
class Harvest:
    """The attempt, which is made once; afterwards `basket` has what was collected."""

    errand: Errand
    host_list: HostList | None = None
    """The scheduler's list, which each attempt leaves behind in its own order; set where what is said follows it."""
    unsorted: Sequence[int] | None = None
    """The list of queue instances as it was before this attempt, for what is said about cluster queues."""
    later: Basket | None = None
    """Set where it matters, too, whether there will be enough some time; None again as soon as that is known."""
    later_rooms: dict[int, int] | None = None
    """What each queue instance was last found to have room for some time; it outlives the attempt."""
    result: int = NEVER
    """Whether there is enough now, later or never."""
    offered: int = 0
    """For how many slots there was room."""
    has_looked: bool = False
    """The global level did not rule everything out."""
    offers: Offers = field(init=False)
    basket: GrantBasket = field(init=False)
    _collected_later: int = 0
    _exhausted: Mapping[int, int] = field(init=False)
    """The hosts that have too little for an attempt like this, by how often they had changed then."""
    _short: Mapping[int, int] = field(default_factory=lambda: _NONE)
    """Those of which quotas let the job have too little, as long as a visit would come to the same."""
    _is_checked: bool = False
    """Hosts of both kinds are left out before they would be visited."""

    def __post_init__(self) -> None:
        errand = self.errand
        self.offers = Offers(errand)
        self.basket = GrantBasket(errand, {})
        self._exhausted = errand.memory.exhausted.setdefault(errand.kind, {})
        if errand.purse is not None and errand.purse.is_ample(errand.slots):
            self._short = errand.memory.short.setdefault(errand.kind, {})

    def succeeds(self) -> bool:
        """Collect the slots."""
        slots = self.errand.slots
        room = self.offers.everywhere()
        if room.now < slots:
            self.offered = room.later
            self.result = NEVER if room.later < slots else LATER
            return False
        self._collect()
        self.offered = self.basket.collected
        if self.basket.is_complete:
            self.result = FITS
        return self.result == FITS

    def _collect(self) -> None:
        self.has_looked = True
        self._sort()
        if self.host_list is not None:
            self.host_list.arrange(eligible_hosts(self.errand.site, self.offers))
        seen: list[int] = []
        hosts: Iterable[int] = self._hosts()
        before = (-1, -1)
        while before != self._progress():
            before = self._progress()
            for host in hosts:
                if hosts is not seen:
                    seen.append(host)
                self._visit(host)
                if self._is_through():
                    return
            if self.errand.rule != ROUND_ROBIN:
                return
            hosts = seen
            self._is_checked = False

    def _progress(self) -> tuple[int, int]:
        return self.basket.collected, self._collected_later

    def _is_through(self) -> bool:
        """Tell whether no host need be looked at any more."""
        if self.later is not None:
            self._collected_later = self.later.collected
        if self.later is not None and self.later.is_complete:
            self.later = None
            self.result = LATER
            if self.errand.purse is not None:
                self.errand.purse.asks_for_later = False
        return self.later is None and self.basket.is_complete

    def _sort(self) -> None:
        """Put the list of queue instances in order; those that meet most soft requests first."""
        errand, order = self.errand, self.errand.site.order
        eligible: list[int] = []
        if errand.say is not None or errand.soft is not None:
            # What is said about cluster queues is said in the order of the list as it was.
            instances = errand.site.resources.instances
            numbers = self.unsorted if self.unsorted is not None else order
            eligible = [number for number in numbers if self.offers.queue_fits(instances[number].queue)]
        order.sort()
        if errand.soft is not None:
            found = self.basket.violations_of = {number: errand.soft(number) for number in eligible}
            order.arrange(lambda number: (0, found[number]) if number in found else (1, 0))

    def _hosts(self) -> Iterator[int]:
        """The hosts in their order; those without an eligible queue instance last, where it matters."""
        errand = self.errand
        resources, order = errand.site.resources, errand.site.order
        seen: dict[int, None] = {}
        is_quick = errand.say is None and self.later is None
        skipped: Container[int] = errand.memory.skipped_hosts if is_quick and errand.remembers else ()
        exhausted, short = (self._exhausted, self._short) if is_quick else ({}, {})
        self._is_checked = is_quick
        learns = errand.remembers and errand.learns
        hopeless: Container[int] = errand.memory.hopeless.get(errand.kind, ()) if learns else ()
        host_of, changes = resources.host_of, resources.changes_of_host
        for number in self._useful() if is_quick else order:
            host = host_of[number]
            if host in seen:
                continue
            if host in skipped:
                # It would be passed over anyway, and there may be thousands of them.
                seen[host] = None
            elif exhausted.get(host) == changes[host] or short.get(host) == changes[host]:
                seen[host] = None
                if errand.purse is not None and host in short:
                    errand.purse.passed_hosts.append(host)
                if host in hopeless and not self._is_skipped(host):
                    # A visit would have come to this.
                    errand.memory.skipped_hosts[host] = None
            elif self.offers.queue_fits(resources.instances[number].queue):
                seen[host] = None
                yield host
        if errand.say is not None and self.host_list is not None:
            yield from [host for host in self.host_list if host not in seen]
        elif errand.remembers and errand.learns:
            rest = [host for host in {resources.host_of[number]: None for number in order} if host not in seen]
            errand.memory.skipped_hosts.update(dict.fromkeys(rest))

    def _useful(self) -> Iterable[int]:
        """The list of queue instances, without its beginning where all hosts there are skipped."""
        errand = self.errand
        order, memory = errand.site.order, errand.memory
        if not errand.remembers or not isinstance(order, QueueOrder) or order.is_arranged:
            return order
        skipped = OnHosts(memory.skipped_hosts, errand.site.resources.host_of)
        return () if order.next_from(memory.cursor, skipped) is None else order.rest(memory.cursor)

    def _visit(self, host: int) -> None:
        """Take what a host gives."""
        errand, memory, basket = self.errand, self.errand.memory, self.basket
        resources, least = errand.site.resources, errand.least
        if self._is_skipped(host):
            return
        if errand.say is None and self.later is None and not self._is_checked and self._is_known(host):
            return
        members = errand.site.order.in_order(resources.instances_of[host])
        if not members:
            return
        given = basket.given(members)
        room = self.offers.of_host(host, members, given)
        now, later = min(room.now, errand.slots), min(room.later, errand.slots)
        is_host_full = max(now, later) < least
        if not is_host_full:
            queues = self._room_in_queues(members)
            now, later = min(queues.now, now), min(queues.later, later)
        stays_so = is_host_full or errand.purse is None or self._never_has_more(members)
        if now >= least and not basket.take(members, now):
            now = 0
            stays_so = errand.purse is not None and stays_so and not errand.masters and self._never_has_more(members)
        if self.later is not None and later >= least and not self.later.take(members, later):
            later = 0
        writes = self.later_rooms is not None and not is_host_full
        if now < least and not given and stays_so and not writes:
            notes = memory.exhausted if is_host_full or errand.purse is None else memory.short
            notes.setdefault(errand.kind, {})[host] = resources.changes_of_host[host]
            hopeless = memory.hopeless.setdefault(errand.kind, set())
            hopeless.discard(host)
            if max(now, later) < least:
                hopeless.add(host)
        if errand.remembers and errand.learns and max(now, later) < least:
            memory.skipped_hosts[host] = None

    def _is_known(self, host: int) -> bool:
        """Tell whether a visit would come to nothing, as one before."""
        changes = self.errand.site.resources.changes_of_host[host]
        return self._exhausted.get(host) == changes or self._short.get(host) == changes

    def _is_skipped(self, host: int) -> bool:
        errand = self.errand
        if errand.remembers and host in errand.memory.skipped_hosts:
            return True
        return errand.purse is not None and host in errand.purse.skipped_hosts

    def _never_has_more(self, members: Sequence[int]) -> bool:
        """Tell whether what quotas leave these queue instances does not depend on what the attempt has taken before."""
        purse, skipped = self.errand.purse, self.errand.memory.skipped_instances
        return purse is not None and skipped.keys().isdisjoint(members) and purse.is_untouched(members)

    def _room_in_queues(self, members: Sequence[int]) -> Room:
        """What a host's queue instances have room for together; each is noted for the taking."""
        errand, basket = self.errand, self.basket
        instances, skipped = errand.site.resources.instances, errand.memory.skipped_instances
        total = Room(NEVER)
        for number in members:
            queue = instances[number].queue
            if not self.offers.queue_fits(queue):
                self._note(number, 0, 0)
                continue
            if errand.purse is not None and queue in errand.purse.skipped_queues:
                self._note_later(number, 0)
                continue
            if errand.remembers and number in skipped:
                continue
            room = self.offers.of_queue(number, basket.granted.get(number, 0))
            if room.result != NEVER and max(room.now, room.later) > 0:
                total.now += room.now
                total.later += room.later
                self._note(number, room.now, room.later)
            else:
                basket.rooms[number] = 0
                if errand.remembers:
                    skipped[number] = None
        return total

    def _note(self, number: int, now: int, later: int) -> None:
        self.basket.rooms[number] = now
        self._note_later(number, later)

    def _note_later(self, number: int, later: int) -> None:
        if self.later_rooms is not None:
            self.later_rooms[number] = later % 2**32
