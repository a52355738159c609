"""Events of single tasks: arrival, end, rescheduling, usage reports."""

from dataclasses import replace
from types import MappingProxyType
from typing import Final

from qmon_tui.model import Amounts, Cluster, Job, State, Task, renewed, rescheduling_of
from qmon_tui.qmaster.commands import JobCommand, Target, clean_up, modify
from qmon_tui.qmaster.commands.subordinate_suspension import suspended_after_end, with_suspensions
from qmon_tui.qmaster.commands.tasks import ended, letters, with_tasks
from qmon_tui.qmaster.scheduler_events import find_job, with_changed_instances, with_job, with_released_jobs
from qmon_tui.qmaster.task_end import changed_by_end
from qmon_tui.qmaster.transition.events import (
    EarlierRunCleanedUp,
    Measured,
    StartFailed,
    StartFault,
    TaskArrived,
    TaskEnded,
    TaskSentBack,
    UsageReported,
)
from qmon_tui.qmaster.transition.instance_events import with_letter

ASKS_FOR_MORE = _RESCHEDULE, _ERROR = 99, 100
"""Exit statuses by which a task requests rescheduling or error state."""
_DELETED: Final = "d"


def task_arrived(_: Cluster, state: State, event: TaskArrived) -> State:
    """Mark a task as running, unless it was suspended before it arrived."""
    placed = _placed(state, event.job, event.task)
    if placed is None or "t" not in placed[1].state:
        return state
    job, task = placed
    shown = letters(task.state, minus="t")
    if not set(shown) & set("sST"):
        shown = letters(shown, plus="r")
    return with_job(state, _with_task(job, event.task, renewed(task, state=shown)))


def task_ended(cluster: Cluster, state: State, event: TaskEnded) -> State:
    """Release the task's resources, resume what it suspended, and send its successors to the scheduler again."""
    placed = _placed(state, event.job, event.task)
    if placed is None:
        return state
    job, task = placed
    used = summed(task.used, event.used)
    rules = rescheduling_of(cluster)
    if _DELETED not in task.state:
        if event.exit_status == _RESCHEDULE and not rules.forbids_exit_99:
            known = replace(task, used=used)
            state = task_sent_back(cluster, with_job(state, _with_task(job, event.task, known)), event)
            # Its host has just reported that it is cleaned up.
            return _with_unclean(state, event.job, event.task, task.unclean)
        if event.exit_status == _ERROR and not rules.forbids_exit_100:
            failed = Task(_waiting(task, "Eqw"), used=used, hold=task.hold, unclean=task.unclean)
            return _without_place(cluster, state, job, event.task, failed)
    return _without_place(cluster, state, job, event.task, ended(replace(task, used=used)))


def start_failed(cluster: Cluster, state: State, event: StartFailed) -> State:
    """Set the task pending again, or in error state; release its resources."""
    placed = _placed(state, event.job, event.task)
    if placed is None:
        return state
    job, task = placed
    shown = _waiting(task, "Eqw" if event.fault is StartFault.JOB else "qw")
    waiting = Task(shown, used=task.used, hold=task.hold, unclean=task.unclean, start_failed=True)
    after = _without_place(cluster, state, job, event.task, waiting)
    return with_letter(cluster, after, list(task.granted)[:1], "E") if event.fault is StartFault.QUEUE else after


def task_sent_back(cluster: Cluster, state: State, event: TaskSentBack | TaskEnded) -> State:
    """Reschedule the task as a forced qmod -rj does, unless a parameter forbids it."""
    return modify(cluster, state, JobCommand.FORCE_RESCHEDULE, Target(event.job, (event.task,))).state


def earlier_run_cleaned_up(_: Cluster, state: State, event: EarlierRunCleanedUp) -> State:
    """Allow the task to start again on the hosts of its earlier run."""
    return clean_up(state, Target(event.job, (event.task,))).state


def usage_reported(_: Cluster, state: State, event: UsageReported) -> State:
    """Record the usage; the next run books it."""
    placed = _placed(state, event.job, event.task)
    if placed is None:
        return state
    job, task = placed
    return with_job(state, _with_task(job, event.task, replace(task, used=summed(task.used, event.used))))


def _placed(state: State, number: int, task_number: int) -> tuple[Job, Task] | None:
    """Return a job and one of its started tasks; None if it is not started."""
    job = find_job(state, number)
    task = job.tasks.get(task_number) if job is not None else None
    return (job, task) if job and task is not None and task.granted and "q" not in task.state else None


def _with_task(job: Job, number: int, task: Task) -> Job:
    return renewed(job, tasks=MappingProxyType({**job.tasks, number: task}))


def _with_unclean(state: State, number: int, task_number: int, hosts: tuple[str, ...]) -> State:
    job = find_job(state, number)
    if job is None or task_number not in job.tasks:
        return state
    return with_job(state, _with_task(job, task_number, replace(job.tasks[task_number], unclean=hosts)))


def _waiting(task: Task, state: str) -> str:
    """Return the states of a task that is pending again, with its holds and an earlier R."""
    was_sent_back = "R" in task.state
    return letters(state, plus="h" * ("h" in task.state) + "R" * was_sent_back, minus="w" * was_sent_back)


def _without_place(cluster: Cluster, state: State, job: Job, number: int, after: Task) -> State:
    """Return the state after a task has left its queue instances and become `after`."""
    still = suspended_after_end(cluster, state, job, {number: after})
    left = with_job(state, with_tasks(job, {number: after}))
    left = with_changed_instances(left, changed_by_end(cluster, state, job.id, [number]), still)
    return with_suspensions(cluster, state, with_released_jobs(cluster, state, left))


def summed(known: Amounts | None, more: Measured) -> Amounts | None:
    """Return the sum of known and additional usage."""
    if not more:
        return known
    total = dict(known or {})
    for kind, amount in more:
        total[kind] = total.get(kind, 0.0) + amount
    return MappingProxyType(total)
