"""Runs with known decisions and a known state after them; the rest is computed on access."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from qmon_tui.model import Amounts, Cluster, State, renewed
from qmon_tui.qmaster import NOBODY_WAITS, Consumables, Run, RunFacts, TaskKey, WaitingTasks, simulate
from qmon_tui.qmaster.transition import after_run
from qmon_tui.scheduler import session_of
from qmon_tui.scheduler.reservation import TaskAllocation

NO_NUMBERS: Mapping[TaskKey, Amounts] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Decisions:
    """The decisions of a run."""

    started: Sequence[TaskKey]
    """In the order of the run."""
    reserved: Collection[TaskAllocation] = ()
    """In the order of the run."""
    tried: Sequence[int] = ()
    """The jobs that were tried, in the order of their first try; not all of them if no reservations are made."""
    waiting: WaitingTasks = NOBODY_WAITS
    moves: bool = False
    """True if the run suspends or resumes a task that ran or was suspended before it."""


class LazyRun(RunFacts):
    """The facts of a run on a state; `full` makes the run itself when it is first called."""

    __slots__ = ("_cluster", "_full", "_known_consumables", "after", "decisions", "now", "rejected", "state")

    def __init__(
        self,
        cluster: Cluster,
        given: State,
        decisions: Decisions,
        after: State,
        consumables: Callable[[], Consumables | None] = lambda: None,
    ) -> None:
        """`consumables` returns the amounts as long as no later run has begun, then None."""
        self._cluster = cluster
        self._full: Run | None = None
        self._known_consumables = consumables
        self.decisions = decisions
        self.after = after
        self.now = given.now
        self.state = given
        self.rejected = []

    def full(self) -> Run:
        """Return the complete run; the first call makes it."""
        if self._full is None:
            self._full = simulate(self._cluster, self.state)
        return self._full

    @property
    def started(self) -> Sequence[TaskKey]:
        """The tasks that are started, in the order of the run."""
        return self.decisions.started

    @property
    def reservations(self) -> Collection[TaskAllocation]:
        """The reservations for waiting tasks, in the order of the run."""
        return self.decisions.reserved

    @property
    def order(self) -> Sequence[int]:
        """See `Decisions.tried`."""
        return self.decisions.tried

    @property
    def moves_tasks(self) -> bool:
        """See `Decisions.moves`."""
        return self.decisions.moves

    @property
    def instance_names(self) -> Sequence[str]:
        """Names of the configured queue instances, by instance number."""
        # If a task runs in a queue instance that is not configured, a full run is made instead.
        return [instance.name for instance in session_of(self._cluster).configured.instances]

    @property
    def total_slots(self) -> int:
        return sum(instance.profile.slots for instance in session_of(self._cluster).configured.instances)

    @property
    def waiting(self) -> WaitingTasks:
        """The tasks that still wait after the run."""
        return self.decisions.waiting

    @property
    def consumables(self) -> Consumables:
        """Used and configured amount of each consumable after the run."""
        known = self._known_consumables()
        return known if known is not None else self.full().consumables

    def __reduce__(self) -> tuple[Any, ...]:
        return LazyRun, (self._cluster, self.state, self.decisions, self.after)


class RunNumbers(Mapping[TaskKey, Amounts]):
    """`State.numbers` after a run, computed when the first one is read."""

    __slots__ = ("_cluster", "_given", "_known")

    def __init__(self, cluster: Cluster, given: State) -> None:
        self._cluster = cluster
        # The numbers after the run before do not matter here, so they need not be kept alive.
        self._given = given if given.numbers is NO_NUMBERS else renewed(given, numbers=NO_NUMBERS)
        self._known: Mapping[TaskKey, Amounts] | None = None

    @property
    def known(self) -> Mapping[TaskKey, Amounts]:
        if self._known is None:
            after = after_run(simulate(self._cluster, self._given))
            self._known = MappingProxyType(
                dict(after.numbers)
                | {
                    (job.id, number): task.tickets
                    for job in after.jobs
                    for number, task in job.tasks.items()
                    if task.tickets is not None
                }
            )
        return self._known

    def __getitem__(self, key: TaskKey) -> Amounts:
        return self.known[key]

    def __iter__(self) -> Iterator[TaskKey]:
        return iter(self.known)

    def __len__(self) -> int:
        return len(self.known)

    def __repr__(self) -> str:
        return f"RunNumbers({dict(self.known)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        # A pickle keeps the numbers alone, without the cluster.
        return dict, (dict(self.known),)
