"""The obstacles of a task at the time when it is tried, in a run that ends there.

Results for one job are reused for jobs with the same request whose category was rejected with it.
"""

from collections.abc import Hashable, Mapping
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property

from qmon_tui.explain.edits import EditedCluster
from qmon_tui.explain.equivalent_places import EquivalentPlaces
from qmon_tui.explain.explanation import ReasonGroup
from qmon_tui.explain.next_slot import find_next_slot
from qmon_tui.explain.not_yet import candidates_for_task, place_of_task
from qmon_tui.explain.reason_groups import own_reasons
from qmon_tui.explain.task_rejections import TaskRejections
from qmon_tui.gc_pause import gc_paused
from qmon_tui.qmaster import Run
from qmon_tui.scheduler import RunUntil
from qmon_tui.scheduler.jobs import RunJob

_MOST_REASONS = 3
"""Maximum number of times a task is released in the search for further reasons why it takes no part."""
PARTIAL_RUNS_KEPT = 8
"""Number of partial runs cached; one of 10,000 jobs takes some 12 MB."""


@dataclass
class PartialRun:
    """A run that ended just before a task was tried."""

    run: Run

    @cached_property
    def equivalent_places(self) -> EquivalentPlaces:
        return EquivalentPlaces(self.run)

    @cached_property
    def _numbered(self) -> Mapping[int, RunJob]:
        return {job.id: job for job in self.run.pending}

    def rejections(self, number: int) -> TaskRejections | None:
        """Return the obstacles of a job; None if the run does not try it."""
        run_job = self.job(number)
        if run_job is None:
            return None
        self.run.dispatch.prepare_checks(run_job)
        return TaskRejections(self.run, run_job, self.equivalent_places)

    def job(self, number: int) -> RunJob | None:
        """Return the job as it was then; None if it was not pending."""
        return self._numbered.get(number)


@dataclass
class PartialRuns:
    """The partial runs for tasks of a finished run."""

    run: Run
    numbered: Mapping[int, RunJob]
    """All jobs by number."""
    _last: tuple[int, int, TaskRejections] | None = None
    """(job, task, its obstacles)."""
    _partial_runs: dict[RunUntil, PartialRun] = field(default_factory=dict)
    """The latest partial runs."""
    _known: dict[Hashable, TaskRejections] = field(default_factory=dict)
    """Request key -> obstacles, the latest ones."""

    @cached_property
    def _equivalent_places(self) -> EquivalentPlaces:
        return EquivalentPlaces(self.run)

    def rejections(self, run_job: RunJob, task: int) -> TaskRejections:
        """Return the obstacles of a task when it is tried, or would be if it took part."""
        last = self._last
        if last is None or last[:2] != (run_job.id, task):
            last = self._last = (run_job.id, task, self._find_rejections(run_job, task))
        return last[2]

    def _find_rejections(self, run_job: RunJob, task: int) -> TaskRejections:
        key = _shared_key(run_job, task)
        known = self._known.pop(key, None) if key is not None else None
        rejections = self._copied_for(run_job, known) if known is not None else None
        if rejections is None:
            rejections = self._earlier(run_job, task) or TaskRejections(self.run, run_job, self._equivalent_places)
            find_next_slot(rejections, task)
        if key is not None:
            self._known[key] = rejections
            if len(self._known) > PARTIAL_RUNS_KEPT:
                del self._known[next(iter(self._known))]
        return rejections

    def _copied_for(self, run_job: RunJob, known: TaskRejections) -> TaskRejections | None:
        """Return the obstacles found for a job with the same request, as those of this job."""
        partial_run = next((run for run in self._partial_runs.values() if run.run is known.run), None)
        pending = partial_run.job(run_job.id) if partial_run is not None else None
        own = run_job if known.run is self.run else pending
        if own is None:
            return None
        known.run.dispatch.prepare_checks(own)
        rejections = copy(known)
        rejections.run_job = own
        rejections.next_slot = None if known.next_slot is None else known.next_slot.for_job(own)
        return rejections

    def _earlier(self, run_job: RunJob, task: int) -> TaskRejections | None:
        """Return the obstacles in a run that ends before the task; None if those of the whole run are the same."""
        if place_of_task(run_job, task) is not None:
            return self._if_released(run_job, task)
        until_decided = self._until_decided(run_job, task)
        if until_decided is None:
            return None
        partial_run = self._partial_runs.pop(until_decided, None) or self._run_until(self._unedited, until_decided)
        self._partial_runs[until_decided] = partial_run
        if len(self._partial_runs) > PARTIAL_RUNS_KEPT:
            del self._partial_runs[next(iter(self._partial_runs))]
        return partial_run.rejections(run_job.id)

    def _if_released(self, run_job: RunJob, task: int) -> TaskRejections | None:
        """Return the obstacles that a task which takes no part would meet if it were released."""
        run, edited, until = self.run, self._unedited, RunUntil(run_job.id, task, before=True)
        further_reasons: list[ReasonGroup] = []
        rejections: TaskRejections | None = None
        for _ in range(_MOST_REASONS):
            for candidate in candidates_for_task(run, run_job, task):
                edited = candidate.edit(edited, candidate.least)
            partial_run = self._run_until(edited, until)
            run, rejections = partial_run.run, partial_run.rejections(run_job.id)
            run_job = next((job for job in run.jobs if job.id == run_job.id), run_job)
            takes_part = place_of_task(run_job, task) is None
            if not takes_part or run_job.excluded_at is not None:
                further_reasons += own_reasons(run, run_job, task)
            if takes_part:
                break
        if rejections is not None:
            rejections.further_reasons = tuple(further_reasons)
        return rejections

    def _until_decided(self, run_job: RunJob, task: int) -> RunUntil | None:
        """Return when a job was decided not to start, if decisions followed; else None."""
        dispatch = self.run.dispatch
        is_last = run_job.category.rejected_at == len(dispatch.starts) and not dispatch.reserved
        if is_last or not run_job.category.rejected:
            return None
        if task in run_job.passed:
            return RunUntil(run_job.id, task, before=True)
        if task not in run_job.queue[run_job.next_task :]:
            return None
        first = self.numbered[run_job.category.rejected_with]
        if first.passed or not first.remaining:
            first = run_job
        return RunUntil(first.id, first.queue[first.next_task], before=True)

    @property
    def _unedited(self) -> EditedCluster:
        return EditedCluster(self.run.compiled.cluster, self.run.state)

    @gc_paused()
    def _run_until(self, edited: EditedCluster, until: RunUntil) -> PartialRun:
        """Return the run of a changed cluster and state that ends just before a task is tried."""
        return PartialRun(self.run.again(edited.cluster, edited.state, until))


def _shared_key(run_job: RunJob, task: int) -> Hashable | None:
    """Return a key for one user's jobs with one request whose category is rejected; None for special cases."""
    job, category = run_job.job, run_job.category
    is_special = job.tasks or run_job.excluded_at is not None or place_of_task(run_job, task) is not None
    if is_special or not category.rejected or task in run_job.passed:
        return None
    return id(category), job.owner, job.group, id(job.request)
