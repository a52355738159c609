"""Log of a simulated day: a feed of events, a sample of each scheduling run, and the slots of each task over time.

All times are seconds since the epoch. A position is the number of events and scheduling runs so far.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from qmon_tui.simulation.execution import TaskKey

LIMIT: Final = "limit"
"""The text of an entry about a task that was stopped at its run time limit."""


class FeedKind(StrEnum):
    """Kind of an entry of the feed."""

    SUBMITTED = "submitted"
    REJECTED = "rejected"
    STARTED = "started"
    BACKFILLED = "backfilled"
    """Started although a job earlier in the order has a reservation on the same hosts."""
    RESERVED = "reserved"
    """A reservation for a waiting task is new, or begins at another time."""
    ENDED = "ended"
    DELETED = "deleted"
    SENT_BACK = "rescheduled"
    SUSPENDED = "suspended"
    RESUMED = "resumed"
    FAILED = "failed"
    """A task got into error state."""
    CALENDAR = "calendar"
    RESERVATION_BEGAN = "advance reservation begins"
    RESERVATION_ENDED = "advance reservation ends"
    HOST_FAILED = "host failed"
    HOST_RETURNED = "host returned"
    COMMAND = "command"
    EDIT = "edit"
    """An edit of the configuration or the state, with which the day continues."""


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """One line of the feed."""

    position: int
    time: int
    kind: FeedKind
    job: int | None = None
    """None if the entry is about no job."""
    task: int | None = None
    """None for a job as a whole."""
    name: str = ""
    """Name of the job; else of the host or calendar, the command line, the label of an edit."""
    owner: str = ""
    places: tuple[tuple[str, int], ...] = ()
    """Queue instance and slots, the master queue first."""
    seconds: int | None = None
    """Seconds that the task had waited or run; for RESERVED the time at which the reservation begins."""
    limit: int | None = None
    """Run time limit in seconds; None for no limit."""
    other: int | None = None
    """The job ahead of whose reservation a backfilled task was started."""
    spare: int | None = None
    """Seconds from its run time limit to the begin of that reservation; None if it may run longer."""
    before: int | None = None
    """Time at which the reservation was to begin before; None for a new one."""
    text: str = ""
    """A message of the qmaster, state letters, or `LIMIT`."""

    @property
    def key(self) -> TaskKey | None:
        """Job and task; the first task for a job as a whole."""
        return None if self.job is None else (self.job, self.task or 1)


@dataclass(frozen=True, slots=True)
class Plan:
    """A reservation that the last run has made for a waiting task."""

    job: int
    task: int
    name: str
    start: int
    end: int
    """2^32 - 1 if it never ends."""
    places: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Sample:
    """Sample taken after a scheduling run."""

    position: int
    time: int
    resources: Mapping[str, tuple[float, float]]
    """Resource -> used and total amount; slots first."""
    running: int
    """Number of running and suspended tasks."""
    waiting: int
    """Number of tasks that could start but have no place; see `WaitingTasks`."""
    oldest_wait: int
    """Seconds since the submission of the job that has waited longest; 0 if none waits."""
    oldest: int | None
    """The number of that job."""

    @property
    def slots(self) -> tuple[float, float]:
        """Used and total slots."""
        return self.resources.get("slots", (0.0, 0.0))


@dataclass(frozen=True, slots=True)
class SlotInterval:
    """The slots that a task has from `time` on; its end is in `DayLog.ends`."""

    position: int
    job: int
    task: int
    name: str
    owner: str
    project: str | None
    department: str | None
    start: int
    limit: int | None
    """Run time limit in seconds; None for no limit."""
    places: tuple[tuple[str, int], ...]
    backfilled: bool = False

    @property
    def slots(self) -> int:
        return sum(slots for _, slots in self.places)


@dataclass(frozen=True, slots=True)
class SlotIntervalEnd:
    """The end of a `SlotInterval`; `kind` is ENDED, DELETED or SENT_BACK."""

    position: int
    time: int
    kind: FeedKind


@dataclass(slots=True)
class DayLog:
    """Log of one branch of the day. Its lists only grow, so that a snapshot needs no more than their lengths."""

    entries: list[FeedEntry] = field(default_factory=list)
    samples: list[Sample] = field(default_factory=list)
    stretches: list[SlotInterval] = field(default_factory=list)
    ends: dict[int, SlotIntervalEnd] = field(default_factory=dict)
    """Index in `stretches` -> end of that interval."""
    open: dict[TaskKey, int] = field(default_factory=dict)
    """Task that has slots -> index of its interval in `stretches`."""
    slots: int = 0
    """Slots of all open intervals."""

    def up_to(self, position: int) -> "DayLog":
        """Return a copy of the log as it was at a position."""
        log = DayLog(
            [entry for entry in self.entries if entry.position <= position],
            [sample for sample in self.samples if sample.position <= position],
        )
        for number, stretch in enumerate(self.stretches):
            if stretch.position <= position:
                log.begin(stretch)
                end = self.ends.get(number)
                if end is not None and end.position <= position:
                    log.end((stretch.job, stretch.task), end)
        return log

    def begin(self, stretch: SlotInterval) -> None:
        """Note that a task has got its slots."""
        self.open[stretch.job, stretch.task] = len(self.stretches)
        self.stretches.append(stretch)
        self.slots += stretch.slots

    def end(self, key: TaskKey, end: SlotIntervalEnd) -> None:
        """Note that a task has released its slots."""
        number = self.open.pop(key, None)
        if number is not None:
            self.ends[number] = end
            self.slots -= self.stretches[number].slots
