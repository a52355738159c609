"""Sorting of a job's tasks into the scheduler's lists (dispatch.md#splitting-the-jobs).

States are qstat's. A task is *enrolled* (has an entry of its own in the qmaster) once it was started, rescheduled or
put into error state, or its start failed; a *plain* task is only a number in the job's range.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from functools import lru_cache

from qmon_tui.model import FINISHED, GONE, Job, Task

_EXITING = "x"
"""The state of a task that has ended, but whose host has not confirmed it yet."""


class TaskList(Enum):
    """The scheduler's lists of tasks."""

    PENDING = auto()
    RUNNING = auto()
    SUSPENDED = auto()
    FINISHED = auto()
    ERROR = auto()
    HOLD = auto()
    WAITING_FOR_TIME = auto()
    WAITING_FOR_JOBS = auto()
    OVER_TASK_LIMIT = auto()

    # Each member is a single object, so its identity is its hash.
    __hash__ = object.__hash__


_OF_ITSELF = frozenset((TaskList.RUNNING, TaskList.SUSPENDED, TaskList.FINISHED))
"""Lists in which a task remains in spite of holds, start time or predecessors."""


@dataclass(slots=True)
class Split:
    """The task numbers of one job by list; jobs share a split, so it must not be changed."""

    enrolled: tuple[int, ...] = ()
    """Enrolled tasks that are pending again; they are tried before the plain ones."""
    pending: Sequence[int] = ()
    """Plain tasks that may start, ascending."""
    running: tuple[int, ...] = ()
    suspended: tuple[int, ...] = ()
    halted: tuple[int, ...] = ()
    """Tasks in `suspended` that suspend thresholds have suspended in this run."""
    finished: int = 0
    """The number of finished tasks."""
    others: dict[TaskList, Sequence[int]] = field(default_factory=dict)
    """Tasks that take no part, by list."""

    @property
    def takes_part(self) -> bool:
        """True if a task is pending or running, or this run has suspended it."""
        return bool(self.enrolled or self.pending or self.running or self.halted)

    @property
    def booked_running(self) -> tuple[int, ...]:
        """The tasks that ran before this run, including those that it has suspended."""
        return tuple(sorted((*self.running, *self.halted))) if self.halted else self.running

    @property
    def booked_suspended(self) -> tuple[int, ...]:
        """The tasks that were suspended before this run."""
        return tuple(number for number in self.suspended if number not in self.halted)

    def with_halted(self, task: int) -> "Split":
        """Return a copy in which this run has suspended the running task."""
        return replace(
            self,
            running=tuple(number for number in self.running if number != task),
            suspended=(*self.suspended, task),
            halted=(*self.halted, task),
        )


@lru_cache(maxsize=1024)
def task_list_of(state: str) -> TaskList:
    """Return the list of a task by its state alone, apart from start time and predecessors.

    A task suspended by subordination or with its queue instance (S) counts as running until the scheduler gets the
    event.
    """
    if state == GONE or has_just_finished(state):
        return TaskList.FINISHED
    if "E" in state:
        return TaskList.ERROR
    if "s" in state or "T" in state:
        return TaskList.SUSPENDED
    if any(letter in state for letter in "rtS"):
        return TaskList.RUNNING
    return TaskList.HOLD if "h" in state else TaskList.PENDING


def has_just_finished(state: str) -> bool:
    """True if a task in this state has finished since the last run."""
    return FINISHED in state or _EXITING in state


def is_enrolled(task: Task) -> bool:
    """True if a task has an entry of its own in the qmaster."""
    return (task.start_failed and task.state != GONE) or _is_enrolled_in(task.state)


@lru_cache(maxsize=1024)
def _is_enrolled_in(state: str) -> bool:
    return state != GONE and (task_list_of(state) not in (TaskList.PENDING, TaskList.HOLD) or "R" in state)


def split_job(
    job: Job,
    predecessors: bool,
    array_holds: frozenset[int],
    now: int,
    max_aj_instances: int,
    known_suspended: frozenset[int] = frozenset(),
) -> Split:
    """Return one job's tasks by list.

    `predecessors`: True if a job in -hold_jid is unfinished; `array_holds`: tasks that -hold_jid_ad holds;
    `now`: seconds since the epoch; `max_aj_instances`: 0 for no limit; `known_suspended`: tasks that the scheduler
    knows to be suspended with their queue instances.
    """
    if not (job.tasks or array_holds or predecessors or job.request.hold or job.request.start_time):
        return _all_of(job, max_aj_instances)
    if len(job.tasks) == len(job.task_ids) == 1:
        number = job.task_ids[0]
        task = job.tasks.get(number)
        task_list = None if task is None else _place_as_known(task, number in known_suspended)
        if task_list in _OF_ITSELF:
            return _only_task(number, task_list)
    split = Split()
    later = job.request.start_time is not None and job.request.start_time > now
    split.finished = sum(task_list_of(task.state) is TaskList.FINISHED for task in job.tasks.values())
    enrolled = {number: task for number, task in job.tasks.items() if is_enrolled(task)}
    _place_enrolled(split, enrolled, predecessors, later, known_suspended)

    held, free = _plain_tasks(job, enrolled, array_holds, predecessors)
    if held:
        split.others[TaskList.HOLD] = (*split.others.get(TaskList.HOLD, ()), *held)
    if not free:
        return split
    if predecessors:
        split.others[TaskList.WAITING_FOR_JOBS] = (*split.others.get(TaskList.WAITING_FOR_JOBS, ()), *free)
    elif later:
        split.others[TaskList.WAITING_FOR_TIME] = (*split.others.get(TaskList.WAITING_FOR_TIME, ()), *free)
    else:
        allowed = max(0, _limit(job.request.max_running_tasks, max_aj_instances) - len(enrolled))
        split.pending = _first(free, allowed, job.task_ids.step)
        if len(split.pending) < len(free):
            split.others[TaskList.OVER_TASK_LIMIT] = _without(free, split.pending)
    return split


