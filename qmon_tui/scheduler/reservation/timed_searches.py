"""The four searches in a run with reservations: for one slot or several, now or at the earliest time."""

from collections.abc import Sequence
from dataclasses import dataclass

from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.matching import Say
from qmon_tui.scheduler.parallel import Assignment, ParallelSearch
from qmon_tui.scheduler.reservation.timed_parallel import Reservation, TimedParallelSearch
from qmon_tui.scheduler.reservation.timed_sequential import TimedSequentialSearch


@dataclass(slots=True)
class TimedSearches:
    """The searches over the shared list of queue instances."""

    sequential: TimedSequentialSearch
    parallel: ParallelSearch
    """For starts now."""
    timed_parallel: TimedParallelSearch
    """For reservations."""

    def start(self, run_job: RunJob, say: Say | None) -> tuple[int, int | None]:
        """Return FITS, LATER or NEVER for one slot now, and the queue instance if it fits."""
        return self.sequential.start(run_job, say)

    def collect(self, run_job: RunJob, say: Say | None, order: Sequence[int] | None) -> tuple[int, Assignment | None]:
        """Return FITS, LATER or NEVER for a parallel job now, and the assignment if it fits.

        `order`: the order of queue instances before the search, for the order of messages.
        """
        self.parallel.hosts.catch_up()
        assignment = self.parallel.search(run_job, say, order)
        return self.parallel.result, assignment

    def reserve(self, run_job: RunJob) -> tuple[int, int] | None:
        """Return the queue instance where one slot fits earliest, and that time; None if it fits at no time."""
        return self.sequential.reserve(run_job)

    def collect_later(self, run_job: RunJob, say: Say | None) -> tuple[int, Reservation | None]:
        """Return the result for a parallel job at any time, and the earliest reservation; None if it does not fit."""
        reservation = self.timed_parallel.reserve(run_job, say)
        return self.timed_parallel.result, reservation
