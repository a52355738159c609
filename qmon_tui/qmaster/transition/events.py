"""Events between two runs, as values; commands of users are in `qmaster.commands`."""

from dataclasses import dataclass
from enum import StrEnum

Measured = tuple[tuple[str, float], ...]
"""(kind of usage, amount): cpu in seconds, mem in gigabyte seconds, io ..."""


@dataclass(frozen=True, slots=True)
class TaskArrived:
    """The execution host confirms the start of a task."""

    job: int
    task: int = 1


@dataclass(frozen=True, slots=True)
class TaskEnded:
    """The execution host reports the end of a task."""

    job: int
    task: int = 1
    used: Measured = ()
    """Usage since the last report."""
    exit_status: int = 0
    """99 reschedules the task, 100 puts it into error state, unless a parameter forbids it (sge_conf(5))."""


class StartFault(StrEnum):
    """The cause of a failed start."""

    NOBODY = "nobody"
    """Neither: the task was not delivered; it is pending again."""
    JOB = "job"
    """The task gets into error state."""
    QUEUE = "queue"
    """The master queue gets into error state; the task is pending again."""


@dataclass(frozen=True, slots=True)
class StartFailed:
    """A task could not be started on its host."""

    job: int
    task: int = 1
    fault: StartFault = StartFault.NOBODY


@dataclass(frozen=True, slots=True)
class TaskSentBack:
    """A task is rescheduled, regardless of whether it may be rerun."""

    job: int
    task: int = 1


@dataclass(frozen=True, slots=True)
class EarlierRunCleanedUp:
    """The hosts of a rescheduled task's earlier run have cleaned it up."""

    job: int
    task: int = 1


@dataclass(frozen=True, slots=True)
class UsageReported:
    """A host reports a task's usage since its last report."""

    job: int
    task: int
    used: Measured


@dataclass(frozen=True, slots=True)
class LoadReported:
    """A host, or `global`, reports load values; others stay."""

    host: str
    values: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class HostUnheard:
    """A host has not reported for so long that it counts as unknown."""

    host: str


@dataclass(frozen=True, slots=True)
class HostTimedOut:
    """A host has been unknown for `reschedule_unknown`: rerunnable tasks are rescheduled."""

    host: str


@dataclass(frozen=True, slots=True)
class CalendarSwitched:
    """A calendar changes the state of its queue instances; its state at the time of the event decides."""

    calendar: str


@dataclass(frozen=True, slots=True)
class ReservationBegan:
    """An advance reservation begins."""

    reservation: int


@dataclass(frozen=True, slots=True)
class ReservationEnded:
    """An advance reservation ends: it is removed with all its jobs."""

    reservation: int


@dataclass(frozen=True, slots=True)
class UserExpired:
    """An automatically added user is removed from the cluster, with past usage."""

    user: str


Event = (
    TaskArrived
    | TaskEnded
    | StartFailed
    | TaskSentBack
    | EarlierRunCleanedUp
    | UsageReported
    | LoadReported
    | HostUnheard
    | HostTimedOut
    | CalendarSwitched
    | ReservationBegan
    | ReservationEnded
    | UserExpired
)
