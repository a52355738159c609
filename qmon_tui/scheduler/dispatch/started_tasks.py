"""What has been started is booked once for runs in a row in which the same tasks run and hosts offer the same.

The rule is `debit_started` for each job, and `listed_instances_and_hosts`. Both come to the same for the same jobs, as
long as levels book the same consumables; how much of these they have is of no matter.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import is_
from typing import Final

from qmon_tui.model import Job, State
from qmon_tui.scheduler.dispatch.list_order import listed_instances_and_hosts
from qmon_tui.scheduler.jobs import Demand, RunJob
from qmon_tui.scheduler.matching import Level, Resources, debit_started

_FEWEST: Final = 100
"""Fewer jobs are booked in less time than they are compared."""

_Use = tuple[dict[str, float], dict[str, float]]
"""What is used and what is shared on a level."""


@dataclass(slots=True, eq=False)
class StartedTasks:
    """The started tasks of one run, booked."""

    jobs: list[Job]
    """In the order of the scheduler's list."""
    demands: list[Demand]
    tasks: list[tuple[Sequence[int], Sequence[int]]]
    """Of each job those that run and those that are suspended."""
    places: tuple[object, ...]
    """What decides where something is booked."""
    uses: list[_Use]
    """Of all levels."""
    changes_of_host: list[int]
    changed_hosts: list[int]
    environment_slots: dict[str, int]
    environment_starts: dict[str, float]
    in_order: tuple[list[Job], list[int], list[int]] | None = None
    """The jobs by their priority, and all queue instances and hosts in the order that comes of that."""

    def is_for(self, resources: Resources, started: Sequence[RunJob], state: State) -> bool:
        """True if the same would be booked."""
        return (
            len(started) == len(self.jobs)
            and all(map(is_, self.jobs, [run_job.job for run_job in started]))
            and all(map(is_, self.demands, [run_job.demand for run_job in started]))
            and self.tasks == _tasks(started)
            and self.places == _places(resources, state)
        )

    def enter(self, resources: Resources) -> None:
        """Book all of it."""
        for level, (used, shared) in zip(_levels(resources), self.uses, strict=True):
            level.used, level.shared = used.copy(), shared.copy()
        resources.changes_of_host, resources.changed_hosts = self.changes_of_host.copy(), self.changed_hosts.copy()
        resources.environment_slots = self.environment_slots.copy()
        resources.environment_starts = self.environment_starts.copy()


def book_started(resources: Resources, started: Sequence[RunJob], state: State) -> StartedTasks | None:
    """Book what has been started; None where it is not worth while to know it for the next run."""
    if not resources.fast or len(started) < _FEWEST:
        for run_job in started:
            debit_started(run_job, resources)
        return None
    latest = next(iter(_latest), None)
    if latest is not None and latest.is_for(resources, started, state):
        latest.enter(resources)
        return latest
    places = _places(resources, state)
    for run_job in started:
        debit_started(run_job, resources)
    booked = StartedTasks(
        [run_job.job for run_job in started],
        [run_job.demand for run_job in started],
        _tasks(started),
        places,
        [(level.used.copy(), level.shared.copy()) for level in _levels(resources)],
        resources.changes_of_host.copy(),
        resources.changed_hosts.copy(),
        resources.environment_slots.copy(),
        resources.environment_starts.copy(),
    )
    _latest[:] = (booked,)
    return booked


def order_after_starts(
    resources: Resources, state: State, by_priority: Sequence[RunJob], booked: StartedTasks | None
) -> tuple[list[int], list[int]]:
    """All queue instances and all hosts in the order of the scheduler."""
    if booked is None:
        return listed_instances_and_hosts(resources, state, by_priority)
    jobs = [run_job.job for run_job in by_priority]
    known = booked.in_order
    if known is None or not all(map(is_, jobs, known[0])):
        known = booked.in_order = jobs, *listed_instances_and_hosts(resources, state, by_priority)
    _, instances, hosts = known
    return instances.copy(), hosts.copy()


_latest: list[StartedTasks] = []


def _tasks(started: Sequence[RunJob]) -> list[tuple[Sequence[int], Sequence[int]]]:
    return [(run_job.split.running, run_job.split.suspended) for run_job in started]


def _levels(resources: Resources) -> list[Level]:
    return [resources.global_level, *resources.hosts, *resources.queues]


def _places(resources: Resources, state: State) -> tuple[object, ...]:
    compiled = resources.compiled
    return (
        compiled.attributes,
        [*compiled.environments.values()],
        compiled.orphans,
        state.changed,
        state.reservations,
        resources.host_names,
        [(instance.name, instance.profile.pe_list) for instance in resources.instances],
        [[*level.used] for level in _levels(resources)],
        resources.environment_starts.copy(),
    )
