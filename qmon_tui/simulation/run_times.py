"""The times of scheduling runs: the qmaster delivers events to the scheduler in packages, one run for each.

Source: dispatch.md#when-a-run-happens.
"""

from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from qmon_tui.model import Cluster, Kind
from qmon_tui.qmaster.transition import Event, TaskArrived, TaskEnded
from qmon_tui.simulation.workload import Dice
from qmon_tui.values import parse_number

_LONGEST: Final = float(2**32 - 1)


class Cause(Enum):
    """An event, by its effect on the time of the next delivery to the scheduler."""

    JOB_SUBMITTED = auto()
    TASK_ARRIVED = auto()
    TASK_ENDED = auto()
    TASK_REMOVED = auto()
    """A run has removed tasks that had ended."""
    CONFIGURATION_CHANGED = auto()
    OTHER = auto()


_CAUSES: Final[dict[type, Cause]] = {TaskArrived: Cause.TASK_ARRIVED, TaskEnded: Cause.TASK_ENDED}


def cause_of(event: Event) -> Cause:
    """Return the cause for an event of the qmaster."""
    return _CAUSES.get(type(event), Cause.OTHER)


@dataclass(frozen=True, slots=True)
class Flushing:
    """The seconds for which a scheduler configuration lets events wait (sched_conf(5))."""

    interval: int
    """schedule_interval, at least 1."""
    after_submission: int
    """flush_submit_sec; 0 for no earlier delivery."""
    after_end: int
    """flush_finish_sec; 0 for no earlier delivery."""

    @classmethod
    def of(cls, cluster: Cluster) -> "Flushing":
        """Return the seconds of a cluster; a field that cannot be read has the value of the template."""
        scheduler = cluster.single(Kind.SCHEDULER)
        return cls(
            interval=max(1, _seconds(scheduler.text("schedule_interval"), 15)),
            after_submission=_seconds(scheduler.text("flush_submit_sec"), 0),
            after_end=_seconds(scheduler.text("flush_finish_sec"), 0),
        )


def _seconds(text: str, otherwise: int) -> int:
    try:
        seconds = parse_number(text)
    except ValueError:
        return otherwise
    return int(min(max(0.0, seconds), _LONGEST))


_ONE_ALONE, _TWO_ALONE, _DELIVERY_FIRST = 0.6, 0.66, 0.85
"""Cumulative shares of seconds with several ends, measured on a real qmaster (79 seconds)."""
_TIMERS: Final = frozenset((Cause.TASK_ARRIVED, Cause.TASK_ENDED))


@dataclass(frozen=True, slots=True)
class ThreadTiming:
    """The random order of the qmaster's threads in a second: all timers of simulated hosts fire at its start.

    The thread that delivers events wakes up at the same time. Seed and second determine the order.
    """

    seed: int

    def ends_in_first_run(self, second: int) -> int | None:
        """Return the number of ends of a second that the first run sees; None for all of them."""
        drawn = self._drawn(second)
        if drawn < _ONE_ALONE:
            return 1
        return 2 if drawn < _TWO_ALONE else None

    def delivers_first(self, second: int) -> bool:
        """True if a delivery that is due in a second comes before the timers of that second."""
        return self._drawn(second) < _DELIVERY_FIRST

    def _drawn(self, second: int) -> float:
        return Dice(self.seed, f"threads {second}").uniform()


class RunTimes:
    """The time of the next run, given what has happened since the last one.

    `timing` is for simulated hosts; None for others, which report at any moment of a second: then no package is empty.
    """

    def __init__(self, flushing: Flushing, start: int, timing: ThreadTiming | None = None) -> None:
        self.flushing = flushing
        self.due: int | None = start
        """Time of the next run, in seconds since the epoch; None if no event has happened since the last run."""
        self.is_at_once = False
        """True if the next run comes before all further events of this second."""
        self._timing = timing
        self._last: int | None = None
        self._ends = 0, 0
        """A second, and the number of ends in it."""

    def note(self, cause: Cause, now: int) -> None:
        """Plan the delivery of an event with the next package, earlier for some causes."""
        due = now if self._last is None else self._next_delivery(cause, now, self._last)
        flush = self._flush(cause)
        if flush is not None:
            due = min(due, now + flush)
            self.is_at_once |= flush == 0 and self._is_alone(cause, now)
        self.due = due if self.due is None else min(self.due, due)

    def note_run(self, now: int) -> None:
        """Note a run: the package has been delivered."""
        self._last = now
        self.due = None
        self.is_at_once = False

    @property
    def sees_one_end(self) -> bool:
        """True if the next run sees only the first end of this second, right after its slots were released."""
        return self._timing is not None and self.is_at_once and self._timing.ends_in_first_run(self._ends[0]) == 1

    def precedes(self, event_time: int | None, now: int, *, is_timer_next: bool) -> bool:
        """True if the due run comes before the next event, at `event_time` (None: no event is planned).

        The first end of a second wakes the scheduler; tasks that end during its run are seen by the run after it.
        """
        due = self.due
        if due is None or event_time is None:
            return due is not None
        if due != event_time:
            return due < event_time
        if self._timing is None:
            return self.is_at_once
        if now < due:
            return not is_timer_next or self._timing.delivers_first(due)
        return self.is_at_once or not is_timer_next

    def _next_delivery(self, cause: Cause, now: int, last: int) -> int:
        """Return the time of the next delivery; with `timing` packages, even empty ones, come at fixed intervals."""
        interval = self.flushing.interval
        if self._timing is None or now <= last:
            return max(now, last + interval)
        due = last - (last - now) // interval * interval
        has_passed = due == now and (cause not in _TIMERS or self._timing.delivers_first(now))
        return due + interval if has_passed else due

    def _is_alone(self, cause: Cause, now: int) -> bool:
        """True if a run sees the event without those that follow it in the same second."""
        if cause is Cause.TASK_REMOVED:
            return False
        if cause is not Cause.TASK_ENDED:
            return True
        if self._last == now:
            return False
        if self._timing is None:
            return True
        second, ends = self._ends
        self._ends = now, ends + 1 if second == now else 1
        return self._ends[1] == self._timing.ends_in_first_run(now)

    def _flush(self, cause: Cause) -> int | None:
        """Return the seconds after which an event makes the qmaster deliver; None: only with the interval."""
        if cause is Cause.CONFIGURATION_CHANGED:
            return 0
        if cause is Cause.JOB_SUBMITTED:
            seconds = self.flushing.after_submission
        elif cause in (Cause.TASK_ENDED, Cause.TASK_REMOVED):
            seconds = self.flushing.after_end
        else:
            seconds = 0
        return seconds - 1 if seconds > 0 else None
