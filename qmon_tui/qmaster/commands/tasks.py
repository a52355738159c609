"""Tasks of a job as commands see them: their letters, their holds, what is left of them."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from qmon_tui.formats import altered, parse_qsub
from qmon_tui.model import FINISHED, GONE, Job, Task, renewed
from qmon_tui.scheduler.jobs import has_just_finished, is_enrolled

_ORDER: Final = "dESThRqrstwxz"
"""In which qstat prints the letters of a task (lifecycle.md#letters-of-tasks)."""


@lru_cache(maxsize=1024)
def letters(state: str, *, plus: str = "", minus: str = "") -> str:
    """A task's state with letters added and taken away, in qstat's order."""
    wanted = (set(state) - set(minus)) | set(plus)
    return "".join(letter for letter in _ORDER if letter in wanted)


def task_of(job: Job, number: int) -> Task:
    """A task, also where nothing special is known of it."""
    known = job.tasks.get(number)
    return known if known is not None else Task("hqw" if job.request.hold else "qw")


def exists(job: Job, number: int) -> bool:
    """True if a job has a task that is not finished."""
    return number in job.task_ids and not (number in job.tasks and _is_over(job.tasks[number]))


def enrolled(job: Job) -> list[int]:
    """The tasks that have been started, rescheduled or put into error state, ascending."""
    return sorted(number for number, task in job.tasks.items() if is_enrolled(task.state) and not _is_over(task))


def left(job: Job) -> Iterator[int]:
    """The tasks that are not finished: first those that never began, as the qmaster goes through them."""
    begun = set(enrolled(job))
    yield from (number for number in job.task_ids if number not in begun and exists(job, number))
    yield from sorted(begun)


def ended(task: Task) -> Task:
    """The task from its end until the next run has booked what it used."""
    return Task(FINISHED, started=task.started, used=task.used)


def _is_over(task: Task) -> bool:
    return task.state == GONE or has_just_finished(task.state)


def resumed(task: Task, letter: str) -> Task:
    """The task without one of the letters for which it stands still; it runs where none is left."""
    state = letters(task.state, minus=letter)
    return replace(task, state=state if set(state) & set("sSTtq") else letters(state, plus="r"))


def with_tasks(job: Job, changed: Mapping[int, Task]) -> Job:
    """The job with some tasks changed; those of which nothing special is left to say are not kept."""
    tasks = {**job.tasks, **changed}
    plain = {number for number in changed if _is_plain(job, tasks[number])}
    kept = {number: task for number, task in sorted(tasks.items()) if number not in plain}
    return renewed(job, tasks=MappingProxyType(kept))


def with_options(job: Job, options: str) -> Job:
    """The job as qalter leaves it with these options, which replace what they speak of."""
    line = altered(job.qsub, options)
    parsed = parse_qsub(line, now=job.submitted)
    name = job.name if parsed.name == parse_qsub(job.qsub).name else parsed.name
    return replace(job, qsub=line, request=parsed.request, name=name)


def called(job: Job, number: int) -> str:
    """How the qmaster calls a task in what it says."""
    return f"job {job.id}" if job.request.array is None else f"job-array task {job.id}.{number}"


def _is_plain(job: Job, task: Task) -> bool:
    if (
        task.granted
        or task.used
        or task.unclean
        or task.started is not None
        or is_enrolled(task.state)
        or task.state == GONE
    ):
        return False
    held = "h" in task.state
    return held == bool(job.request.hold) and (not held or task.hold in ("", job.request.hold))
