"""Suspend thresholds: tasks that the scheduler suspends or resumes.

In each queue instance in suspend alarm, up to nsuspend running tasks are suspended, beginning with the last started. In
each other instance, up to nsuspend suspended tasks whose master queue it is are resumed, beginning with the first
started. Of tasks started in the same second, the first in the scheduler's list of jobs is taken, and within a job the
task whose last such change is oldest. After a change, the task's master queue (even if another instance was in alarm)
sees no further change for suspend_interval.

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
"""The state letter of qmod -sj."""

Entry = tuple[RunJob, int]
"""(job, task number)."""


@dataclass(slots=True)
class ThresholdSuspensions:
    """The tasks that suspend thresholds suspend and resume in one run."""

    halted: list[Entry] = field(default_factory=list)
    resumed: list[Entry] = field(default_factory=list)


def apply_suspend_thresholds(
    resources: Resources,
    availability: Availability,
    jobs: Sequence[RunJob],
    changed: Mapping[str, float],
    now: int,
) -> ThresholdSuspensions:
    """Apply suspend thresholds. Suspended tasks count as suspended in this run; resumed ones run only from the next.

    `jobs` are in the order of the scheduler's list; `changed`: queue instance -> seconds since the epoch of its last
    change.
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
    """Return master queue -> the second in which thresholds last suspended or resumed one of its tasks.

    Such a change also changes the master queue, unlike a suspension or resumption by a command. A task suspended by
    thresholds has the letter T; for a resumed one, task and master queue must have changed in the same second.
    """
    last: dict[str, int] = {}
    for run_job in jobs:
        for number in (*run_job.split.running, *run_job.split.suspended):
            task = run_job.job.tasks[number]
            master = _master_queue(task)
            if task.changed is None or master is None or task.changed > (master_changed := changed.get(master, 0)):
                continue
            was_resumed = _SUSPENDED not in task.state and int(task.changed) == int(master_changed)
            if OVER_THRESHOLD in task.state or was_resumed:
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
