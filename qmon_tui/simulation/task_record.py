"""Record of each task, with fields as in accounting(5)."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(slots=True)
class TaskRecord:
    """One task of a job; times are seconds since the epoch."""

    job: int
    task: int
    name: str
    owner: str
    project: str | None
    """None without a project."""
    department: str | None
    submitted: int
    started: int | None = None
    """Time of the last dispatch; None if it was never dispatched."""
    ended: int | None = None
    """Time of its end; None if it has not ended."""
    granted: Mapping[str, int] = field(default_factory=dict)
    """Queue instance -> slots of its last run, the master queue first."""
    reserved: bool = False
    """True if a run made a reservation for it before it started."""
    restarts: int = 0
    """Number of times it was rescheduled after it had started."""
    lost: int = 0
    """Seconds from each start to the rescheduling after it."""
    lost_slot_seconds: int = 0
    """The seconds of `lost`, each times the slots of that start."""
    suspended: int = 0
    """Seconds for which it was suspended, over all its starts."""
    backfilled: bool = False
    """True if its last start was ahead of a job with a reservation (measures.md#backfilled-tasks)."""
    deleted: int | None = None
    """Time of its deletion while it waited; None if it was not deleted."""

    def waiting_until(self, end: int) -> int:
        """Return the time when its wait was over: its deletion, else its last start, else the `end` of the day."""
        if self.deleted is not None:
            return self.deleted
        return end if self.started is None else self.started

    def send_back(self, now: int) -> None:
        """Note that the task is rescheduled: its run time so far is lost."""
        self.restarts += 1
        if self.started is not None:
            self.lost += now - self.started
            self.lost_slot_seconds += (now - self.started) * self.slots

    @property
    def slots(self) -> int:
        return sum(self.granted.values())

    @property
    def wait(self) -> int | None:
        """Seconds from submission to the last start; None before it."""
        return None if self.started is None else self.started - self.submitted

    @property
    def run_time(self) -> int | None:
        """Seconds from the last start to the end; None before the end."""
        return None if self.started is None or self.ended is None else self.ended - self.started
