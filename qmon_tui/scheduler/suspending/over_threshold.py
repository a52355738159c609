"""What is done about suspend thresholds: tasks that the scheduler halts or lets go on (dispatch.md section 6.2).

In each queue instance in suspend alarm up to nsuspend running tasks are halted, those started last first; in the others
up to nsuspend halted ones go on, those started first first, if it is their master queue. Once within suspend_interval
something was done in a queue instance, nothing is done again; no state tells when that was, so that it is taken to be
long ago.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from qmon_tui.scheduler.available import Availability
from qmon_tui.scheduler.compiled.queues import Instance
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.resources import Resources
from qmon_tui.scheduler.suspending.letters import OVER_THRESHOLD

Entry = tuple[RunJob, int]
"""A job and one of its tasks."""


@dataclass(slots=True)
class Relief:
    """The tasks that were halted, and those that go on."""

    halted: list[Entry] = field(default_factory=list)
    resumed: list[Entry] = field(default_factory=list)


def relieve(resources: Resources, availability: Availability, jobs: Sequence[RunJob]) -> Relief:
    """Do what suspend thresholds ask for; halted tasks count as suspended from now on, what goes on does so later."""
    relief = Relief()
    for number in availability.calm:
        relief.resumed += _to_resume(resources.instances[number], jobs)
    for number in availability.suspend_alarms:
        for run_job, task in _to_halt(resources.instances[number], jobs):
            run_job.split.halt(task)
            relief.halted.append((run_job, task))
    return relief


def _to_halt(instance: Instance, jobs: Sequence[RunJob]) -> list[Entry]:
    there = [
        (run_job, task)
        for run_job in jobs
        for task in run_job.split.running
        if instance.name in run_job.job.tasks[task].granted
    ]
    return sorted(there, key=_started, reverse=True)[: instance.profile.nsuspend]


def _to_resume(instance: Instance, jobs: Sequence[RunJob]) -> list[Entry]:
    there = [
        (run_job, task)
        for run_job in jobs
        for task in run_job.split.suspended
        if OVER_THRESHOLD in run_job.job.tasks[task].state
        and next(iter(run_job.job.tasks[task].granted), None) == instance.name
    ]
    return sorted(there, key=_started)[: instance.profile.nsuspend]


def _started(entry: Entry) -> int:
    return int(entry[0].job.tasks[entry[1]].started or 0)
