"""The queue instances that can take jobs in this run, and the messages about the others.

Source: dispatch.md#usable-queue-instances.
"""

from collections.abc import Sequence, Set
from copy import copy
from dataclasses import replace

from qmon_tui.model import messages
from qmon_tui.scheduler.matching import SLOTS, Resources, Thresholds
from qmon_tui.scheduler.suspension.queue_states import LEFT_OUT, ORPHANED, UNAVAILABLE

Limits = Sequence[tuple[str, str]]
"""(attribute, threshold) of load_thresholds or suspend_thresholds."""

_CALENDAR_SUSPENDED = "C"
_ONLY_SUSPENDED = {"C", "o"}
_DISABLED = "d"
_CALENDAR_DISABLED = "D"
_CLOSED = frozenset({_CALENDAR_SUSPENDED, _CALENDAR_DISABLED})


class Availability:
    """The usable queue instances, and the messages about those left out, in order."""

    def __init__(
        self,
        resources: Resources,
        states: Sequence[str],
        thresholds: Thresholds,
        in_order: Sequence[int],
        *,
        plans_ahead: bool = False,
        known_suspended: Set[int] = frozenset(),
        usable: list[int] | None = None,
    ) -> None:
        """`states`: qstat's states of all instances; `in_order`: their numbers in the scheduler's order.

        `plans_ahead`: in runs with reservations, an instance disabled by a calendar has no free slots. `usable`: the
        usable instances if known, for which no messages are made; None: find out.
        """
        self._resources = resources
        self.states = states
        self._thresholds = thresholds
        self.plans_ahead = plans_ahead
        self.messages: list[str] = []
        self.dropped: dict[int, str] = {}
        """Queue instance -> the first message why it is not usable."""
        self.causes: dict[int, tuple[int, tuple[str, ...]]] = {}
        """Queue instance -> (number of that message, its inserts after the name)."""
        self.suspended: set[int] = set()
        """Queue instances suspended by starts in this run."""
        self.known_suspended = known_suspended
        """Queue instances that the scheduler already considers suspended: it ignores another suspension."""
        self.suspend_alarms: list[int] = []
        """Queue instances left out because a suspend threshold is reached."""
        self.below_suspend_thresholds: list[int] = []
        """Queue instances with suspend thresholds of which none is reached."""
        self.waitable: list[int] = []
        """Queue instances left out that jobs may reserve: closed by a calendar, or full."""
        self.usable = self._usable(in_order) if usable is None else usable
        self.orphaned = frozenset(number for number in self.usable if self.states[number] == ORPHANED)
        """Orphaned instances, which take only jobs in advance reservations; each check of one makes a message."""
        self.causes.update((number, (messages.NOT_AVAILABLE, ())) for number in self.orphaned)

    def on(self, resources: Resources) -> "Availability":
        """Return a copy that uses other, equal resources."""
        other = copy(self)
        other._resources = resources
        return other

    def _usable(self, numbers: Sequence[int]) -> list[int]:
        for number in numbers:
            if set(self.states[number]) & UNAVAILABLE:
                self.drop(number, messages.NOT_AVAILABLE)
        for number in numbers:
            if _CALENDAR_SUSPENDED in self.states[number] and set(self.states[number]) <= _ONLY_SUSPENDED:
                self.drop(number, messages.NOT_AVAILABLE)
                self.waitable.append(number)
        usable = [
            number for number in numbers if number not in self.dropped and not set(self.states[number]) & LEFT_OUT
        ]
        usable = [number for number in usable if not self._is_in_suspend_alarm(number)]
        usable = [number for number in usable if not self.is_overloaded(number)]
        for letter in (_CALENDAR_DISABLED, _DISABLED):
            for number in usable:
                if letter in self.states[number]:
                    self.drop(number, messages.DISABLED)
                    if letter == _CALENDAR_DISABLED:
                        self.waitable.append(number)
            usable = [number for number in usable if letter not in self.states[number]]
        for number in usable:
            if self._resources.is_full(number):
                self.drop(number, messages.FULL)
                self.waitable.append(number)
        return [number for number in usable if not self._resources.is_full(number)]

    def is_closed(self, number: int) -> bool:
        """True if a calendar closes a queue instance, or a start in this run has suspended it."""
        return number in self.suspended or self.is_closed_by_calendar(number)

    def is_closed_by_calendar(self, number: int) -> bool:
        return bool(_CLOSED & set(self.states[number]))

    @property
    def has_closed_by_calendar(self) -> bool:
        return any(letters and not _CLOSED.isdisjoint(letters) for letters in self.states)

    def is_planned_for(self, number: int) -> bool:
        """True if a queue instance has resource diagrams, so that jobs may reserve it."""
        letters = set(self.states[number])
        return not letters & UNAVAILABLE and (_CALENDAR_SUSPENDED not in letters or letters <= _ONLY_SUSPENDED)

    @property
    def plans_for_any(self) -> bool:
        """True if running tasks and calendars are booked in the diagrams of queue instances.

        8.1.9 appends instances suspended by calendars to the list of the others. If there are no others, that list does
        not exist, and 8.1.9 treats all instances as empty and open.
        """
        return any(
            self.is_planned_for(number) and _CALENDAR_SUSPENDED not in letters
            for number, letters in enumerate(self.states)
        )

    def drop(self, number: int, text: int) -> None:
        """Add the message `text` (its number) that a queue instance is left out from now on."""
        self._say(number, text)

    def _say(self, number: int, text: int, *reasons: str) -> None:
        message = messages.message(text, self._resources.instances[number].name, *reasons)
        self.messages.append(message)
        self.dropped.setdefault(number, message)
        self.causes.setdefault(number, (text, reasons))

    def is_overloaded(self, number: int, with_consumables: bool = True, adjusted: bool = True) -> bool:
        """True if a load threshold of a queue instance is reached; then add the message with the reason.

        `with_consumables`: check consumables, too; `adjusted`: apply job_load_adjustments.
        """
        limits = self._resources.instances[number].profile.load_thresholds
        reason = self._alarm(number, limits, with_consumables, adjusted)
        if reason is None:
            return False
        self._say(number, messages.OVERLOADED, reason)
        return True

    def _is_in_suspend_alarm(self, number: int) -> bool:
        limits = self._resources.instances[number].profile.suspend_thresholds
        reason = self._alarm(number, limits, with_consumables=False)
        if reason is None:
            if limits:
                self.below_suspend_thresholds.append(number)
            return False
        self.suspend_alarms.append(number)
        self._say(number, messages.SUSPEND_ALARM, reason)
        return True

    def _alarm(self, number: int, limits: Limits, with_consumables: bool = True, adjusted: bool = True) -> str | None:
        if not limits:
            return None
        global_level, host, queue = self._resources.levels_of(number)
        if self.plans_ahead and _CALENDAR_DISABLED in self.states[number]:
            queue = replace(queue, used={**queue.used, SLOTS: queue.configured[SLOTS].number})
        return self._thresholds.alarm(limits, global_level, host, queue, with_consumables, adjusted)