def untouched(job: Job, max_aj_instances: int) -> Split | None:
    """Return the split of a job without enrolled tasks; None if holds, start time or predecessors may matter."""
    request = job.request
    if request.hold or request.start_time or request.hold_jid or request.hold_jid_ad:
        return None
    return _all_of(job, max_aj_instances)


def _all_of(job: Job, max_aj_instances: int) -> Split:
    return _untouched(job.task_ids, max(0, _limit(job.request.max_running_tasks, max_aj_instances)))


@lru_cache(maxsize=4096)
def _untouched(numbers: range, allowed: int) -> Split:
    pending = numbers[:allowed]
    return Split(
        pending=pending, others={TaskList.OVER_TASK_LIMIT: numbers[allowed:]} if allowed < len(numbers) else {}
    )


@lru_cache(maxsize=64)
def _only_task(number: int, task_list: TaskList) -> Split:
    """Return the split of a job with a single, enrolled task."""
    if task_list is TaskList.FINISHED:
        return Split(finished=1)
    return Split(running=(number,)) if task_list is TaskList.RUNNING else Split(suspended=(number,))


def _place_enrolled(
    split: Split, enrolled: Mapping[int, Task], predecessors: bool, later: bool, known_suspended: frozenset[int]
) -> None:
    if not enrolled:
        return
    by_list: dict[TaskList, list[int]] = {}
    for number, task in sorted(enrolled.items()):
        task_list = _place_as_known(task, number in known_suspended)
        if task_list in (TaskList.PENDING, TaskList.HOLD):
            if later:
                task_list = TaskList.WAITING_FOR_TIME
            elif predecessors:
                task_list = TaskList.WAITING_FOR_JOBS
        by_list.setdefault(task_list, []).append(number)
    split.enrolled = tuple(by_list.pop(TaskList.PENDING, ()))
    split.running = tuple(by_list.pop(TaskList.RUNNING, ()))
    split.suspended = tuple(by_list.pop(TaskList.SUSPENDED, ()))
    by_list.pop(TaskList.FINISHED, None)
    split.others.update(by_list)


def _place_as_known(task: Task, is_known_suspended: bool) -> TaskList:
    """Return an enrolled task's list; `is_known_suspended`: the scheduler knows that its queue suspends it."""
    task_list = task_list_of(task.state)
    return TaskList.SUSPENDED if task_list is TaskList.RUNNING and is_known_suspended else task_list


def _plain_tasks(
    job: Job, enrolled: Mapping[int, Task], array_holds: frozenset[int], predecessors: bool
) -> tuple[Sequence[int], Sequence[int]]:
    """Return the plain tasks that are held, and those that are not, ascending.

    qstat also shows h for a job with unfinished predecessors; then only explicit holds (-h, qhold) count as holds.
    """
    everything = job.task_ids
    if not job.tasks and not array_holds:
        return (everything, ()) if job.request.hold else ((), everything)
    held: list[int] = []
    free: list[int] = []
    for number in everything:
        if number in enrolled:
            continue
        task = job.tasks.get(number)
        if task is not None and task.state == GONE:
            continue
        is_held = bool(job.request.hold)
        if task is not None:
            is_held = "h" in task.state and (is_held or bool(task.hold) or not predecessors)
        (held if is_held or number in array_holds else free).append(number)
    return held, free


def _limit(task_concurrency: int, max_aj_instances: int) -> int:
    """Return the limit of enrolled tasks: -tc if it is smaller than max_aj_instances, else max_aj_instances."""
    if task_concurrency > 0 and (task_concurrency < max_aj_instances or max_aj_instances == 0):
        return task_concurrency
    return max_aj_instances


def _first(numbers: Sequence[int], count: int, step: int) -> Sequence[int]:
    """Return the first `count` tasks; if a gap follows there, 8.1.9 also takes the numbers after the gap."""
    if count >= len(numbers):
        return numbers
    if count == 0:
        return ()
    for position in range(count - 1, len(numbers) - 1):
        if numbers[position + 1] != numbers[position] + step:
            return (*numbers[:count], *numbers[position + 1 :])
    return numbers[:count]


def _without(numbers: Iterable[int], taken: Sequence[int]) -> tuple[int, ...]:
    chosen = set(taken)
    return tuple(number for number in numbers if number not in chosen)
