"""One attempt to collect a given number of slots for a parallel job (dispatch.md section 8.3).

Hosts are visited in the order in which their first eligible queue instance stands in the list; with $round_robin again
and again. Each gives what its consumables, its load thresholds and its queue instances allow (`Offers`), or nothing if
that is too little (`Basket`). 8.1.9 forgets here to leave out queue instances that the category has found unsuitable
before: each of them counts as having one slot where the host has room otherwise. As the real system decides so, so
does this.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from qmon_tui.scheduler.compiled.environments import ROUND_ROBIN
from qmon_tui.scheduler.matching.room import FITS, LATER, NEVER, Room
from qmon_tui.scheduler.placement.basket import Basket, GrantBasket
from qmon_tui.scheduler.placement.errand import Errand
from qmon_tui.scheduler.placement.host_list import HostList, eligible_hosts
from qmon_tui.scheduler.placement.offers import Offers
from qmon_tui.scheduler.placement.tour import Tour
from qmon_tui.scheduler.quick.glance import Glance
from qmon_tui.scheduler.quick.twins import Loss, Losses


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
    losses: Losses | None = None
    """The fast path of visits that come to nothing, where nothing counts but what is free now."""
    glance: Glance | None = None
    """The fast path of all visits, where besides nothing is said."""
    result: int = NEVER
    """Whether there is enough now, later or never."""
    offered: int = 0
    """For how many slots there was room."""
    has_looked: bool = False
    """The global level did not rule everything out."""
    offers: Offers = field(init=False)
    basket: GrantBasket = field(init=False)
    _collected_later: int = 0
    _tour: Tour = field(init=False)

    def __post_init__(self) -> None:
        errand = self.errand
        self.offers = Offers(errand)
        self.basket = GrantBasket(errand, {})
        is_quick = errand.say is None and self.later is None
        self._tour = Tour(errand, self.offers, self.host_list, is_quick, self.losses)

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
        errand = self.errand
        self.has_looked = True
        self._sort()
        if self.host_list is not None:
            self.host_list.arrange(eligible_hosts(errand.site, self.offers))
        tour = self._tour
        hosts: Iterable[int] = tour
        before = (-1, -1)
        while before != self._progress():
            before = self._progress()
            for host in hosts:
                if hosts is tour:
                    self._visit_first(host)
                elif not (errand.skips(host) or (tour.is_quick and tour.is_known(host))):
                    self._visit(host)
                if self._is_through():
                    return
            if errand.rule != ROUND_ROBIN:
                return
            hosts = tour.visited

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

    def _visit_first(self, host: int) -> None:
        """Visit a host that this attempt has not visited yet."""
        if not self.errand.skips(host):
            loss = self._visit(host)
            if self.losses is not None:
                self.losses.learn(host, loss, self.basket.collected)

    def _visit(self, host: int) -> Loss | None:
        """Take what a host gives; what is known of the visit where it has come to nothing."""
        errand, basket = self.errand, self.basket
        resources, least = errand.site.resources, errand.least
        members = errand.site.order.in_order(resources.instances_of[host])
        if not members:
            return None
        given = basket.given(members)
        rooms = self.glance.rooms(host, members, basket) if self.glance is not None else None
        now, later, is_host_full = rooms or self._rooms(host, members, given)
        is_tried = now >= least
        gives = is_tried and basket.take(members, now)
        if self.later is not None and later >= least and not self.later.take(members, later):
            later = 0
        if gives:
            return None
        if is_host_full or errand.purse is None:
            stays_so = not is_tried
        else:
            stays_so = not (is_tried and errand.masters) and self._never_has_more(members)
        now = 0 if is_tried else now
        writes = self.later_rooms is not None and not is_host_full
        loss = Loss(is_host_full, not given and stays_so and not writes, max(now, later) < least)
        self._tour.note((host,), loss)
        return loss

    def _rooms(self, host: int, members: Sequence[int], given: int) -> tuple[int, int, bool]:
        """The slots that a host has room for now and later; and whether it has too few whatever its queues have."""
        errand = self.errand
        room = self.offers.of_host(host, members, given)
        now, later = min(room.now, errand.slots), min(room.later, errand.slots)
        if max(now, later) < errand.least:
            return now, later, True
        queues = self._room_in_queues(members)
        return min(queues.now, now), min(queues.later, later), False

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
