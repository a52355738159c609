"""qhold and qrls: the holds u, o and s of a job or of its tasks, set and removed by an operator."""

from collections.abc import Callable
from dataclasses import replace

from qmon_tui.model import Cluster, Job, State, Task, sorted_holds
from qmon_tui.qmaster.commands.command import Reply, Target
from qmon_tui.qmaster.commands.tasks import called, exists, left, letters, task_of, with_options, with_tasks
from qmon_tui.qmaster.scheduler_events import find_job, resent_with_tasks, sent_whole, with_job

Change = Callable[[str], str]
"""Holds before -> holds after."""


def hold(cluster: Cluster, state: State, target: Target, holds: str = "u") -> Reply:
    """Add holds like qhold, also to running tasks."""
    return _changed(cluster, state, target, lambda before: sorted_holds({*before, *holds}))


def release(cluster: Cluster, state: State, target: Target, holds: str = "u") -> Reply:
    """Remove holds like qrls; dependencies on other jobs stay."""
    return _changed(cluster, state, target, lambda before: sorted_holds(set(before) - set(holds)))


def _changed(cluster: Cluster, state: State, target: Target, change: Change) -> Reply:
    job = find_job(state, target.job)
    if job is None:
        return Reply(state, (f'denied: job "{target.job}" does not exist',))
    numbers = [*left(job)] if target.tasks is None else [n for n in target.tasks if exists(job, n)]
    # The qmaster reports holds of finished tasks as if they existed, and sends the job again.
    gone = [n for n in target.tasks or () if n in job.task_ids and not exists(job, n)]
    if not (numbers or gone):
        return Reply(state)
    job = sent_whole(cluster, state.jobs, job)
    state = with_job(state, job)
    touched = [number for number in numbers if change(job.own_holds(number)) != job.own_holds(number)]
    held_in_vain = gone if change("") else ()
    reported = [*touched] if target.tasks is None else [n for n in target.tasks if n in touched or n in held_in_vain]
    printed = tuple(f"modified hold of {called(job, number)}" for number in reported)
    if not touched:
        # The job is sent to the scheduler even without a message.
        return Reply(resent_with_tasks(state, job.id), printed)
    changed = {number: _held(job, number, change(job.own_holds(number))) for number in touched}
    whole = target.tasks is None or len(numbers) == sum(1 for _ in left(job))
    held = _whole(job, changed, change) if whole else with_tasks(job, changed)
    return Reply(resent_with_tasks(with_job(state, held), job.id), printed)


def _whole(job: Job, changed: dict[int, Task], change: Change) -> Job:
    """Return the job with a change for all its tasks, stored in its options if tasks have no entry of their own."""
    unlisted = [number for number in changed if number not in job.tasks]
    if unlisted:
        # qsub has no letter for a removed hold, so the option is removed.
        after = change(job.request.hold)
        job = with_options(job, f"-h {after}" if after else "-h n")
    return with_tasks(job, {number: task for number, task in changed.items() if number in job.tasks})


def _held(job: Job, number: int, holds: str) -> Task:
    task = task_of(job, number)
    waits = bool(job.request.hold_jid or job.request.hold_jid_ad) and "h" in task.state and not job.own_holds(number)
    state = letters(task.state, plus="h") if holds or waits else letters(task.state, minus="h")
    return replace(task, state=state, hold=holds)
