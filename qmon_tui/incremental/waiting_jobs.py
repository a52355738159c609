"""The jobs with pending tasks, their number of pending tasks, and the job submitted first."""

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Iterable

from qmon_tui.incremental.known_jobs import KnownJob
from qmon_tui.qmaster import TaskKey, WaitingTasks


class WaitingJobs(dict[int, KnownJob]):
    """Job number -> job, in the order in which they began to wait."""

    def __init__(self) -> None:
        self._tasks = 0
        self._by_submission: list[tuple[int, int]] = []

    def add(self, known: KnownJob) -> None:
        job = known.job
        self[job.id] = known
        self._tasks += len(known.run_job.split.pending)
        insort(self._by_submission, (job.submitted, job.id))

    def remove(self, number: int) -> None:
        """Remove a job if it is there."""
        known = self.pop(number, None)
        if known is None:
            return
        self._tasks -= len(known.run_job.split.pending)
        del self._by_submission[bisect_left(self._by_submission, (known.job.submitted, number))]

    def left(self, started: Iterable[TaskKey]) -> WaitingTasks:
        """Return how many tasks still wait after `started`, and the earliest-submitted job among them."""
        starts = Counter(number for number, _ in started)
        waiting = (
            self[number]
            for _, number in self._by_submission
            if len(self[number].run_job.split.pending) > starts[number]
        )
        oldest = next(waiting, None)
        return WaitingTasks(self._tasks - starts.total(), oldest.job if oldest is not None else None)
