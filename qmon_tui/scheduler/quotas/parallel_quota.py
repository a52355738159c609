"""Quotas of a parallel job: the slots that each counter has left during one attempt.

An attempt takes slots from the counters, one queue instance after the other, so that no limit is exceeded, and returns
them if a host gives too few.

Source: quotas.md#check-for-parallel-jobs.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from qmon_tui.model import messages
from qmon_tui.scheduler.configuration import BUILT_IN, Limit, Rule
from qmon_tui.scheduler.jobs import Demand
from qmon_tui.scheduler.matching import (
    ANY_TASK,
    FITS,
    LATER,
    NEVER,
    NO_LIMIT,
    SLOTS,
    Say,
    SlotCount,
    SlotCounter,
    whole_slots,
)
from qmon_tui.scheduler.quotas.limit_check import level_of
from qmon_tui.scheduler.quotas.quota_usage import RuleUsage, SubjectUsage
from qmon_tui.scheduler.quotas.ruled_out import RuledOutByRules
from qmon_tui.values import INFINITY

_FREE = SlotCount(FITS, NO_LIMIT, NO_LIMIT)
_NONE = SlotCount(NEVER)
_UNSET = SlotCount(NEVER, NO_LIMIT, NO_LIMIT)


@dataclass(frozen=True, slots=True)
class SlotAmount:
    """The amount that one slot takes from one limit of a rule."""

    index: int
    """Index of the limit in the rule."""
    is_divided: bool
    """True if dividing what is left of the limit by the amount gives the slots; False: apply the rule."""
    amount: float
    divisor: float
    """The amount as typed, which 8.1.9 divides by."""
    is_asked: bool
    """True if the job requests the attribute explicitly."""


@dataclass(eq=False, slots=True)
class QuotaRequest:
    """The counters of a subject and the demand, shared by all attempts of one category."""

    subject_usage: SubjectUsage
    demand: Demand
    counter: SlotCounter
    ruled_out_by_rules: RuledOutByRules = field(init=False)
    _slot_amounts: dict[Rule, tuple[Sequence[SlotAmount], bool]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.ruled_out_by_rules = RuledOutByRules(self.subject_usage)

    def slot_amounts(self, rule: Rule) -> tuple[Sequence[SlotAmount], bool]:
        """Return the amounts that a slot takes from the limits of a rule, and True if the rule leaves no slots.

        8.1.9 compares requests with limits of attributes that are no consumables the wrong way round and without a
        valid operator: no such request fits.
        """
        known = self._slot_amounts.get(rule)
        if known is None:
            slot_amounts = tuple(self._slot_amounts_of(rule))
            known = self._slot_amounts[rule] = slot_amounts, self._ends_at(rule) is not None
        return known

    def _slot_amounts_of(self, rule: Rule) -> Iterator[SlotAmount]:
        requests = {wanted.attribute.name: wanted for wanted in self.demand.hard}
        is_simple = not self.counter.checker.plans_ahead
        for index, limit in enumerate(rule.limits[: self._ends_at(rule)]):
            attribute = limit.attribute
            if not attribute.is_consumable:
                continue
            wanted = requests.get(attribute.name)
            if wanted is not None:
                amount, divisor = wanted.amount, wanted.typed_amount
            else:
                amount = divisor = 1.0 if attribute.name == SLOTS else attribute.default_amount
            yield SlotAmount(index, is_simple and self._is_divided(limit), amount, divisor, wanted is not None)

    def _ends_at(self, rule: Rule) -> int | None:
        """Return the index of the first limit of a requested attribute that is no consumable; None if there is none."""
        asked = (
            limit.attribute.name in self.demand.names and not limit.attribute.is_consumable for limit in rule.limits
        )
        return next((index for index, is_asked in enumerate(asked) if is_asked), None)

    def _is_divided(self, limit: Limit) -> bool:
        return limit.is_plain and not limit.attribute.per_job and self.demand.names.isdisjoint(BUILT_IN)


@dataclass(eq=False, slots=True)
class RemainingQuota:
    """The slots that each counter has left in one attempt; queues and hosts in `skipped_*` are not tried again."""

    quota_request: QuotaRequest
    asks_for_later: bool = False
    """True if a counter that has slots only later makes no message and rules out nothing."""
    skipped_queues: set[str] = field(default_factory=set)
    skipped_hosts: set[int] = field(default_factory=set)
    passed_hosts: list[int] = field(default_factory=list)
    """Hosts skipped because of a cached result, although 8.1.9 visits them."""
    _has_enough: bool | None = None
    _rooms: dict[RuleUsage, SlotCount] = field(default_factory=dict)
    _taken: dict[RuleUsage, int] = field(default_factory=dict)

    def room(self, number: int, master: int, say: Say | None) -> SlotCount:
        """Return the slots that all rules together leave for a queue instance; `master`: its mark so far.

        A rule that leaves none makes a message, again for each queue instance.
        """
        result, now, later, rooms = FITS, NO_LIMIT, NO_LIMIT, self._rooms
        for rule_usage in self.quota_request.subject_usage.rule_usages[number]:
            room = rooms.get(rule_usage)
            if room is None:
                room = rooms[rule_usage] = self._work_out(rule_usage, number, say)
            result = room.result
            now = room.now if room.now < now else now
            later = room.later if room.later < later else later
            if room.master is not None and room.master < master:
                master = room.master
            is_empty = result == NEVER or not now
            if is_empty and not (result != NEVER and self.asks_for_later and later):
                self._give_up(rule_usage, number, say)
            if is_empty:
                # Later rules are not checked and leave no slots; see `_take`.
                break
        return SlotCount(result, now, later, master)

    def _give_up(self, rule_usage: RuleUsage, number: int, say: Say | None) -> None:
        if say is not None:
            say(messages.message(messages.QUOTA, rule_usage.key, rule_usage.rule.label))
        ruled_out = self.quota_request.ruled_out_by_rules.of(rule_usage.rule, number)
        if ruled_out.queues:
            self.skipped_queues |= ruled_out.queues
        if ruled_out.everything or ruled_out.hosts:
            self.skipped_hosts |= (
                self.quota_request.ruled_out_by_rules.of_all_hosts(rule_usage.rule)
                if ruled_out.everything
                else ruled_out.hosts
            )

    def take(self, number: int, slots: int) -> int:
        """Take up to `slots` slots for a queue instance; return the number taken, negative if a counter is exceeded.

        8.1.9 takes negative numbers, too, which sets the counter back to 0.
        """
        return self._take(number, slots, 0)[0]

    def take_later(self, number: int, slots: int) -> int:
        """Take slots that are left once all running jobs have ended, as `take`; of slots now only a negative number."""
        return self._take(number, 0, slots)[1]

    def _take(self, number: int, now: int, later: int) -> tuple[int, int]:
        rule_usages = self.quota_request.subject_usage.rule_usages[number]
        for rule_usage in rule_usages:
            room = self._rooms.get(rule_usage) or self._passed(rule_usage)
            now, later = (min(now, room.now), min(later, room.later)) if room is not None else (0, 0)
            if not now and not later:
                return 0, 0
        for rule_usage in rule_usages if now or later else ():
            self._rooms[rule_usage].now -= now
            self._rooms[rule_usage].later -= later
            self._taken[rule_usage] = self._taken.get(rule_usage, 0) + now
        return now, later

    def give_back(self, number: int, slots: int) -> None:
        """Return slots taken for a queue instance."""
        for rule_usage in self.quota_request.subject_usage.rule_usages[number]:
            self._rooms[rule_usage].now += slots
            self._taken[rule_usage] -= slots

    def give_back_later(self, number: int, slots: int) -> None:
        """Return slots taken by `take_later`."""
        for rule_usage in self.quota_request.subject_usage.rule_usages[number]:
            room = self._rooms.get(rule_usage)
            if room is not None:
                room.later += slots

    def is_untouched(self, numbers: Iterable[int]) -> bool:
        """True if the attempt took no slots from these instances' counters, and exceeded limits stay exceeded."""
        subject_usage, taken = self.quota_request.subject_usage, self._taken
        return subject_usage.stays_exceeded_for_pe and not any(
            taken.get(usage) for number in numbers for usage in subject_usage.rule_usages[number]
        )

    def has_enough(self, slots: int) -> bool:
        """True if no counter shared by hosts can limit an attempt to collect this many slots.

        Then visiting a host gives the same result as before. Otherwise an exceeded limit may rule out cluster queues
        first, and the category gives up the host. Each counter must have twice the slots: the attempt may have taken
        the first half before it visits the last host.
        """
        if self._has_enough is None:
            self._has_enough = all(
                self._has_enough_of(rule_usage, 2 * slots) for rule_usage in self.quota_request.subject_usage.shared
            )
        return self._has_enough

    def _has_enough_of(self, rule_usage: RuleUsage, slots: int) -> bool:
        slot_amounts, is_ruled_out = self.quota_request.slot_amounts(rule_usage.rule)
        if is_ruled_out or not all(slot_amount.is_divided for slot_amount in slot_amounts):
            return False
        room = self._work_out(rule_usage, 0, None)
        return room.result == FITS and room.now >= slots

    def _passed(self, rule_usage: RuleUsage) -> SlotCount | None:
        """Return the slots of a counter that 8.1.9 calculates on one of `passed_hosts`; None if it calculates none."""
        members = self.quota_request.subject_usage.quota_usage.resources.instances_of
        for host in self.passed_hosts if "hosts" not in rule_usage.rule.separated else ():
            if any(rule_usage in self.quota_request.subject_usage.rule_usages[number] for number in members[host]):
                room = self._rooms[rule_usage] = self._work_out(rule_usage, members[host][0], None)
                return room
        return None

    def _work_out(self, rule_usage: RuleUsage, number: int, say: Say | None) -> SlotCount:
        now, later, master = NO_LIMIT, NO_LIMIT, ANY_TASK
        slot_amounts, is_ruled_out = self.quota_request.slot_amounts(rule_usage.rule)
        for slot_amount in slot_amounts:
            room = (
                self._divided(rule_usage, slot_amount)
                if slot_amount.is_divided
                else self._matched(rule_usage, slot_amount.index, number, say)
            )
            now, later = min(now, room.now), min(later, room.later)
            if room.master is not None:
                master = min(master, room.master)
            if room.result == NEVER:
                return SlotCount(NEVER, now, later, master)
        return SlotCount(NEVER if is_ruled_out else FITS, now, later, master)

    def _divided(self, rule_usage: RuleUsage, slot_amount: SlotAmount) -> SlotCount:
        """Return the slots that a limit leaves, by division."""
        if not slot_amount.divisor:
            return _FREE
        capacity = self.quota_request.subject_usage.quota_usage.total(
            rule_usage, rule_usage.rule.limits[slot_amount.index]
        )
        remaining = capacity - rule_usage.used[slot_amount.index]
        if slot_amount.amount > remaining:
            # A limit exceeded by a default request sets no number of slots; see `SlotCounter.count`.
            return _NONE if slot_amount.is_asked else _UNSET
        if capacity >= INFINITY:
            return _FREE
        return SlotCount(
            FITS, whole_slots(remaining / slot_amount.divisor), whole_slots(capacity / slot_amount.divisor)
        )

    def _matched(self, rule_usage: RuleUsage, index: int, number: int, say: Say | None) -> SlotCount:
        """Return the slots that one limit leaves, by the rule: with all requests, and the queue instance's fields."""
        quota_request = self.quota_request
        quota_usage = quota_request.subject_usage.quota_usage
        level = level_of(quota_usage, rule_usage, index)
        level.fields = quota_usage.resources.queues[number].fields
        room = quota_request.counter.count(level, quota_request.demand, set(), say)
        if room.result == LATER:
            room.result = FITS
        return room
