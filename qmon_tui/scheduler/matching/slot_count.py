"""How many slots of a parallel job one level has room for.

Unlike `check`, which asks for one slot, this counts, and it does not mind that a consumable per job is missing: then
the queue instance cannot be the master queue, but may hold the other slots.

Source: parallel.md#one-attempt; parallel.md#slots-that-a-level-has-room-for.
"""

from collections.abc import Callable
from dataclasses import dataclass

from qmon_tui.model import messages
from qmon_tui.scheduler.configuration import Attribute
from qmon_tui.scheduler.jobs import Demand, ResourceRequest
from qmon_tui.scheduler.matching.checker import Checker, in_use
from qmon_tui.scheduler.matching.level import CONSUMABLE, GLOBAL, QUEUE, QUOTA, SLOTS, Level, Offer, offer_of, shortfall
from qmon_tui.values import INFINITY, format_number

NO_LIMIT = 2**31 - 1

Say = Callable[[str], None]
"""Takes a message."""

FITS, LATER, NEVER, MISSING = range(4)

ANY_TASK, NOT_NOW_MASTER, NOT_MASTER = 2, 1, 0
"""Whether a queue instance can be the master queue."""


@dataclass(slots=True)
class SlotCount:
    """What a level has room for now, and with nothing running."""

    result: int
    now: int = 0
    later: int = 0
    master: int | None = None
    """NOT_NOW_MASTER or NOT_MASTER where the level has found that out."""


@dataclass(slots=True)
class AttributeSlotCount:
    """The same for one attribute, with the reason for a shortage."""

    result: int
    now: int = 0
    later: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SlotCounter:
    """The count for all levels of one run."""

    checker: Checker

    def count(self, level: Level, demand: Demand, accepted: set[str], say: Say | None) -> SlotCount:
        """The slots that fit. `accepted` are the attributes that outer levels have; those of this one are added.

        What is said carries all that was found short on this level before, as the scheduler never clears the text.
        Of a quota only an explicit request is told that has to wait.
        """
        of_missing = None if level.layer == QUOTA else say
        # 8.1.9 sets no number of slots where a quota is exceeded by what the job has not asked for explicitly.
        unset = NO_LIMIT if level.layer == QUOTA else 0
        room = SlotCount(FITS, NO_LIMIT, NO_LIMIT)
        reason = ""
        slots = self.checker.slots
        if slots is not None and SLOTS in level.configured:
            single = self._single(level, ResourceRequest(slots, "1", 1.0, 1.0))
            reason += single.reason
            if single.result != FITS:
                if of_missing is not None:
                    of_missing(messages.message(messages.IN_QUEUE, "slots=1", level.name, reason))
                return SlotCount(single.result, unset, unset)
            _limit(room, single)
        for name in level.used:
            attribute = self.checker.attributes.by_name[name]
            if name == SLOTS or name in demand.names or not (attribute.default_amount or attribute.exclusive):
                continue
            amount = attribute.default_amount
            single = self._single(level, ResourceRequest(attribute, attribute.default, amount, amount))
            reason = _told(reason, single, attribute)
            if single.result != FITS:
                if of_missing is not None:
                    of_missing(messages.message(messages.IN_QUEUE, demand.printed, level.name, reason))
                return SlotCount(NEVER, unset, unset)
            _limit(room, single)
        for wanted in demand.hard:
            single = self._single(level, wanted)
            reason = _told(reason, single, wanted.attribute)
            per_job = wanted.attribute.per_job
            if single.result == NEVER and per_job:
                room.master = NOT_MASTER
                single.result = MISSING
            elif single.result == LATER and per_job:
                room.master = NOT_NOW_MASTER
            elif single.result in (NEVER, LATER):
                tell = of_missing if single.result == NEVER else say
                if tell is not None:
                    tell(messages.message(messages.IN_QUEUE, demand.printed, level.name, reason))
            if single.result == NEVER:
                return SlotCount(NEVER, master=room.master)
            if single.result == MISSING:
                if level.layer == QUEUE and wanted.attribute.name not in accepted:
                    if not per_job:
                        return SlotCount(NEVER, master=room.master)
                    room.master = NOT_MASTER
                continue
            room.result = single.result
            accepted.add(wanted.attribute.name)
            _limit(room, single)
        return room

    def _single(self, level: Level, wanted: ResourceRequest) -> AttributeSlotCount:
        attribute = wanted.attribute
        offer = self._offer(level, attribute)
        if offer is None:
            return AttributeSlotCount(MISSING)
        if attribute.requestable == "NO":
            return AttributeSlotCount(NEVER, reason=messages.NOT_REQUESTABLE.format(attribute.name))
        missing = shortfall(level.layer, offer, attribute, wanted.amount, wanted.text, 1)
        if missing is not None:
            value = missing.text if missing.amount is None else format_number(missing.amount, attribute.type)
            return AttributeSlotCount(NEVER, reason=f"{messages.OFFERS_ONLY}{missing.kind}:{attribute.name}={value}")
        if not attribute.is_consumable or attribute.name not in level.configured:
            return AttributeSlotCount(FITS, NO_LIMIT, NO_LIMIT)
        if attribute.exclusive:
            return self._exclusive(level, attribute, wanted.typed_amount)
        used, used_later = self._use(level, attribute.name)
        return divided(level, attribute, wanted.typed_amount, used, used_later)

    def _offer(self, level: Level, attribute: Attribute) -> Offer | None:
        """What the level offers, to be compared with the request before it is divided."""
        return offer_of(level, attribute, self.checker.adjustments)

    def _use(self, level: Level, name: str) -> tuple[float, float]:
        """How much of a consumable is in use while the job would run, and how much will be in the end."""
        return level.used[name], 0.0

    def _exclusive(self, level: Level, attribute: Attribute, amount: float) -> AttributeSlotCount:
        """Whether anybody else's use stands in the way."""
        failure = in_use(level, attribute, amount)
        if failure is None:
            return AttributeSlotCount(FITS, NO_LIMIT, NO_LIMIT)
        return AttributeSlotCount(LATER, 0, NO_LIMIT, failure.reason)


