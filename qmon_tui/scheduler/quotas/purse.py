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
from qmon_tui.scheduler.requests import Demand
from qmon_tui.values.number import INFINITY


@dataclass(eq=False, slots=True)
class Purse:
    """What is left of each counter in one attempt; `skipped_*` need not be looked at any more."""

    account: Account
    demand: Demand
    counter: Counter
    reaches: Reaches
    skipped_queues: set[str] = field(default_factory=set)
    skipped_hosts: set[int] = field(default_factory=set)
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
            if room.result == NEVER or not total.now:
                self._give_up(tally, number, say)
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
            room = self._rooms.get(tally)
            slots = min(slots, room.now) if room is not None else 0
        if slots:
            for tally in tallies:
                self._rooms[tally].now -= slots
                self._taken[tally] = self._taken.get(tally, 0) + slots
        return slots

    def give_back(self, number: int, slots: int) -> None:
        """Put slots back that were taken for a queue instance."""
        for tally in self.account.tallies(number):
            self._rooms[tally].now += slots
            self._taken[tally] -= slots

    def is_untouched(self, numbers: Iterable[int]) -> bool:
        """Tell whether these queue instances, as far as quotas go, will never have more room than now in this run."""
        account, taken = self.account, self._taken
        return account.is_exact and not any(taken.get(one) for number in numbers for one in account.tallies(number))

    def _work_out(self, tally: Tally, number: int, say: Say | None) -> Room:
        total = Room(FITS, NO_LIMIT, NO_LIMIT, ANY_TASK)
        requests = {wanted.attribute.name: wanted for wanted in self.demand.hard}
        for index, limit in enumerate(tally.rule.limits):
            attribute = limit.attribute
            wanted = requests.get(attribute.name)
            if not attribute.is_consumable:
                if wanted is None:
                    continue
                # 8.1.9 compares the wrong way round, with an operator that is not there: no request holds.
                return Room(NEVER, total.now, total.later, total.master)
            if limit.is_plain and not attribute.per_job and self.demand.names.isdisjoint(BUILT_IN):
                if wanted is not None:
                    amount, divisor = wanted.amount, wanted.typed_amount
                else:
                    amount = divisor = 1.0 if attribute.name == SLOTS else attribute.default_amount
                room = self._divided(tally, index, amount, divisor)
            else:
                room = self._matched(tally, index, number, say)
            total.now, total.later = min(total.now, room.now), min(total.later, room.later)
            if room.master is not None and total.master is not None:
                total.master = min(total.master, room.master)
            if room.result == NEVER:
                return Room(NEVER, total.now, total.later, total.master)
        return total

    def _divided(self, tally: Tally, index: int, amount: float, divisor: float) -> Room:
        """How often an amount goes into what is left of a limit, where nothing else has to be looked at."""
        if not divisor:
            return Room(FITS, NO_LIMIT, NO_LIMIT)
        capacity = self.account.ledger.total(tally, tally.rule.limits[index])
        left = capacity - tally.used[index]
        if amount > left:
            # A limit that is exceeded from the start is not counted: it is never asked for slots again.
            return Room(NEVER, NO_LIMIT, NO_LIMIT)
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
