"""What is done about suspend thresholds: tasks that the scheduler halts or lets go on.

In each queue instance in suspend alarm up to nsuspend running tasks are halted, those started last first; in the others
up to nsuspend halted ones go on, those started first first, if it is their master queue. Among tasks of one second the
first in the scheduler's list of jobs is taken, and within a job the one that was longest not halted, nor let go on.

Once something was halted or let go on, nothing is done for suspend_interval in its master queue, whichever queue
instance was in alarm.

Source: suspension.md#suspend-thresholds.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from qmon_tui.model import Task
from qmon_tui.scheduler.configuration import QueueInstance
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.matching import Resources
from qmon_tui.scheduler.suspension.availability import Availability
from qmon_tui.scheduler.suspension.state_letters import OVER_THRESHOLD

_SUSPENDED: Final = "s"
"""The letter of qmod -sj."""

Entry = tuple[RunJob, int]
"""A job and one of its tasks."""


@dataclass(slots=True)
class ThresholdSuspensions:
    """The tasks that were halted, and those that go on."""

    halted: list[Entry] = field(default_factory=list)
    resumed: list[Entry] = field(default_factory=list)


def apply_suspend_thresholds(
    resources: Resources,
    availability: Availability,
    jobs: Sequence[RunJob],
    changed: Mapping[str, float],
    now: int,
) -> ThresholdSuspensions:
    """Do what suspend thresholds ask for; halted tasks count as suspended from now on, what goes on does so later.

    `jobs` are those of the scheduler's list, in its order; `changed` says when queue instances changed last.
    """
    threshold_suspensions = ThresholdSuspensions()
    if not (availability.below_suspend_thresholds or availability.suspend_alarms):
        return threshold_suspensions
    last = _last_threshold_changes(jobs, changed)

    def due(numbers: Iterable[int]) -> Iterator[QueueInstance]:
        for instance in (resources.instances[number] for number in numbers):
            if instance.name not in last or last[instance.name] + instance.profile.suspend_interval <= now:
                yield instance

    for instance in due(availability.below_suspend_thresholds):
        threshold_suspensions.resumed += _to_resume(instance, jobs)
    for instance in due(availability.suspend_alarms):
        for run_job, task in _to_halt(instance, jobs):
            run_job.split = run_job.split.with_halted(task)
            threshold_suspensions.halted.append((run_job, task))
    return threshold_suspensions


def _last_threshold_changes(jobs: Iterable[RunJob], changed: Mapping[str, float]) -> dict[str, int]:
    """Master queue -> the second in which thresholds last halted something of it or let it go on.

    With such a task its master queue changes, which it does not with one that a command suspends or resumes. What a
    command has suspended has another letter; what goes on has none, so that the second of both changes must tell.
    """
    last: dict[str, int] = {}
    for run_job in jobs:
        for number in (*run_job.split.running, *run_job.split.suspended):
            task = run_job.job.tasks[number]
            master = _master_queue(task)
            if task.changed is None or master is None or task.changed > (moved := changed.get(master, 0)):
                continue
            went_on = _SUSPENDED not in task.state and int(task.changed) == int(moved)
            if OVER_THRESHOLD in task.state or went_on:
                last[master] = max(last.get(master, 0), int(task.changed))
    return last


def _to_halt(instance: QueueInstance, jobs: Sequence[RunJob]) -> list[Entry]:
    running = [
        (run_job, task)
        for run_job in jobs
        for task in _in_list_order(run_job, run_job.split.running)
        if instance.name in run_job.job.tasks[task].granted
    ]
    return sorted(running, key=_started, reverse=True)[: instance.profile.nsuspend]


def _to_resume(instance: QueueInstance, jobs: Sequence[RunJob]) -> list[Entry]:
    suspended = [
        (run_job, task)
        for run_job in jobs
        for task in _in_list_order(run_job, run_job.split.suspended)
        if OVER_THRESHOLD in run_job.job.tasks[task].state and _master_queue(run_job.job.tasks[task]) == instance.name
    ]
    return sorted(suspended, key=_started)[: instance.profile.nsuspend]


def _in_list_order(run_job: RunJob, numbers: Sequence[int]) -> Sequence[int]:
    tasks = run_job.job.tasks
    return sorted(numbers, key=lambda number: tasks[number].changed or 0) if len(numbers) > 1 else numbers


def _master_queue(task: Task) -> str | None:
    return next(iter(task.granted), None)


def _started(entry: Entry) -> int:
    return int(entry[0].job.tasks[entry[1]].started or 0)
