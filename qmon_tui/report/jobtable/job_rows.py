"""The rows of the job table: one per job; the row of an array with different tasks opens into several."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import Final

from qmon_tui.model import Job, JobOutcome, Outcome, PendingKind, State, Task, TaskOutcome
from qmon_tui.report.task_counts import alike as alike_after, condition_of, shown_tasks
from qmon_tui.report.words import shown_figure
from qmon_tui.values import format_ranges
from qmon_tui.workspace import Figures

RowKey = tuple[int, int, bool]
"""Job, first task, and True for the row of all tasks of an array."""


_HELD_BACK: Final = frozenset("hE")
"""State letters of tasks that wait for a user or an administrator, not for a place."""


@dataclass(frozen=True, eq=False)
class JobTableRow:
    """Tasks of one job that share a line."""

    job: JobOutcome
    known: Job | None
    """The job in the state; None if it is gone."""
    tasks: tuple[TaskOutcome, ...]
    at: int
    """The time of the run."""
    whole: bool = False
    """True for the row of all tasks of an array with different tasks."""
    inside: bool = False
    """True for a row below an opened array."""
    figures: Figures = Figures.NEXT
    """Shown states and places: before the next run, after it, or changes."""
    impossible: bool = False
    """True if the job can never run."""

    @property
    def key(self) -> RowKey:
        return self.job.id, self.tasks[0].task, self.whole

    @property
    def task(self) -> TaskOutcome:
        """The first of its tasks."""
        return self.tasks[0]

    @property
    def asked(self) -> TaskOutcome:
        """The task to explain: the first waiting one, preferably not held or in error; else the first task."""
        waiting = (task for task in self.tasks if not self.granted_of(task))
        return min(waiting, key=lambda task: not _HELD_BACK.isdisjoint(task.state), default=self.task)

    @property
    def is_array(self) -> bool:
        return self.known is not None and self.known.request.array is not None

    @cached_property
    def task_ids(self) -> str:
        """ja-task-ID: the numbers of the tasks, empty for a plain job."""
        if self.known is None or not self.is_array:
            return ""
        # A refused job has one task in place of all requested ones.
        return format_ranges(self.known.task_ids if self.job.rejected else (task.task for task in self.tasks))

    @cached_property
    def number(self) -> str:
        """The number of the job; below an opened array with the tasks: `17.4-10`."""
        return f"{self.job.id}.{self.task_ids}" if self.inside and self.task_ids else str(self.job.id)

    @cached_property
    def state(self) -> str:
        """qstat's letters, with numbers if the tasks differ: `3r 97qw`."""
        now, after = (" ".join(self.counted(after=after).values()) for after in (False, True))
        return shown_figure(self.figures, now, after)

    def counted(self, *, after: bool) -> Mapping[str, str]:
        """Return state letters -> shown text, with the number of tasks for a whole array: `97qw`.

        The states are those before the next run, or `after` it.
        """
        states = self._letters(after=after)
        if not self.whole:
            return {states[0]: states[0]}
        return {state: f"{number}{state}" for state, number in Counter(states).items()}

    def _letters(self, *, after: bool) -> Sequence[str]:
        tasks = self.tasks if self.whole else self.tasks[:1]
        return [task.state if after or not task.state_before else task.state_before for task in tasks]

    @property
    def reserved(self) -> TaskOutcome | None:
        """The first task with a reservation by the next run; None without, or if only the time before is shown."""
        if self.figures is Figures.NOW:
            return None
        return next((task for task in self.tasks if task.reserved_from is not None), None)

    @property
    def states(self) -> Sequence[str]:
        """The shown state letters of its tasks, each once."""
        now, after = (self._letters(after=after) for after in (False, True))
        shown = {Figures.NOW: now, Figures.NEXT: after}.get(self.figures, [*now, *after])
        return tuple(dict.fromkeys(shown))

    def granted_of(self, task: TaskOutcome) -> Mapping[str, int]:
        """Return queue instance -> slots of a task: after the next run if only that is shown, else before it."""
        return task.granted if self.figures is Figures.NEXT else task.granted_before

    @property
    def granted(self) -> Mapping[str, int]:
        """Queue instance -> slots of the first task with slots; empty without."""
        return next((granted for task in self.tasks if (granted := self.granted_of(task))), {})

    @property
    def instances(self) -> Iterable[str]:
        """The queue instances that its tasks hold."""
        return tuple(dict.fromkeys(name for task in self.tasks for name in self.granted_of(task)))

    @property
    def instances_after(self) -> Iterable[str]:
        """The queue instances that its tasks hold after the next run."""
        return tuple(dict.fromkeys(name for task in self.tasks for name in task.granted))

    def condition(self, task: TaskOutcome, *, after: bool) -> str:
        """Return the condition of a task before the next run or `after` it: running, waiting, held ..."""
        kind = None if after and task.granted else task.pending
        if kind is PendingKind.WAITING and self.impossible:
            kind = PendingKind.IMPOSSIBLE
        return condition_of(self.job, task, kind, after=after)

    @cached_property
    def before(self) -> Task | None:
        """The first task in the state before the run; None if the job is gone."""
        return self.known.tasks.get(self.task.task) if self.known else None

    @property
    def since(self) -> float:
        """The start time (the run's time if this run starts it), else the submission; seconds since the epoch."""
        if self.granted and not self.whole:
            started = self.before.started if self.before else None
            return self.at if started is None else started
        return self.known.submitted if self.known else self.at


def table_rows(
    outcome: Outcome, state: State, opened: Set[int] = frozenset(), figures: Figures = Figures.NEXT
) -> list[JobTableRow]:
    """Return the rows in scheduling order; `opened` are the numbers of opened arrays."""
    known = {job.id: job for job in state.jobs}
    rows: list[JobTableRow] = []
    for job in outcome.jobs:
        if tasks := shown_tasks(job):
            row = JobTableRow(
                job, known.get(job.id), tasks, outcome.at, figures=figures, impossible=job.id in outcome.impossible
            )
            rows.extend(_rows_of(row, is_open=job.id in opened))
    return rows


def _rows_of(row: JobTableRow, *, is_open: bool) -> Iterator[JobTableRow]:
    alike = _alike_before if row.figures is Figures.NOW else alike_after
    groups = [tuple(group) for _, group in groupby(row.tasks, key=alike)] if len(row.tasks) > 1 else [row.tasks]
    if len(groups) == 1:
        yield row
        return
    yield replace(row, whole=True)
    if is_open:
        yield from (replace(row, tasks=group, inside=True) for group in groups)


def _alike_before(task: TaskOutcome) -> object:
    return task.state_before if task.pending is not None else task.task
