"""Number of slots of a parallel job that one level has room for.

Unlike in `Checker.check`, which checks one slot, a missing consumable per job only means that the queue instance cannot
be the master queue; it may still hold other slots.

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
"""Receives messages for qstat -j."""

FITS, LATER, NEVER, MISSING = range(4)
"""Results: fits now; fits once others release resources; never fits; the level does not have the attribute."""

ANY_TASK, NOT_NOW_MASTER, NOT_MASTER = 2, 1, 0
"""Marks of a queue instance: it can be the master queue; not now, but later; never."""


@dataclass(slots=True)
class SlotCount:
    """The slots that a level has room for now, and `later`, when nothing runs any more."""

    result: int
    """FITS, LATER or NEVER."""
    now: int = 0
    later: int = 0
    master: int | None = None
    """NOT_NOW_MASTER or NOT_MASTER if the level rules out the master task; else None."""


@dataclass(slots=True)
class AttributeSlotCount:
    """The slots that one attribute allows, now and later, and the reason for a shortage."""

    result: int
    now: int = 0
    later: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SlotCounter:
    """The slot counts of one run, for all levels."""

    checker: Checker

    def count(self, level: Level, demand: Demand, accepted: set[str], say: Say | None) -> SlotCount:
        """Return the slots that fit. `accepted`: attributes of outer levels; those of this one are added.

        A message contains all shortages found on this level so far: 8.1.9 never clears the text. For a quota, only an
        explicit request that must wait has a message.
        """
        say_never = None if level.layer == QUOTA else say
        # 8.1.9 sets no slot count if a quota is exceeded by a default request.
        unset = NO_LIMIT if level.layer == QUOTA else 0
        room = SlotCount(FITS, NO_LIMIT, NO_LIMIT)
        reason = ""
        slots = self.checker.slots
        if slots is not None and SLOTS in level.configured:
            single = self._single(level, ResourceRequest(slots, "1", 1.0, 1.0))
            reason += single.reason
            if single.result != FITS:
                if say_never is not None:
                    say_never(messages.message(messages.IN_QUEUE, "slots=1", level.name, reason))
                return SlotCount(single.result, unset, unset)
            _limit(room, single)
        for name in level.used:
            attribute = self.checker.attributes.by_name[name]
            if name == SLOTS or name in demand.names or not (attribute.default_amount or attribute.exclusive):
                continue
            amount = attribute.default_amount
            single = self._single(level, ResourceRequest(attribute, attribute.default, amount, amount))
            reason = _joined_reason(reason, single, attribute)
            if single.result != FITS:
                if say_never is not None:
                    say_never(messages.message(messages.IN_QUEUE, demand.printed, level.name, reason))
                return SlotCount(NEVER, unset, unset)
            _limit(room, single)
        for wanted in demand.hard:
            single = self._single(level, wanted)
            reason = _joined_reason(reason, single, wanted.attribute)
            per_job = wanted.attribute.per_job
            if single.result == NEVER and per_job:
                room.master = NOT_MASTER
                single.result = MISSING
            elif single.result == LATER and per_job:
                room.master = NOT_NOW_MASTER
            elif single.result in (NEVER, LATER):
                say_shortage = say_never if single.result == NEVER else say
                if say_shortage is not None:
                    say_shortage(messages.message(messages.IN_QUEUE, demand.printed, level.name, reason))
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
        """Return the offer that the request is compared with before dividing; None if the level has none."""
        return offer_of(level, attribute, self.checker.adjustments)

    def _use(self, level: Level, name: str) -> tuple[float, float]:
        """Return the amount of a consumable in use now, and the amount in use once all jobs have ended."""
        return level.used[name], 0.0

    def _exclusive(self, level: Level, attribute: Attribute, amount: float) -> AttributeSlotCount:
        failure = in_use(level, attribute, amount)
        if failure is None:
            return AttributeSlotCount(FITS, NO_LIMIT, NO_LIMIT)
        return AttributeSlotCount(LATER, 0, NO_LIMIT, failure.reason)


def divided(level: Level, attribute: Attribute, amount: float, used: float, used_later: float) -> AttributeSlotCount:
    """Return the slots that a consumable allows now (with `used` in use) and later (with `used_later`).

    `amount`: the requested amount per slot or, for a consumable per job, of the whole job.
    """
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


def _joined_reason(reason: str, single: AttributeSlotCount, attribute: Attribute) -> str:
    """Return the reason with this shortage appended; temporary exclusive use replaces the reason."""
    return single.reason if single.result == LATER and attribute.exclusive else reason + single.reason


def _limit(room: SlotCount, single: AttributeSlotCount) -> None:
    room.now = min(room.now, single.now)
    room.later = min(room.later, single.later)


def whole_slots(value: float) -> int:
    """Truncate a quotient as C does: a value outside int, even a huge positive one, becomes the lowest int."""
    return int(value) if -NO_LIMIT - 1 <= value < NO_LIMIT + 1 else -NO_LIMIT - 1
