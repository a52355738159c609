"""Tasks counted by their condition: running, waiting, held ..., before and after the next run."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from qmon_tui.model import JobOutcome, Outcome, PendingKind, TaskOutcome
from qmon_tui.report.spans import Line, Span, TextRole
from qmon_tui.report.words import REFUSED, shown_figure, spaced, stands_still
from qmon_tui.workspace import Figures

RUNNING, SUSPENDED, REFUSED_WORD = "running", "suspended", "refused"
CONDITIONS: Final[Mapping[str, TextRole]] = {
    RUNNING: TextRole.RUNNING,
    SUSPENDED: TextRole.SUSPENDED,
    PendingKind.WAITING: TextRole.WAITING,
    PendingKind.HELD: TextRole.HELD,
    PendingKind.DEPENDENT: TextRole.HELD,
    PendingKind.FUTURE: TextRole.HELD,
    PendingKind.IMPOSSIBLE: TextRole.ERROR,
    PendingKind.ERROR: TextRole.FAILED,
    REFUSED_WORD: TextRole.ERROR,
}
"""Condition of tasks -> its colour, in the order in which they are shown."""
_ALWAYS: Final = (RUNNING, PendingKind.WAITING)
_REFUSED_TASK: Final = TaskOutcome(1, REFUSED, {}, {}, state_before=REFUSED)


def shown_tasks(job: JobOutcome) -> tuple[TaskOutcome, ...]:
    """Return the tasks of a job; one placeholder for a refused job without tasks."""
    return (_REFUSED_TASK,) if job.rejected and not job.tasks else job.tasks


def alike(task: TaskOutcome) -> object:
    """Return a key; consecutive tasks of a job with equal keys share a row."""
    return task.task if task.granted or task.reserved else task.state


def condition_of(job: JobOutcome, task: TaskOutcome, kind: PendingKind | None, *, after: bool) -> str:
    """Return the condition of a task before or after the run; `kind` is that of `Outcome.pending_kind`."""
    if job.rejected:
        return REFUSED_WORD
    if kind is not None:
        return kind
    return SUSPENDED if stands_still(task.state if after else task.state_before) else RUNNING


@dataclass(frozen=True, slots=True)
class TaskCounts:
    """Condition -> number of tasks, before and after the next run."""

    now: Mapping[str, int] = field(default_factory=dict)
    after: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, outcome: Outcome, jobs: Iterable[JobOutcome] | None = None) -> "TaskCounts":
        """Count the tasks of `jobs`; None means all jobs."""
        now, after = Counter[str](), Counter[str]()
        for job in outcome.jobs if jobs is None else jobs:
            for task in shown_tasks(job):
                for counts, is_after in ((now, False), (after, True)):
                    kind = outcome.pending_kind(job, task, after=is_after)
                    counts[condition_of(job, task, kind, after=is_after)] += 1
        return cls(now, after)

    def parts(self, figures: Figures, *, always: bool = True) -> tuple[Line, ...]:
        """Return `9 → 61 running` for each condition with tasks, and with `always` also for running and waiting."""
        shown: list[Line] = []
        for condition, role in CONDITIONS.items():
            now, after = self.now.get(condition, 0), self.after.get(condition, 0)
            text = shown_figure(figures, spaced(now), spaced(after))
            if text != "0" or (always and condition in _ALWAYS):
                shown.append((Span(text, role), Span(f" {condition}", TextRole.DIM)))
        return tuple(shown)
