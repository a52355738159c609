"""The four searches for a job where there may be reservations: one slot or several, now or at the earliest time."""

from collections.abc import Sequence
from dataclasses import dataclass

from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.matching import Say
from qmon_tui.scheduler.parallel import Assignment, ParallelSearch
from qmon_tui.scheduler.reservation.timed_parallel import Reservation, TimedParallelSearch
from qmon_tui.scheduler.reservation.timed_sequential import TimedSequentialSearch


@dataclass(slots=True)
class TimedSearches:
    """Those over all that everybody shares."""

    sequential: TimedSequentialSearch
    parallel: ParallelSearch
    """For what starts now."""
    timed_parallel: TimedParallelSearch
    """For a time."""

    def start(self, run_job: RunJob, say: Say | None) -> tuple[int, int | None]:
        """Whether one slot fits now, later or never, and the queue instance."""
        return self.sequential.start(run_job, say)

    def collect(self, run_job: RunJob, say: Say | None, order: Sequence[int] | None) -> tuple[int, Assignment | None]:
        """Whether a parallel job fits now, later or never, and where."""
        self.parallel.hosts.catch_up()
        assignment = self.parallel.search(run_job, say, order)
        return self.parallel.result, assignment

    def reserve(self, run_job: RunJob) -> tuple[int, int] | None:
        """The queue instance that is free first for one slot, and when."""
        return self.sequential.reserve(run_job)

    def collect_later(self, run_job: RunJob, say: Say | None) -> tuple[int, Reservation | None]:
        """Whether there is a time for a parallel job, and the earliest."""
        reservation = self.timed_parallel.reserve(run_job, say)
        return self.timed_parallel.result, reservation
