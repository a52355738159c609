"""Checks whether a job fits a level for its whole run time, and when it fits at the earliest.

First the request is compared with unused capacities, then with the diagrams.

Source: reservation.md#fitting-now and reservation.md#earliest-time-of-one-slot.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from qmon_tui.model import messages
from qmon_tui.scheduler.configuration import Attribute
from qmon_tui.scheduler.jobs import Demand, ResourceRequest
from qmon_tui.scheduler.matching import (
    CONSUMABLE,
    FITS,
    LATER,
    NO_LIMIT,
    QUEUE,
    SLOTS,
    AttributeSlotCount,
    Checker,
    Failure,
    Level,
    Offer,
    SlotCounter,
    in_use,
    offer_of,
    shortfall,
)
from qmon_tui.scheduler.reservation.durations import TimeWindow
from qmon_tui.scheduler.reservation.resource_diagrams import ResourceDiagrams

_MISSING = object()


@dataclass(frozen=True, slots=True)
class TimedChecker(Checker):
    """The checks for a start now; a shortage may be temporary (`later`)."""

    diagrams: ResourceDiagrams
    window: TimeWindow
    plans_ahead: ClassVar[bool] = True

    def check(self, level: Level, demand: Demand, accepted: set[str]) -> Failure | None:
        """Return why one slot does not fit during the whole window; None if it fits."""
        for attribute, amount, text, is_default in self._wanted(level, demand):
            if not is_default and attribute.requestable == "NO":
                return Failure(attribute.name, text=messages.NOT_REQUESTABLE.format(attribute.name))
            failure = self._fits(level, attribute, amount, text)
            if failure is None:
                if not is_default:
                    accepted.add(attribute.name)
            elif isinstance(failure, Failure):
                prefix = messages.FOR_DEFAULT_REQUEST if is_default and attribute.name != SLOTS else ""
                return Failure(failure.attribute, failure.shortfall, prefix, prefix + failure.text, failure.later)
            elif not is_default and level.layer == QUEUE and attribute.name not in accepted:
                return Failure(attribute.name, text=messages.UNKNOWN_RESOURCE.format(attribute.name))
        return None

    def quota_shortfall(self, level: Level, wanted: ResourceRequest) -> tuple[Failure | None, int]:
        """Return why one slot exceeds a quota's limit during the whole window (None if it fits), and 0."""
        attribute = wanted.attribute
        if attribute.requestable == "NO":
            return Failure(attribute.name, text=messages.NOT_REQUESTABLE.format(attribute.name)), 0
        failure = self._fits(level, attribute, wanted.amount, wanted.text)
        return failure if isinstance(failure, Failure) else None, 0

    def _wanted(self, level: Level, demand: Demand) -> Iterator[tuple[Attribute, float, str, bool]]:
        """Yield (attribute, amount, text, is default): one slot, default requests, then explicit requests."""
        if SLOTS in level.configured and self.slots is not None:
            yield self.slots, 1.0, "1", True
        for name in level.used:
            if name != SLOTS and name not in demand.names:
                attribute = self.attributes.by_name[name]
                if attribute.default_amount or attribute.exclusive:
                    yield attribute, attribute.default_amount, attribute.default, True
        for wanted in demand.hard:
            yield wanted.attribute, wanted.amount, wanted.text, False

    def _fits(self, level: Level, attribute: Attribute, amount: float, text: str) -> object:
        """Return None if the request fits, a failure, or `_MISSING` if the level does not have the attribute."""
        schedules = self.diagrams.schedules
        offer = offer_of(level, attribute, self.adjustments, unused=schedules)
        if offer is None:
            return _MISSING
        missing = shortfall(level.layer, offer, attribute, amount, text, 1)
        if missing is not None:
            return Failure(attribute.name, missing)
        if not schedules and not attribute.exclusive and not self.diagrams.of(level, attribute.name):
            return None
        if not attribute.is_consumable:
            return self._at_any_time()
        if attribute.name not in level.configured:
            return _MISSING
        return self._consumable(level, attribute, amount)

    def _at_any_time(self) -> Failure | None:
        """Return None: attributes that are no consumables fit at any time."""
        return None

    def _consumable(self, level: Level, attribute: Attribute, amount: float) -> Failure | None:
        if attribute.exclusive:
            return self._exclusive(level, attribute, amount)
        steps = self.diagrams.of(level, attribute.name)
        total = level.configured[attribute.name].number
        remaining = total - steps.peak(self.window.start, self.window.end)
        if amount <= remaining:
            return None
        text = f"{messages.OFFERS_ONLY}{level.layer}{CONSUMABLE}:{attribute.name}={remaining:f}"
        if amount <= total - steps.peak(self.window.start, self.window.start):
            text += messages.DUE_TO_RESERVATION
        return Failure(attribute.name, text=text, later=amount <= total - steps.at_queue_end())

    def _exclusive(self, level: Level, attribute: Attribute, amount: float) -> Failure | None:
        text = messages.EXCLUSIVE_IN_USE.format(attribute.name)
        if in_use(level, attribute, amount) is not None:
            return Failure(attribute.name, text=text, later=True)
        used = self.diagrams.of(level, attribute.name).peak(self.window.start, self.window.end)
        if amount:
            used = max(used, self.diagrams.shared(level, attribute.name).peak(self.window.start, self.window.end))
        return Failure(attribute.name, text=text, later=True) if used else None


