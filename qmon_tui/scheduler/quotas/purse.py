"""The quotas of a parallel job: how many slots each counter still has in one attempt (rqs.md section 6).

An attempt takes its slots out of the purse queue instance by queue instance, so that no limit gives more than it has,
and puts them back where a host delivers too few.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from qmon_tui.scheduler import messages
from qmon_tui.scheduler.compiled.queues import BUILT_IN
from qmon_tui.scheduler.matching.check import SLOTS
from qmon_tui.scheduler.matching.room import ANY_TASK, FITS, LATER, NEVER, NO_LIMIT, Counter, Room, Say, whole_slots
from qmon_tui.scheduler.quotas.ledger import Account, Tally
from qmon_tui.scheduler.quotas.limits import level_of
from qmon_tui.scheduler.quotas.reach import NOTHING, Reaches
from qmon_tui.scheduler.quotas.rules import Limit, Rule
from qmon_tui.scheduler.requests import Demand
from qmon_tui.values.number import INFINITY

_FREE = Room(FITS, NO_LIMIT, NO_LIMIT)
_NONE = Room(NEVER)
_UNSET = Room(NEVER, NO_LIMIT, NO_LIMIT)


@dataclass(frozen=True, slots=True)
class Share:
    """What one slot takes of one limit of a rule."""

    index: int
    is_divided: bool
    """Nothing but what the job asks of the limit's attribute has to be compared."""
    amount: float
    divisor: float
    is_asked: bool


class Lone(NamedTuple):
    """A rule with one fixed limit that is divided: what it leaves takes one subtraction and one division."""

    limit: int
    """The index of the limit in its rule."""
    amount: float
    divisor: float
    capacity: float
    most: int
    """The slots with nothing in use."""
    unset: int
    """The number of slots where it is exceeded; see `Purse._divided`."""


