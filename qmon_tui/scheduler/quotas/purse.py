"""The quotas of a parallel job: how many slots each counter still has in one attempt (rqs.md section 6).

An attempt takes its slots out of the purse queue instance by queue instance, so that no limit gives more than it has,
and puts them back where a host delivers too few.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from qmon_tui.scheduler import messages
from qmon_tui.scheduler.compiled.queues import BUILT_IN
from qmon_tui.scheduler.matching.check import SLOTS
from qmon_tui.scheduler.matching.room import ANY_TASK, FITS, LATER, NEVER, NO_LIMIT, Counter, Room, Say, whole_slots
from qmon_tui.scheduler.quotas.ledger import Account, Tally
from qmon_tui.scheduler.quotas.limits import level_of
from qmon_tui.scheduler.quotas.reach import Reaches
from qmon_tui.scheduler.quotas.rules import Limit
from qmon_tui.scheduler.requests import Demand
from qmon_tui.values.number import INFINITY


@dataclass(eq=False, slots=True)
class Purse:
    """What is left of each counter in one attempt; `skipped_*` need not be looked at any more."""

    account: Account
    demand: Demand
    counter: Counter
    reaches: Reaches
    asks_for_later: bool = False
    """Where no slot is left now but some will be, nothing is said."""
    skipped_queues: set[str] = field(default_factory=set)
    skipped_hosts: set[int] = field(default_factory=set)
    passed_hosts: list[int] = field(default_factory=list)
    """Hosts that were not looked at, as it is known what would come of it; the scheduler has looked at them."""
    _ample: bool | None = None
    _rooms: dict[Tally, Room] = field(default_factory=dict)
    _taken: dict[Tally, int] = field(default_factory=dict)

    def room(self, number: int, master: int, say: Say | None) -> Room:
        """The slots that all rules together leave for a queue instance; `master` tells whether it can be the master.

        Each rule that leaves none is told, for each queue instance anew.
        """
        total = Room(FITS, NO_LIMIT, NO_LIMIT, master)
        for tally in self.account.tallies(number):
            room = self._rooms.get(tally)
            if room is None:
                room = self._rooms[tally] = self._work_out(tally, number, say)
            total.result = room.result
            total.now, total.later = min(total.now, room.now), min(total.later, room.later)
            total.master = min(master, ANY_TASK if room.master is None else room.master)
            master = total.master
            is_empty = room.result == NEVER or not total.now
            if is_empty and not (room.result != NEVER and self.asks_for_later and total.later):
                self._give_up(tally, number, say)
            if is_empty:
                # Rules that are not asked leave nothing, not even later; see `_pay`.
                break
        return total

    def _give_up(self, tally: Tally, number: int, say: Say | None) -> None:
        if say is not None:
            say(messages.message(messages.QUOTA, tally.key, tally.rule.label))
        reach = self.reaches.of(tally.rule, number)
        self.skipped_queues |= reach.queues
        self.skipped_hosts |= self.reaches.of_all_hosts(tally.rule) if reach.everything else reach.hosts

    def take(self, number: int, slots: int) -> int:
        """Take up to so many slots for a queue instance; how many there were."""
        tallies = self.account.tallies(number)
        for tally in tallies:
            room = self._rooms.get(tally) or self._passed(tally)
            slots = min(slots, room.now) if room is not None else 0
        if slots:
            for tally in tallies:
                self._rooms[tally].now -= slots
                self._taken[tally] = self._taken.get(tally, 0) + slots
        return slots

    def take_later(self, number: int, slots: int) -> int:
        """The same for the slots that there will be when all that ends has ended."""
        rooms = [self._rooms.get(tally) for tally in self.account.tallies(number)]
        slots = max(0, min([slots, *(0 if room is None else room.later for room in rooms)]))
        self.give_back_later(number, -slots)
        return slots

    def give_back(self, number: int, slots: int) -> None:
        """Put slots back that were taken for a queue instance."""
        for tally in self.account.tallies(number):
            self._rooms[tally].now += slots
            self._taken[tally] -= slots

    def give_back_later(self, number: int, slots: int) -> None:
        """Put slots back that were taken by `take_later`."""
        for tally in self.account.tallies(number):
            room = self._rooms.get(tally)
            if room is not None:
                room.later += slots

    def is_untouched(self, numbers: Iterable[int]) -> bool:
        """Tell whether these queue instances, as far as quotas go, will never have more room than now in this run."""
        account, taken = self.account, self._taken
        return account.is_exact and not any(taken.get(one) for number in numbers for one in account.tallies(number))

    def is_ample(self, slots: int) -> bool:
        """Tell whether no counter that hosts share can stand in the way of an attempt to collect so many slots.

        Then a host comes to what it came to before. Otherwise a visit may come to more: where all cluster queues of
        a host together would have had the room without quotas, those that are still asked once a limit is exceeded
        may be too few, and the category gives up the host. Each counter must have twice the number, as the attempt
        takes from it before the last host has to find enough there, too.
        """
        if self._ample is None:
            self._ample = all(self._has_ample(tally, 2 * slots) for tally in self.account.shared)
        return self._ample

    def _has_ample(self, tally: Tally, slots: int) -> bool:
        asked = {wanted.attribute.name for wanted in self.demand.hard}
        consumables = [limit for limit in tally.rule.limits if limit.attribute.is_consumable]
        if not all(map(self._is_divided, consumables)):
            return False
        if any(not limit.attribute.is_consumable and limit.attribute.name in asked for limit in tally.rule.limits):
            return False
        room = self._work_out(tally, 0, None)
        return room.result == FITS and room.now >= slots

    def _passed(self, tally: Tally) -> Room | None:
        """What is left of a counter that the scheduler has met on a host that was not looked at here."""
        members = self.account.ledger.resources.instances_of
        for host in self.passed_hosts if "hosts" not in tally.rule.separated else ():
            if any(tally in self.account.tallies(number) for number in members[host]):
                room = self._rooms[tally] = self._work_out(tally, members[host][0], None)
                return room
        return None

    def _is_divided(self, limit: Limit) -> bool:
        """Tell whether a limit is compared with nothing but what the job asks of its attribute."""
        return limit.is_plain and not limit.attribute.per_job and self.demand.names.isdisjoint(BUILT_IN)

    def _work_out(self, tally: Tally, number: int, say: Say | None) -> Room:
        total = Room(FITS, NO_LIMIT, NO_LIMIT, ANY_TASK)
        requests = {wanted.attribute.name: wanted for wanted in self.demand.hard}
        is_simple = not self.counter.checker.foresees
        for index, limit in enumerate(tally.rule.limits):
            attribute = limit.attribute
            wanted = requests.get(attribute.name)
            if not attribute.is_consumable:
                if wanted is None:
                    continue
                # 8.1.9 compares the wrong way round, with an operator that is not there: no request holds.
                return Room(NEVER, total.now, total.later, total.master)
            if is_simple and self._is_divided(limit):
                if wanted is not None:
                    amount, divisor = wanted.amount, wanted.typed_amount
                else:
                    amount = divisor = 1.0 if attribute.name == SLOTS else attribute.default_amount
                room = self._divided(tally, index, amount, divisor, wanted is not None)
            else:
                room = self._matched(tally, index, number, say)
            total.now, total.later = min(total.now, room.now), min(total.later, room.later)
            if room.master is not None and total.master is not None:
                total.master = min(total.master, room.master)
            if room.result == NEVER:
                return Room(NEVER, total.now, total.later, total.master)
        return total

    def _divided(self, tally: Tally, index: int, amount: float, divisor: float, is_asked: bool) -> Room:
        """How often an amount goes into what is left of a limit, where nothing else has to be looked at."""
        if not divisor:
            return Room(FITS, NO_LIMIT, NO_LIMIT)
        capacity = self.account.ledger.total(tally, tally.rule.limits[index])
        left = capacity - tally.used[index]
        if amount > left:
            # What is exceeded without being asked for explicitly sets no number of slots; see `Counter.count`.
            return Room(NEVER) if is_asked else Room(NEVER, NO_LIMIT, NO_LIMIT)
        if capacity >= INFINITY:
            return Room(FITS, NO_LIMIT, NO_LIMIT)
        return Room(FITS, whole_slots(left / divisor), whole_slots(capacity / divisor))

    def _matched(self, tally: Tally, index: int, number: int, say: Say | None) -> Room:
        """The same for all requests of the job, as on any other level; the queue instance's own limits count, too."""
        level = level_of(self.account.ledger, tally, index)
        level.fields = self.account.ledger.resources.queues[number].fields
        room = self.counter.count(level, self.demand, set(), say)
        if room.result == LATER:
            room.result = FITS
        return room