@dataclass(frozen=True, slots=True)
class EarliestChecker(TimedChecker):
    """The checks for a reservation: a request fits if the total capacity is enough; `times` says when it fits."""

    times: list[int] = field(default_factory=list)
    """The earliest time (seconds since the epoch) by each check since the list was cleared; 0: no need to wait."""

    def check(self, level: Level, demand: Demand, accepted: set[str]) -> Failure | None:
        """Return why one slot exceeds the capacities; None if it fits. Append the earliest time to `times`."""
        self.times.append(0)
        return TimedChecker.check(self, level, demand, accepted)

    def quota_shortfall(self, level: Level, wanted: ResourceRequest) -> tuple[Failure | None, int]:
        """Return why one slot exceeds a quota's limit (None if it fits), and the earliest time at which it fits."""
        self.times.append(0)
        failure, _ = TimedChecker.quota_shortfall(self, level, wanted)
        return failure, self.times.pop()

    def _at_any_time(self) -> None:
        self._wait_until(self.window.now)

    def _consumable(self, level: Level, attribute: Attribute, amount: float) -> Failure | None:
        limit = level.configured[attribute.name].number - amount
        if limit < 0:
            return Failure(attribute.name)
        when = self.diagrams.of(level, attribute.name).falls_to(limit) or 0
        if amount:
            when = max(when, self.diagrams.shared(level, attribute.name).falls_to(limit) or 0)
        self._wait_until(when or self.window.now)
        return None

    def _wait_until(self, time: int) -> None:
        self.times[-1] = max(self.times[-1], time)


@dataclass(frozen=True, slots=True)
class TimedCounter(SlotCounter):
    """The slot counts by diagrams: `now` during the whole window, `later` once all running jobs have ended."""

    diagrams: ResourceDiagrams
    window: TimeWindow

    def _offer(self, level: Level, attribute: Attribute) -> Offer | None:
        return offer_of(level, attribute, self.checker.adjustments, unused=self.diagrams.schedules)

    def _use(self, level: Level, name: str) -> tuple[float, float]:
        steps = self.diagrams.of(level, name)
        if not self.diagrams.schedules and not steps:
            return SlotCounter._use(self, level, name)
        return steps.peak(self.window.start, self.window.end), steps.at_queue_end()

    def _exclusive(self, level: Level, attribute: Attribute, amount: float) -> AttributeSlotCount:
        diagrams = [self.diagrams.of(level, attribute.name)]
        if amount:
            diagrams.append(self.diagrams.shared(level, attribute.name))
        is_taken = any(steps.peak(self.window.start, self.window.end) for steps in diagrams)
        if not self.diagrams.schedules:
            is_taken = in_use(level, attribute, amount) is not None
        is_taken_later = any(steps.at_queue_end() for steps in diagrams)
        return AttributeSlotCount(
            LATER if is_taken or is_taken_later else FITS,
            0 if is_taken else NO_LIMIT,
            0 if is_taken_later else NO_LIMIT,
            messages.EXCLUSIVE_IN_USE.format(attribute.name) if is_taken or is_taken_later else "",
        )
