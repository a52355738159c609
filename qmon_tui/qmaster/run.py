"""A finished scheduling run, as the qmaster sees it."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol
from weakref import ref

from qmon_tui.model import Cluster, Job, JobOutcome, LazySequence, Outcome, State
from qmon_tui.qmaster.states_after_run import StatesAfterRun
from qmon_tui.qmaster.suspended_numbers import SuspendedNumbers
from qmon_tui.scheduler import RunUntil, SchedulingRun
from qmon_tui.scheduler.configuration import Attribute, AttributeTable
from qmon_tui.scheduler.matching import SLOTS, Level, Resources
from qmon_tui.scheduler.priority import GRID_ENGINE, Formulas
from qmon_tui.scheduler.reservation import TaskAllocation

TaskKey = tuple[int, int]
"""(job, task)."""


class WaitingTasks(NamedTuple):
    """The tasks that could have started in a run, given resources, but did not."""

    tasks: int
    oldest: Job | None
    """The job submitted first, of several the one with the lowest number."""


NOBODY_WAITS: Final = WaitingTasks(0, None)
Consumables = Mapping[str, tuple[float, float]]
"""Name -> (used, configured) over the global host, all hosts and queue instances; without slots."""


class RunFacts(ABC):
    """The facts that a simulated day reads of every run; `full` gives the run with all else."""

    __slots__ = ()

    now: int
    """The time of the run in seconds since the epoch."""
    state: State
    """The state before the run."""
    rejected: list[tuple[Job, str]]
    """The refused jobs, each with qsub's message."""

    @abstractmethod
    def full(self) -> "Run":
        """Return the complete run."""

    @property
    @abstractmethod
    def started(self) -> Sequence[TaskKey]:
        """The tasks that are started, in the order of the run; without those that the qmaster refuses to start."""

    @property
    @abstractmethod
    def reservations(self) -> Collection[TaskAllocation]:
        """The reservations for waiting tasks, in the order of the run."""

    @property
    def reserved(self) -> Sequence[TaskKey]:
        return [(allocation.job, allocation.task) for allocation in self.reservations]

    @property
    @abstractmethod
    def order(self) -> Sequence[int]:
        """Job numbers in the order of the run; if runs make reservations, with all jobs that start or have one."""

    @property
    @abstractmethod
    def moves_tasks(self) -> bool:
        """False only if it is certain that the run has suspended or resumed no task that had started before it."""

    @property
    @abstractmethod
    def instance_names(self) -> Sequence[str]:
        """Names of all queue instances, by instance number."""

    @property
    @abstractmethod
    def total_slots(self) -> int:
        """Total slots of all queue instances."""

    @property
    @abstractmethod
    def waiting(self) -> WaitingTasks:
        """The tasks that still wait after the run."""

    @property
    @abstractmethod
    def consumables(self) -> Consumables:
        """Used and configured amount of each consumable after the run."""


class Simulate(Protocol):
    """A function that makes runs: `simulate`, or one that also remembers earlier runs and returns equal ones."""

    def __call__(
        self,
        cluster: Cluster,
        state: State,
        *,
        at: int | None = None,
        formulas: Formulas = GRID_ENGINE,
        until: RunUntil | None = None,
    ) -> "Run":
        """Return the run on a state at a time (seconds since the epoch), by default that of the state."""


@dataclass(slots=True, kw_only=True, weakref_slot=True)
class Run(SchedulingRun, RunFacts):
    """A finished run with its effects in the qmaster."""

    rejected: list[tuple[Job, str]]
    simulate: Simulate
    """The function that made this run; `again` makes further runs with it."""
    states_after_run: StatesAfterRun
    suspended_numbers: SuspendedNumbers
    known_job_outcomes: ref[LazySequence[Any, JobOutcome]] | None = None
    """The job outcomes made for this run or an equal one, while they are in use elsewhere."""
    known_outcome: ref[Outcome] | None = None
    """The outcome of the run, while it is in use elsewhere."""

    def full(self) -> "Run":
        return self

    def again(self, cluster: Cluster, state: State, until: RunUntil | None = None) -> "Run":
        """Return a run on another cluster or state, at the same time and by the same formulas."""
        return self.simulate(cluster, state, at=self.now, formulas=self.formula.formulas, until=until)

    @property
    def started(self) -> Sequence[TaskKey]:
        return [(start.run_job.id, start.task) for start in self.dispatch.starts if not start.refused]

    @property
    def reservations(self) -> Collection[TaskAllocation]:
        return self.dispatch.reserved

    @property
    def order(self) -> Sequence[int]:
        return [run_job.id for run_job in self.pending]

    @property
    def moves_tasks(self) -> bool:
        """Always True: the caller must compare the tasks."""
        return True

    @property
    def instance_names(self) -> Sequence[str]:
        return [instance.name for instance in self.compiled.instances]

    @property
    def total_slots(self) -> int:
        return sum(self.resources.totals)

    @property
    def waiting(self) -> WaitingTasks:
        started = Counter(number for number, _ in self.started)
        tasks, waiting = 0, list[Job]()
        for run_job in self.pending:
            left = len(run_job.queue) + len(run_job.passed) - started[run_job.id]
            if left > 0:
                tasks += left
                waiting.append(run_job.job)
        return WaitingTasks(tasks, min(waiting, key=lambda job: (job.submitted, job.id), default=None))

    @property
    def consumables(self) -> Consumables:
        return sums_of(counted_levels(self.resources, self.compiled.attributes))


def counted_levels(resources: Resources, attributes: AttributeTable) -> Iterator[tuple[Attribute, Level]]:
    """Yield each consumable except slots with each level that has some of it."""
    for level in (resources.global_level, *resources.hosts, *resources.queues):
        for name in level.used:
            if name != SLOTS and name in level.configured:
                yield attributes.by_name[name], level


def sums_of(counted: Iterable[tuple[Attribute, Level]]) -> Consumables:
    """Return consumable -> (used, configured) over all levels."""
    sums: dict[str, tuple[float, float]] = {}
    for attribute, level in counted:
        name = attribute.name
        used, configured = sums.get(name, (0.0, 0.0))
        used_here, configured_here = level.used[name], level.configured[name].number
        if attribute.exclusive:  # booked per slot, but a host is in use once
            used_here = min(used_here, configured_here)
        sums[name] = used + used_here, configured + configured_here
    return sums
