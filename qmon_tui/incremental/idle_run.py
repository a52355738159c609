"""A run that has started nothing where there may be reservations, and as long as the next ones decide the same.

Nothing is booked and no job is new or gone (`IncrementalScheduler` sees to that): only time has passed. It matters

* once something that runs should have ended, or a reservation should begin, or is for now;
* where a job that is to last so long would now last into a reservation that it would not have reached before;
* for the order of who waits: who is tried, and when a kind of jobs is given up, is followed once more.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

from qmon_tui.scheduler.configuration import SchedConf
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.reservation import TaskAllocation, pending_duration


@dataclass(slots=True)
class IdleRun:
    """What was tried in a run, and what came of it."""

    now: int
    limit: int
    """How many tasks of each job were given tickets."""
    tried: list[RunJob] = field(default_factory=list)
    """The jobs, in the order in which they came first."""
    reserved: Collection[TaskAllocation] = ()
    _flags: list[tuple[bool, bool]] = field(default_factory=list)
    """Whether the kind of each of them was given up when the next one was asked for, and for reservations."""
    _is_through: bool = False
    """Nobody was left."""

    def noted(self, upcoming: Iterable[RunJob]) -> Iterator[RunJob]:
        """The same jobs, of which it is noted what becomes of their kinds."""
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
        """True if the same jobs are tried in the same order, if what becomes of their kinds is the same."""
        for place, run_job in enumerate(self.tried):
            following = next(upcoming, None)
            if following is None or following.id != run_job.id:
                return False
            if place < len(self._flags):
                category = following.category
                category.rejected, category.reservation_rejected = self._flags[place]
        return not self._is_through or next(upcoming, None) is None
