"""The rows of the job table: a row for each job, and for an array whose tasks differ one that opens into several."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Final

from qmon_tui.model import Job, JobOutcome, Outcome, State, Task, TaskOutcome
from qmon_tui.report.live_jobs import shown_tasks
from qmon_tui.values import format_ranges

RowKey = tuple[int, int, bool]
"""Job, first task, and whether the row stands for all tasks of an array."""


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
    """The row of all tasks of an array, which differ."""
    inside: bool = False
    """The row is below such a row, which is open."""

    @property
    def key(self) -> RowKey:
        """The key of the row across refreshes."""
        return self.job.id, self.tasks[0].task, self.whole

    @property
    def task(self) -> TaskOutcome:
        """The first of its tasks."""
        return self.tasks[0]

    @property
    def asked(self) -> TaskOutcome:
        """The task that is explained: of several the first that waits, held ones and those in error last."""
        waiting = (task for task in self.tasks if not task.granted)
        return min(waiting, key=lambda task: not _HELD_BACK.isdisjoint(task.state), default=self.task)

    @property
    def is_array(self) -> bool:
        """The job is an array."""
        return self.known is not None and self.known.request.array is not None

    @cached_property
    def task_ids(self) -> str:
        """ja-task-ID: the numbers of the tasks, empty for a plain job."""
        if self.known is None or not self.is_array:
            return ""
        # A refused job has one task in place of all that it requested.
        return format_ranges(self.known.task_ids if self.job.rejected else (task.task for task in self.tasks))

    @cached_property
    def number(self) -> str:
        """The number of the job; below an open array with its tasks, by which alone the rows differ: `17.4-10`."""
        return f"{self.job.id}.{self.task_ids}" if self.inside and self.task_ids else str(self.job.id)

    @cached_property
    def state(self) -> str:
        """qstat's letters; with their numbers where the tasks differ: `3r 97qw`."""
        return " ".join(self.counted.values())

    @cached_property
    def counted(self) -> Mapping[str, str]:
        """qstat's letters -> as they are shown, with how many tasks are in that state where the tasks differ."""
        if not self.whole:
            return {self.task.state: self.task.state}
        return {state: f"{number}{state}" for state, number in Counter(task.state for task in self.tasks).items()}

    @property
    def reserved(self) -> TaskOutcome | None:
        """The first task for which slots are reserved, which it does not hold yet."""
        return next((task for task in self.tasks if task.reserved_from is not None), None)

    @property
    def states(self) -> Iterable[str]:
        """The letters of its tasks, each once."""
        return tuple(dict.fromkeys(task.state for task in self.tasks)) if self.whole else (self.task.state,)

    @property
    def granted(self) -> Mapping[str, int]:
        """Queue instance -> slots of the first task that has some."""
        return next((task.granted for task in self.tasks if task.granted), {})

    @property
    def instances(self) -> Iterable[str]:
        """The queue instances that its tasks hold."""
        return tuple(dict.fromkeys(name for task in self.tasks for name in task.granted))

    @cached_property
    def before(self) -> Task | None:
        """The first task in the state."""
        return self.known.tasks.get(self.task.task) if self.known else None

    @property
    def since(self) -> float:
        """submit/start at: when it was started, with the run's time for what this run starts, else submitted."""
        if self.granted and not self.whole:
            started = self.before.started if self.before else None
            return self.at if started is None else started
        return self.known.submitted if self.known else self.at


def table_rows(outcome: Outcome, state: State, opened: Set[int] = frozenset()) -> list[JobTableRow]:
    """Rows in scheduling order; `opened` are the arrays whose rows are shown one by one."""
    known = {job.id: job for job in state.jobs}
    rows: list[JobTableRow] = []
    for job in outcome.jobs:
        if tasks := shown_tasks(job):
            rows.extend(_rows_of(job, tasks, known.get(job.id), outcome.at, is_open=job.id in opened))
    return rows


def _rows_of(
    job: JobOutcome, tasks: tuple[TaskOutcome, ...], known: Job | None, at: int, *, is_open: bool
) -> Iterator[JobTableRow]:
    if len(tasks) == 1:
        yield JobTableRow(job, known, tasks, at)
        return
    groups = [tuple(group) for _, group in groupby(tasks, key=_alike)]
    if len(groups) == 1:
        yield JobTableRow(job, known, groups[0], at)
        return
    yield JobTableRow(job, known, tasks, at, whole=True)
    if is_open:
        yield from (JobTableRow(job, known, group, at, inside=True) for group in groups)


def _alike(task: TaskOutcome) -> object:
    return task.task if task.granted or task.reserved else task.state
