"""What happens by itself between two runs, as values; commands of users are in `qmaster.commands`."""

from dataclasses import dataclass
from enum import StrEnum

Measured = tuple[tuple[str, float], ...]
"""Kind of usage (cpu, mem, io ...) and how much of it; cpu in seconds, mem in gigabyte seconds."""


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
    """What was not reported before."""
    exit_status: int = 0
    """With 99 the task is sent back, with 100 it gets into error state, unless a parameter forbids it (sge_conf(5))."""


class StartFault(StrEnum):
    """Who is to blame that a task could not be started on its host."""

    NOBODY = "nobody"
    """It was not delivered: the task waits again."""
    JOB = "job"
    """The task gets into error state."""
    QUEUE = "queue"
    """The master queue gets into error state, and the task waits again."""


@dataclass(frozen=True, slots=True)
class StartFailed:
    """A task could not be started on its host."""

    job: int
    task: int = 1
    fault: StartFault = StartFault.NOBODY


@dataclass(frozen=True, slots=True)
class TaskSentBack:
    """A task is sent back to be scheduled again; whether it may be run again is not asked."""

    job: int
    task: int = 1


@dataclass(frozen=True, slots=True)
class EarlierRunCleanedUp:
    """The hosts where a task that was sent back ran before report that nothing is left of it."""

    job: int
    task: int = 1


@dataclass(frozen=True, slots=True)
class UsageReported:
    """A host reports what a task has used since its last report."""

    job: int
    task: int
    used: Measured


@dataclass(frozen=True, slots=True)
class LoadReported:
    """A host, or `global`, reports load values; those that it does not name stay."""

    host: str
    values: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class HostUnheard:
    """A host has not reported for so long that it counts as unknown."""

    host: str


@dataclass(frozen=True, slots=True)
class HostTimedOut:
    """A host has been unknown for `reschedule_unknown`: what may be run again is sent back."""

    host: str


@dataclass(frozen=True, slots=True)
class CalendarSwitched:
    """A calendar opens or closes the queue instances that keep it; the time tells which."""

    calendar: str


@dataclass(frozen=True, slots=True)
class ReservationBegan:
    """The time of an advance reservation has come."""

    reservation: int


@dataclass(frozen=True, slots=True)
class ReservationEnded:
    """The time of an advance reservation is over: it is gone, and all its jobs with it."""

    reservation: int


@dataclass(frozen=True, slots=True)
class UserExpired:
    """A user whom the qmaster had added by itself is removed, his past usage with him; so he is from the cluster."""

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
