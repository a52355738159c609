"""The order of the scheduler's lists of jobs, queue instances and hosts: by latest change.

A new job is appended. A job moves to the end when one of its tasks starts, when qalter, qhold or qrls changes it, when
a predecessor (-hold_jid) ends, and when that predecessor is removed after the next run. The order decides between equal
jobs when tickets are handed out, and the order of messages.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from qmon_tui.model import HOST, State
from qmon_tui.scheduler.configuration import SchedConf
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.matching import Resources
from qmon_tui.scheduler.priority import TicketlessPriority

_COMMAND, _START = 0, 1
_PRIOR = "prior"


def in_list_order(jobs: Iterable[RunJob], policy: SchedConf) -> list[RunJob]:
    """Return the jobs sorted by the time of their latest change (`Job.changed`) or start.

    Within one second, changes sort before starts, and starts by descending priority: the one that qstat showed then,
    or if unknown the one without tickets.
    """

    ticketless = TicketlessPriority(policy)

    def last_event(run_job: RunJob) -> tuple[int, int, float, float, int]:
        job = run_job.job
        started = max([task.started or 0 for task in job.tasks.values()]) if job.tasks else 0
        command = max(job.changed or 0, job.submitted)
        if not started or int(started) < int(command):
            return (int(command), _COMMAND, command % 1, 0.0, job.id)
        return (int(started), _START, started % 1, -priority_at(run_job, started), run_job.id)

    def priority_at(run_job: RunJob, started: float) -> float:
        shown = [
            task.tickets.get(_PRIOR) for task in run_job.job.tasks.values() if task.started == started and task.tickets
        ]
        return max((prior for prior in shown if prior is not None), default=ticketless.without_tickets(run_job))

    return sorted(jobs, key=last_event)


Moment = tuple[float, float, int]
"""Sort key of a change: (seconds since the epoch, index of the started job by priority, index in the task's grants)."""

LONG_AGO: Moment = (-1.0, 0, 0)
_BEFORE_ALL_JOBS = 10**9


@dataclass(slots=True)
class LatestChanges:
    """Number of a queue instance or host -> its latest change."""

    instances: dict[int, Moment] = field(default_factory=dict)
    hosts: dict[int, Moment] = field(default_factory=dict)

    def note_instance(self, number: int, changed_at: Moment) -> None:
        self.instances[number] = max(changed_at, self.instances.get(number, changed_at))

    def note_host(self, number: int, changed_at: Moment) -> None:
        """Record a change of a host, such as a booking of its consumables."""
        self.hosts[number] = max(changed_at, self.hosts.get(number, changed_at))


def listed_instances_and_hosts(
    resources: Resources, state: State, jobs: Iterable[RunJob]
) -> tuple[list[int], list[int]]:
    """Return the numbers of all queue instances and of all hosts in the scheduler's order; `jobs` are by priority.

    A changed cluster queue moves to the end of the list, a changed instance to the end of its queue, a changed host to
    the end of the host list.
    """
    changes = _latest_changes(resources, state, jobs)
    instances: list[int] = []
    for numbers in _queues(resources, state):
        instances += [number for number in numbers if number not in changes.instances]
        instances += sorted(
            (changed for changed in numbers if changed in changes.instances), key=changes.instances.__getitem__
        )
    hosts = range(len(resources.hosts))
    return instances, sorted(hosts, key=lambda host: changes.hosts.get(host, LONG_AGO)) if changes.hosts else [*hosts]


def _latest_changes(resources: Resources, state: State, jobs: Iterable[RunJob]) -> LatestChanges:
    changes = LatestChanges()
    numbers, host_of = resources.instance_numbers, resources.host_of
    for number, changed_at in _granted_in_advance(resources, state):
        changes.note_instance(number, changed_at)
        if resources.hosts[host_of[number]].used:
            changes.note_host(host_of[number], changed_at)
    for job_position, run_job in enumerate(jobs):
        for task_number in (*run_job.split.running, *run_job.split.suspended):
            task = run_job.job.tasks[task_number]
            for position, name in enumerate(task.granted):
                instance = numbers.get(name)
                if instance is not None:
                    changed_at = (task.started or 0, job_position, position)
                    changes.note_instance(instance, changed_at)
                    if resources.books_on(host_of[instance], run_job.demand, master=position == 0):
                        changes.note_host(host_of[instance], changed_at)
    for name, changed in state.changed.items():
        if name in numbers:
            changes.note_instance(numbers[name], before_starts(changed))
    for name, changed in state.changes_of(HOST).items():
        if name in resources.host_numbers:
            changes.note_host(resources.host_numbers[name], before_starts(changed))
    for name in resources.compiled.orphans - state.changed.keys():
        # An instance removed from the configuration at an unknown time counts as changed after all starts.
        changes.note_instance(numbers[name], (math.inf, numbers[name], 0))
    return changes


def before_starts(changed: float) -> Moment:
    """Return the sort key of a change at `changed` (seconds since the epoch): before all starts in that second."""
    return changed // 1, changed % 1 - _BEFORE_ALL_JOBS, 0


def _queues(resources: Resources, state: State) -> list[range]:
    """Return the instance numbers of each cluster queue, the queue changed last at the end."""
    ranges = resources.instances_in
    return [ranges[name] for name in sorted(ranges, key=lambda name: state.changed.get(name, -math.inf))]


def _granted_in_advance(resources: Resources, state: State) -> Iterator[tuple[int, Moment]]:
    """Yield (queue instance, time of the grant) of advance reservations; grants sort before starts in that second."""
    for reservation in sorted(
        state.reservations, key=lambda advance_reservation: (advance_reservation.granted_at, advance_reservation.id)
    ):
        for position, name in enumerate(reservation.granted):
            if name in resources.instance_numbers:
                yield (
                    resources.instance_numbers[name],
                    (reservation.granted_at, reservation.id - _BEFORE_ALL_JOBS, position),
                )
