"""Tasks of a job as commands see them: states, holds, unfinished tasks."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from qmon_tui.formats import altered, parse_qsub
from qmon_tui.model import FINISHED, GONE, Job, Task, renewed
from qmon_tui.scheduler.jobs import has_just_finished, is_enrolled

_ORDER: Final = "dESThRqrstwxz"
"""The order in which qstat prints the states of a task (lifecycle.md#letters-of-tasks)."""


@lru_cache(maxsize=1024)
def letters(state: str, *, plus: str = "", minus: str = "") -> str:
    """Return a task's state with letters added and removed, in qstat's order."""
    wanted = (set(state) - set(minus)) | set(plus)
    return "".join(letter for letter in _ORDER if letter in wanted)


def task_of(job: Job, number: int) -> Task:
    """Return a task, even if it has no entry of its own."""
    known = job.tasks.get(number)
    return known if known is not None else Task("hqw" if job.request.hold else "qw")


def exists(job: Job, number: int) -> bool:
    """True if a job has a task with this number that is not finished."""
    return number in job.task_ids and not (number in job.tasks and _is_over(job.tasks[number]))


def enrolled(job: Job) -> list[int]:
    """Return the tasks that are enrolled and not over, ascending."""
    return sorted(number for number, task in job.tasks.items() if is_enrolled(task) and not _is_over(task))


def left(job: Job) -> Iterator[int]:
    """Yield the unfinished tasks in the qmaster's order: first those that never began."""
    begun = set(enrolled(job))
    yield from (number for number in job.task_ids if number not in begun and exists(job, number))
    yield from sorted(begun)


def ended(task: Task) -> Task:
    """Return the task as it is from its end until the next run has accounted for its usage."""
    return Task(FINISHED, started=task.started, used=task.used)


def _is_over(task: Task) -> bool:
    return task.state == GONE or has_just_finished(task.state)


def resumed(task: Task, letter: str) -> Task:
    """Return the task without one letter of suspension; it runs if none is left."""
    state = letters(task.state, minus=letter)
    return replace(task, state=state if set(state) & set("sSTtq") else letters(state, plus="r"))


def with_tasks(job: Job, changed: Mapping[int, Task]) -> Job:
    """Return the job with some tasks changed; entries without special values are removed."""
    tasks = {**job.tasks, **changed}
    plain = {number for number in changed if _is_plain(job, tasks[number])}
    kept = {number: task for number, task in sorted(tasks.items()) if number not in plain}
    return renewed(job, tasks=MappingProxyType(kept))


def with_options(job: Job, options: str) -> Job:
    """Return the job after qalter with these options."""
    line = altered(job.qsub, options)
    parsed = parse_qsub(line, now=job.submitted)
    name = job.name if parsed.name == parse_qsub(job.qsub).name else parsed.name
    return replace(job, qsub=line, request=parsed.request, name=name)


def called(job: Job, number: int) -> str:
    """Return the qmaster's name for a task in messages."""
    return f"job {job.id}" if job.request.array is None else f"job-array task {job.id}.{number}"


def _is_plain(job: Job, task: Task) -> bool:
    if task.granted or task.used or task.unclean or task.started is not None or is_enrolled(task) or task.state == GONE:
        return False
    held = "h" in task.state
    return held == bool(job.request.hold) and (not held or task.hold in ("", job.request.hold))