def divided(level: Level, attribute: Attribute, amount: float, used: float, used_later: float) -> AttributeSlotCount:
    """How often an amount goes into what is left of a consumable, now and in the end."""
    total = level.configured[attribute.name].number
    if not amount or total >= INFINITY:
        return AttributeSlotCount(FITS, NO_LIMIT, NO_LIMIT)
    remaining = total - used
    single = AttributeSlotCount(FITS, whole_slots(remaining / amount), whole_slots((total - used_later) / amount))
    if attribute.per_job:
        if not single.now or not single.later:
            single.result = LATER
        outer = level.layer == GLOBAL
        single.now = NO_LIMIT if single.now > 0 or not outer else single.now
        single.later = NO_LIMIT if single.later > 0 or not outer else single.later
    if not single.now or not single.later:
        single.reason = f"{messages.OFFERS_ONLY}{level.layer}{CONSUMABLE}:{attribute.name}={remaining:f}"
        if single.now:
            single.reason += messages.DUE_TO_RESERVATION
    return single


def _told(reason: str, single: AttributeSlotCount, attribute: Attribute) -> str:
    """What was found short so far; that something is in use exclusively is said in place of all that."""
    return single.reason if single.result == LATER and attribute.exclusive else reason + single.reason


def _limit(room: SlotCount, single: AttributeSlotCount) -> None:
    room.now = min(room.now, single.now)
    room.later = min(room.later, single.later)


def whole_slots(value: float) -> int:
    """A quotient cut off as in C, where what an int cannot hold becomes the lowest: far too much is far too little."""
    return int(value) if -NO_LIMIT - 1 <= value < NO_LIMIT + 1 else -NO_LIMIT - 1
