"""Cleaning up: an execution daemon reports that nothing is left of a rescheduled task's earlier run."""

from dataclasses import replace
from types import MappingProxyType

from qmon_tui.model import State
from qmon_tui.qmaster.commands.command import Reply, Target
from qmon_tui.qmaster.commands.tasks import called, with_tasks
from qmon_tui.qmaster.scheduler_events import find_job, with_job


def clean_up(state: State, target: Target) -> Reply:
    """Allow the tasks to start again on the hosts where they ran before.

    No command does this: simulated hosts never report it, so that 8.1.9 excludes them until the qmaster restarts.
    """
    job = find_job(state, target.job)
    if job is None:
        return Reply(state, (f'denied: job "{target.job}" does not exist',))
    numbers = target.tasks if target.tasks is not None else tuple(job.tasks)
    waiting = {
        number: job.tasks[number] for number in numbers if number in job.tasks and job.tasks[number].unclean_hosts
    }
    if not waiting:
        return Reply(state, (f"No earlier run of job {job.id} is left to be cleaned up.",))
    cleaned = {
        number: replace(task, unclean=(), granted=MappingProxyType({}) if "q" in task.state else task.granted)
        for number, task in waiting.items()
    }
    printed = tuple(
        f"cleaned up after {called(job, number)} on {', '.join(task.unclean_hosts)}" for number, task in waiting.items()
    )
    return Reply(with_job(state, with_tasks(job, cleaned)), printed)
