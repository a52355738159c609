"""Events for the scheduler: objects that the qmaster sends again move to the end of the scheduler's lists."""

import math
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from types import MappingProxyType
from typing import Final

from qmon_tui.model import Cluster, Job, State, Task, renewed
from qmon_tui.scheduler.jobs import dependencies_of, is_finished, leaves_category
from qmon_tui.scheduler.suspension import SUBORDINATED

_number: Callable[[Job], int] = attrgetter("id")
_PARTS: Final = 10**6
"""A second is divided into this many parts; the fraction of `changed` orders changes within a second."""


def latest_moment(items: Iterable[Job | Task], now: int) -> float:
    """Return a time (seconds since the epoch) after all changes up to now."""
    latest = max(
        (item.changed for item in items if item.changed is not None and item.changed >= now), default=float(now)
    )
    return next_moment(latest)


def next_moment(moment: float) -> float:
    """Return the next part of a second, exactly as it is read back from a file."""
    return (round(moment * _PARTS) + 1) / _PARTS


def moments(first: float) -> Iterator[float]:
    """Yield successive times without end."""
    while True:
        yield first
        first = next_moment(first)


def resent(state: State, *numbers: int, is_whole: bool = True) -> State:
    """Return the state after the qmaster has sent jobs to the scheduler again, so that they come last in its list.

    With `is_whole` the scheduler finds their category again.
    """
    when = dict(zip(numbers, moments(latest_moment(state.jobs, state.now)), strict=False))
    jobs = tuple(
        replace(job, changed=when[job.id], category_ar=None if is_whole else job.category_ar) if job.id in when else job
        for job in state.jobs
    )
    return replace(state, jobs=jobs)


def resent_with_tasks(state: State, number: int) -> State:
    """Return the state after the qmaster has sent a job again with all its running tasks, in their order.

    This matters only if some of them are suspended with their queue instance.
    """
    state = resent(state, number)
    job = find_job(state, number)
    if job is None or not any(SUBORDINATED in task.state or task.seen_suspended for task in job.tasks.values()):
        return state
    running = sorted((task.changed or 0, task_number) for task_number, task in job.tasks.items() if task.granted)
    tasks = dict(job.tasks)
    for (_, task_number), moment in zip(running, moments(_after_starts_and_changes(state)), strict=False):
        tasks[task_number] = replace(resent_task(tasks[task_number]), changed=moment)
    return with_job(state, replace(job, tasks=MappingProxyType(tasks)))


def sent_whole(cluster: Cluster, others: Iterable[Job], job: Job) -> Job:
    """Return a job that is sent with all its tasks: the only one of its category gets a new, empty category."""
    if job.reservation_rejected and leaves_category(cluster, others, job, job, is_sent=True):
        return renewed(job, reservation_rejected=False)
    return job


def with_released_jobs(cluster: Cluster, before: State, after: State) -> State:
    """Return the state after jobs or tasks have ended or were removed: their successors are sent to the scheduler.

    Successors are sent again when the ended job is removed.
    """
    waiting = [job for job in after.jobs if job.request.hold_jid or job.request.hold_jid_ad]
    if not waiting:
        return after
    earlier, later = dependencies_of(before), dependencies_of(after)
    left = {job.id: job for job in after.jobs}
    over = [job for job in before.jobs if _has_left(job, left.get(job.id))]
    numbers = [job.id for predecessor in over for job in waiting if earlier.names(job, predecessor)]
    numbers += [job.id for job in waiting if earlier.held_tasks(job) != later.held_tasks(job)]
    for number in set(numbers):
        sent = sent_whole(cluster, after.jobs, left[number])
        after = after if sent is left[number] else with_job(after, sent)
    # A job sent several times takes the position of its last event.
    return resent(after, *reversed(dict.fromkeys(reversed(numbers))))


def _has_left(before: Job, after: Job | None) -> bool:
    """True if a job was removed, or its last task has ended."""
    if after is None:
        return True
    return after is not before and is_finished(after) and not is_finished(before)


def resent_task(task: Task) -> Task:
    """Return a task whose present suspension the scheduler knows."""
    is_suspended = SUBORDINATED in task.state
    return task if task.seen_suspended is is_suspended else replace(task, seen_suspended=is_suspended)


def with_changed_instances(state: State, names: Iterable[str], suspended: frozenset[str] = frozenset()) -> State:
    """Return the state after changes of queue instances, which move to the end of their lists one after the other.

    `suspended`: those suspended by subordination, as the scheduler learns from it. Starts and reservations of a second
    count as its last events: a later change is dated in the next second.
    """
    names = tuple(dict.fromkeys(names))
    if not names:
        return state
    changed = copied_changes(state.changed)
    for name, moment in zip(names, moments(_after_starts_and_changes(state)), strict=False):
        changed.pop(name, None)
        changed[name] = moment
    seen = state.seen_suspended.difference(names) | suspended.intersection(names)
    return renewed(state, changed=MappingProxyType(changed), seen_suspended=seen)


def copied_changes(changed: Mapping[str, float]) -> dict[str, float]:
    """Return a copy; copying a read-only view as a whole is much faster than entry by entry."""
    return changed.copy() if isinstance(changed, MappingProxyType) else dict(changed)


def _after_starts_and_changes(state: State) -> float:
    """Return a time after all starts and all changes of running tasks."""
    tasks = [task for job in state.jobs if job.tasks for task in job.tasks.values()]
    starts = [task.started for task in tasks if task.started is not None]
    starts += [reservation.granted_at for reservation in state.reservations]
    is_after_a_start = max(starts, default=-math.inf) >= state.now
    changes = [task.changed for task in tasks if task.changed is not None]
    return next_moment(max([float(state.now + is_after_a_start), *state.changed.values(), *changes]))


def with_job(state: State, job: Job) -> State:
    """Return the state with the job of this number replaced."""
    jobs = state.jobs
    place = place_of(jobs, job.id)
    if place is not None:
        changed = list(jobs)
        changed[place] = job
        return renewed(state, jobs=tuple(changed))
    return replace(state, jobs=tuple([job if other.id == job.id else other for other in jobs]))


def find_job(state: State, number: int) -> Job | None:
    """Return a job by its number; None if there is none."""
    place = place_of(state.jobs, number)
    if place is not None:
        return state.jobs[place]
    return next((job for job in state.jobs if job.id == number), None)


def place_of(jobs: Sequence[Job], number: int) -> int | None:
    """Return the index of a job, assuming that jobs are sorted by number; None if not found like this."""
    place = bisect_left(jobs, number, key=_number)
    return place if place < len(jobs) and jobs[place].id == number else None
