"""A run that has started nothing, and how long later runs will decide the same, reservations included.

`IncrementalScheduler` makes sure that no job and no booking is new or gone. Then a later run differs only if

* a running task should have ended, or a reservation should have begun, by its time;
* a job would now last into a reservation that it would not have reached before;
* the order of the waiting jobs differs: the jobs tried, and the rejection of categories, are followed again.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

from qmon_tui.scheduler.configuration import SchedConf
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.reservation import TaskAllocation, pending_duration


@dataclass(slots=True)
class IdleRun:
    """The jobs that a run has tried, and the reservations that it has made."""

    now: int
    limit: int
    """How many tasks of each job were given tickets."""
    tried: list[RunJob] = field(default_factory=list)
    """The jobs, in the order in which they came first."""
    reserved: Collection[TaskAllocation] = ()
    _flags: list[tuple[bool, bool]] = field(default_factory=list)
    """For each tried job, whether its category was then rejected, for starts and for reservations."""
    _is_through: bool = False
    """All jobs were tried."""

    def noted(self, upcoming: Iterable[RunJob]) -> Iterator[RunJob]:
        """Yield the same jobs; note for each whether its category is rejected after it was tried."""
        for run_job in upcoming:
            self._note_last()
            self.tried.append(run_job)
            yield run_job
        self._note_last()
        self._is_through = True

    def _note_last(self) -> None:
        if self.tried:
            category = self.tried[-1].category
            self._flags.append((category.rejected, category.reservation_rejected))

    def lasts_until(self, now: int, next_end: float, policy: SchedConf) -> bool:
        """True if nothing happens by a time, and no job comes into the way of a reservation by it."""
        starts = [allocation.start for allocation in self.reserved]
        if next_end <= now or any(start <= now for start in starts):
            return False
        demands = {id(run_job.demand): run_job.demand for run_job in self.tried}
        durations = {
            pending_duration(demand, policy.default_duration, policy.duration_offset) for demand in demands.values()
        }
        return not any(self.now + duration <= start < now + duration for duration in durations for start in starts)

    def is_repeated(self, upcoming: Iterator[RunJob]) -> bool:
        """True if the same jobs are tried in the same order, given the same rejected categories."""
        for place, run_job in enumerate(self.tried):
            following = next(upcoming, None)
            if following is None or following.id != run_job.id:
                return False
            if place < len(self._flags):
                category = following.category
                category.rejected, category.reservation_rejected = self._flags[place]
        return not self._is_through or next(upcoming, None) is None