@dataclass(eq=False, slots=True)
class Means:
    """Who pays, and for what: the same in all attempts of one kind of job."""

    account: Account
    demand: Demand
    counter: Counter
    reaches: Reaches = field(init=False)
    _shares: dict[Rule, tuple[Sequence[Share], bool]] = field(default_factory=dict)
    _lone: dict[Rule, Lone | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.reaches = Reaches(self.account)

    def shares(self, rule: Rule) -> tuple[Sequence[Share], bool]:
        """What a slot takes of the limits of a rule; and whether a request then rules out everything.

        8.1.9 compares requests with limits of what is no consumable the wrong way round, with an operator that is not
        there: none holds.
        """
        found = self._shares.get(rule)
        if found is None:
            shares = tuple(self._shares_of(rule))
            found = self._shares[rule] = shares, self._ends_at(rule) is not None
        return found

    def lone(self, rule: Rule) -> Lone | None:
        """The only limit of a rule that counts; None where there are more, or it is not that simple."""
        if rule not in self._lone:
            self._lone[rule] = self._new_lone(rule)
        return self._lone[rule]

    def _new_lone(self, rule: Rule) -> Lone | None:
        shares, is_ruled_out = self.shares(rule)
        if len(shares) != 1 or is_ruled_out:
            return None
        share, limit = shares[0], rule.limits[shares[0].index]
        capacity = limit.value.number
        if not share.is_divided or not share.divisor or limit.formula is not None or capacity >= INFINITY:
            return None
        most, unset = whole_slots(capacity / share.divisor), 0 if share.is_asked else NO_LIMIT
        return Lone(share.index, share.amount, share.divisor, capacity, most, unset)

    def _shares_of(self, rule: Rule) -> Iterator[Share]:
        requests = {wanted.attribute.name: wanted for wanted in self.demand.hard}
        is_simple = not self.counter.checker.foresees
        for index, limit in enumerate(rule.limits[: self._ends_at(rule)]):
            attribute = limit.attribute
            if not attribute.is_consumable:
                continue
            wanted = requests.get(attribute.name)
            if wanted is not None:
                amount, divisor = wanted.amount, wanted.typed_amount
            else:
                amount = divisor = 1.0 if attribute.name == SLOTS else attribute.default_amount
            yield Share(index, is_simple and self._is_divided(limit), amount, divisor, wanted is not None)

    def _ends_at(self, rule: Rule) -> int | None:
        """The first limit of what is no consumable and is asked for."""
        asked = (one.attribute.name in self.demand.names and not one.attribute.is_consumable for one in rule.limits)
        return next((index for index, is_asked in enumerate(asked) if is_asked), None)

    def _is_divided(self, limit: Limit) -> bool:
        return limit.is_plain and not limit.attribute.per_job and self.demand.names.isdisjoint(BUILT_IN)


@dataclass(eq=False, slots=True)
class Purse:
    """What is left of each counter in one attempt; `skipped_*` need not be looked at any more."""

    means: Means
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
        result, now, later, rooms = FITS, NO_LIMIT, NO_LIMIT, self._rooms
        for tally in self.means.account.tallies[number]:
            room = rooms.get(tally)
            if room is None:
                room = rooms[tally] = self._work_out(tally, number, say)
            result = room.result
            now = room.now if room.now < now else now
            later = room.later if room.later < later else later
            if room.master is not None and room.master < master:
                master = room.master
            is_empty = result == NEVER or not now
            if is_empty and not (result != NEVER and self.asks_for_later and later):
                self._give_up(tally, number, say)
            if is_empty:
                # Rules that are not asked leave nothing, not even later; see `_pay`.
                break
        return Room(result, now, later, master)

    def is_shut(self, members: Sequence[int]) -> bool:
        """Tell whether the counter that is asked first leaves nothing to any of some queue instances, silently.

        Then `room` would say so of each of them, and nothing else would be ruled out.
        """
        tallies = self.means.account.tallies
        first = tallies[members[0]]
        if not first or self.skipped_queues:
            return False
        tally = first[0]
        room = self._rooms.get(tally)
        if room is None:
            room = self._rooms[tally] = self._work_out(tally, members[0], None)
        if room.result != NEVER or room.master != ANY_TASK:
            return False
        if self.means.reaches.of(tally.rule, members[0]) is not NOTHING:
            return False
        return all(tallies[number][:1] == (tally,) for number in members)

    def _give_up(self, tally: Tally, number: int, say: Say | None) -> None:
        if say is not None:
            say(messages.message(messages.QUOTA, tally.key, tally.rule.label))
        reach = self.means.reaches.of(tally.rule, number)
        if reach.queues:
            self.skipped_queues |= reach.queues
        if reach.everything or reach.hosts:
            self.skipped_hosts |= self.means.reaches.of_all_hosts(tally.rule) if reach.everything else reach.hosts

    def take(self, number: int, slots: int) -> int:
        """Take up to so many slots for a queue instance; how many there were."""
        tallies = self.means.account.tallies[number]
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
        rooms = [self._rooms.get(tally) for tally in self.means.account.tallies[number]]
        slots = max(0, min([slots, *(0 if room is None else room.later for room in rooms)]))
        self.give_back_later(number, -slots)
        return slots

    def give_back(self, number: int, slots: int) -> None:
        """Put slots back that were taken for a queue instance."""
        for tally in self.means.account.tallies[number]:
            self._rooms[tally].now += slots
            self._taken[tally] -= slots

    def give_back_later(self, number: int, slots: int) -> None:
        """Put slots back that were taken by `take_later`."""
        for tally in self.means.account.tallies[number]:
            room = self._rooms.get(tally)
            if room is not None:
                room.later += slots

    def is_untouched(self, numbers: Iterable[int]) -> bool:
        """Tell whether these queue instances, as far as quotas go, will never have more room than now in this run."""
        account, taken = self.means.account, self._taken
        return account.is_exact and not any(taken.get(one) for number in numbers for one in account.tallies[number])

    def is_ample(self, slots: int) -> bool:
        """Tell whether no counter that hosts share can stand in the way of an attempt to collect so many slots.

        Then a host comes to what it came to before. Otherwise a visit may come to more: where all cluster queues of
        a host together would have had the room without quotas, those that are still asked once a limit is exceeded
        may be too few, and the category gives up the host. Each counter must have twice the number, as the attempt
        takes from it before the last host has to find enough there, too.
        """
        if self._ample is None:
            self._ample = all(self._has_ample(tally, 2 * slots) for tally in self.means.account.shared)
        return self._ample

    def _has_ample(self, tally: Tally, slots: int) -> bool:
        shares, is_ruled_out = self.means.shares(tally.rule)
        if is_ruled_out or not all(share.is_divided for share in shares):
            return False
        room = self._work_out(tally, 0, None)
        return room.result == FITS and room.now >= slots

    def _passed(self, tally: Tally) -> Room | None:
        """What is left of a counter that the scheduler has met on a host that was not looked at here."""
        members = self.means.account.ledger.resources.instances_of
        for host in self.passed_hosts if "hosts" not in tally.rule.separated else ():
            if any(tally in self.means.account.tallies[number] for number in members[host]):
                room = self._rooms[tally] = self._work_out(tally, members[host][0], None)
                return room
        return None

    def _work_out(self, tally: Tally, number: int, say: Say | None) -> Room:
        lone = self.means.lone(tally.rule)
        if lone is not None:
            index, amount, divisor, capacity, most, unset = lone
            left = capacity - tally.used[index]
            if amount > left:
                return Room(NEVER, unset, unset, ANY_TASK)
            return Room(FITS, whole_slots(left / divisor), most, ANY_TASK)
        now, later, master = NO_LIMIT, NO_LIMIT, ANY_TASK
        shares, is_ruled_out = self.means.shares(tally.rule)
        for share in shares:
            room = self._divided(tally, share) if share.is_divided else self._matched(tally, share.index, number, say)
            now, later = min(now, room.now), min(later, room.later)
            if room.master is not None:
                master = min(master, room.master)
            if room.result == NEVER:
                return Room(NEVER, now, later, master)
        return Room(NEVER if is_ruled_out else FITS, now, later, master)

    def _divided(self, tally: Tally, share: Share) -> Room:
        """How often an amount goes into what is left of a limit, where nothing else has to be looked at."""
        if not share.divisor:
            return _FREE
        capacity = self.means.account.ledger.total(tally, tally.rule.limits[share.index])
        left = capacity - tally.used[share.index]
        if share.amount > left:
            # What is exceeded without being asked for explicitly sets no number of slots; see `Counter.count`.
            return _NONE if share.is_asked else _UNSET
        if capacity >= INFINITY:
            return _FREE
        return Room(FITS, whole_slots(left / share.divisor), whole_slots(capacity / share.divisor))

    def _matched(self, tally: Tally, index: int, number: int, say: Say | None) -> Room:
        """The same for all requests of the job, as on any other level; the queue instance's own limits count, too."""
        means = self.means
        ledger = means.account.ledger
        level = level_of(ledger, tally, index)
        level.fields = ledger.resources.queues[number].fields
        room = means.counter.count(level, means.demand, set(), say)
        if room.result == LATER:
            room.result = FITS
        return room
