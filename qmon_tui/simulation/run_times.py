"""When scheduling runs happen: the events of the qmaster are delivered to the scheduler in packages, a run each.

Source: dispatch.md#when-a-run-happens.
"""

from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from qmon_tui.model import Cluster, Kind
from qmon_tui.values import parse_number

_LONGEST: Final = float(2**32 - 1)


class Cause(Enum):
    """What has happened, as far as it matters for when the scheduler hears of it."""

    JOB_SUBMITTED = auto()
    TASK_ENDED = auto()
    CONFIGURATION_CHANGED = auto()
    OTHER = auto()


@dataclass(frozen=True, slots=True)
class Flushing:
    """How long a scheduler configuration lets events wait, in seconds (sched_conf(5))."""

    interval: int
    after_submission: int
    """flush_submit_sec; 0 for no earlier delivery."""
    after_end: int
    """flush_finish_sec; 0 for no earlier delivery."""

    @classmethod
    def of(cls, cluster: Cluster) -> "Flushing":
        """That of a cluster; where a field cannot be read, the one of the template."""
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


class RunTimes:
    """The time of the next run, given what has happened since the last one."""

    def __init__(self, flushing: Flushing, start: int) -> None:
        self.flushing = flushing
        self.due: int | None = start
        """When the next run is, in seconds since the epoch; None as long as nothing has happened."""
        self.is_at_once = False
        """The next run does not wait for what else happens in this second."""
        self._last: int | None = None

    def note(self, cause: Cause, now: int) -> None:
        """Something has happened: the scheduler hears of it with the next package, which some events bring forward."""
        due = now if self._last is None else max(now, self._last + self.flushing.interval)
        flush = self._flush(cause)
        if flush is not None:
            due = min(due, now + flush)
            # The first end of a second wakes the scheduler; what ends while it looks is seen by the run after that.
            self.is_at_once |= flush == 0 and (cause is not Cause.TASK_ENDED or self._last != now)
        self.due = due if self.due is None else min(self.due, due)

    def note_run(self, now: int) -> None:
        """The package has been delivered."""
        self._last = now
        self.due = None
        self.is_at_once = False

    def _flush(self, cause: Cause) -> int | None:
        """After how many seconds the package is delivered because of an event; None with the interval."""
        if cause is Cause.CONFIGURATION_CHANGED:
            return 0
        if cause is Cause.JOB_SUBMITTED:
            seconds = self.flushing.after_submission
        else:
            seconds = self.flushing.after_end if cause is Cause.TASK_ENDED else 0
        return seconds - 1 if seconds > 0 else None
