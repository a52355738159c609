"""Changes of the schedule by an edit: one run compared with the run before the edit."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # a screen without a schedule yet needs none
    from qmon_tui.model import JobOutcome, Outcome, TaskOutcome

JobKey = tuple[int, int]
"""Job and task."""


@dataclass(frozen=True, slots=True)
class ScheduleChange:
    """How one task's place differs. Ranks are 1-based places among the jobs that both runs try to start; else 0."""

    rank_before: int
    rank_after: int
    granted_before: Mapping[str, int]
    granted_after: Mapping[str, int]

    @property
    def up(self) -> int:
        """Places gained in the order; negative for places lost."""
        return self.rank_before - self.rank_after

    @property
    def starts(self) -> bool:
        """True if it has slots now and had none before."""
        return bool(self.granted_after) and not self.granted_before

    @property
    def no_longer_starts(self) -> bool:
        """True if it had slots before and has none now."""
        return bool(self.granted_before) and not self.granted_after

    @property
    def elsewhere(self) -> bool:
        """True if it has slots in both runs, but different ones."""
        return bool(self.granted_before and self.granted_after) and self.granted_before != self.granted_after


def changes_of_schedule(before: "Outcome | None", after: "Outcome") -> Mapping[JobKey, ScheduleChange]:
    """Return the tasks of both runs whose rank or slots differ; empty if there is no run before."""
    if before is None or before.jobs is after.jobs:
        return {}
    known = {job.id: job for job in before.jobs}
    tried = [job.id for job in after.jobs if _is_tried(job)]
    both = {job.id for job in before.jobs if _is_tried(job)}.intersection(tried)
    old_ranks = {job.id: rank for rank, job in enumerate((job for job in before.jobs if job.id in both), start=1)}
    ranks = {number: rank for rank, number in enumerate((number for number in tried if number in both), start=1)}
    moves: dict[JobKey, ScheduleChange] = {}
    for job in after.jobs:
        if (old := known.get(job.id)) is None:
            continue
        old_rank, rank = old_ranks.get(job.id, 0), ranks.get(job.id, 0)
        for old_task, task in _of_both(old, job):
            if rank != old_rank or task.granted != old_task.granted:
                moves[job.id, task.task] = ScheduleChange(old_rank, rank, old_task.granted, task.granted)
    return moves


def _is_tried(job: "JobOutcome") -> bool:
    """True if the run tries to start a task: one that runs, or is held, has no place in the order."""
    return any(task.pending == "waiting" for task in job.tasks)


def _of_both(before: "JobOutcome", after: "JobOutcome") -> "Iterable[tuple[TaskOutcome, TaskOutcome]]":
    """The tasks that a job has in both runs."""
    if [task.task for task in before.tasks] == [task.task for task in after.tasks]:
        return zip(before.tasks, after.tasks, strict=True)
    known = {task.task: task for task in before.tasks}
    return [(known[task.task], task) for task in after.tasks if task.task in known]
