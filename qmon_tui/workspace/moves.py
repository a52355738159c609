"""What a change moved in the schedule: one run compared with the one before the change."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # a screen without a schedule yet needs none
    from qmon_tui.scheduler.outcome import Outcome, TaskOutcome

JobKey = tuple[int, int]
"""Job and task."""


@dataclass(frozen=True, slots=True)
class Move:
    """How one task's place differs. Ranks are 1-based places among the jobs that both runs list."""

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
        """It has slots now and had none before."""
        return bool(self.granted_after) and not self.granted_before

    @property
    def no_longer_starts(self) -> bool:
        """It had slots before and has none now."""
        return bool(self.granted_before) and not self.granted_after

    @property
    def elsewhere(self) -> bool:
        """It has slots in both runs, but not the same."""
        return bool(self.granted_before and self.granted_after) and self.granted_before != self.granted_after


def moved(before: "Outcome | None", after: "Outcome") -> Mapping[JobKey, Move]:
    """The tasks of both runs whose rank or slots differ; none where there is no run to compare with."""
    if before is None or before is after:
        return {}
    common = {job.id for job in before.jobs} & {job.id for job in after.jobs}
    old_ranks, new_ranks = _ranks(before, common), _ranks(after, common)
    old_tasks = _tasks(before)
    moves: dict[JobKey, Move] = {}
    for key, task in _tasks(after).items():
        if key not in old_tasks:
            continue
        move = Move(old_ranks[key[0]], new_ranks[key[0]], old_tasks[key].granted, task.granted)
        if move.up or move.granted_before != move.granted_after:
            moves[key] = move
    return moves


def _ranks(outcome: "Outcome", common: set[int]) -> dict[int, int]:
    listed = (job.id for job in outcome.jobs if job.id in common)
    return {job_id: rank for rank, job_id in enumerate(listed, start=1)}


def _tasks(outcome: "Outcome") -> "dict[JobKey, TaskOutcome]":
    return {(job.id, task.task): task for job in outcome.jobs for task in job.tasks}
