"""A run of which only the decisions are known, and the state after it; all else is worked out when somebody asks."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any

from qmon_tui.model import Amounts, Cluster, State, renewed
from qmon_tui.qmaster import NOBODY_WAITS, Consumables, Run, TaskKey, WaitingTasks, simulate
from qmon_tui.qmaster.transition import after_run
from qmon_tui.scheduler import session_of
from qmon_tui.scheduler.reservation import TaskAllocation

NO_NUMBERS: Mapping[TaskKey, Amounts] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Decisions:
    """What a run has decided."""

    started: Sequence[TaskKey]
    """In the order of the run."""
    reserved: Collection[TaskAllocation] = ()
    """In the order of the run."""
    tried: Sequence[int] = ()
    """The jobs that were tried, in the order in which they came first; known where runs plan ahead."""
    waiting: WaitingTasks = NOBODY_WAITS
    moves: bool = False
    """Something that ran before stands still after it, or the other way round."""


class LazyRun(Run):
    """The run of a cluster and a state; reading anything but what is declared here has the plain run made."""

    __slots__ = ("_cluster", "_given", "_known_consumables", "after", "decisions")

    def __init__(
        self,
        cluster: Cluster,
        given: State,
        decisions: Decisions,
        after: State,
        consumables: Callable[[], Consumables | None] = lambda: None,
    ) -> None:
        """`consumables` reads right after the run what is used of them; None where that is long ago."""
        self._cluster = cluster
        self._given = given
        self._known_consumables = consumables
        self.decisions = decisions
        self.after = after
        """The state after the run."""
        self.now = given.now
        self.state = given
        self.rejected = []

    @property
    def started(self) -> Sequence[TaskKey]:
        """The tasks that are started, in the order of the run."""
        return self.decisions.started

    @property
    def reservations(self) -> Collection[TaskAllocation]:
        """What is reserved for waiting tasks, in the order of the run."""
        return self.decisions.reserved

    @property
    def order(self) -> Sequence[int]:
        """The jobs that were tried, where runs plan ahead: no others start, and none have a reservation."""
        return self.decisions.tried

    @property
    def instance_names(self) -> Sequence[str]:
        """Those of all queue instances, by number."""
        # Where anything runs in other queue instances than the configured ones, the plain run is made.
        return [instance.name for instance in session_of(self._cluster).configured.instances]

    @property
    def total_slots(self) -> int:
        """Those of all queue instances."""
        return sum(instance.profile.slots for instance in session_of(self._cluster).configured.instances)

    @property
    def waiting(self) -> WaitingTasks:
        """Who waits when the run is over."""
        return self.decisions.waiting

    @property
    def consumables(self) -> Consumables:
        """What is in use of each consumable when the run is over, and how much there is."""
        known = self._known_consumables()
        return known if known is not None else super().consumables

    def __getattr__(self, name: str) -> Any:
        """What is not known yet: all of it comes with the plain run."""
        if name.startswith("__") or name not in Run.__dataclass_fields__:
            raise AttributeError(name)
        plain = simulate(self._cluster, self._given)
        for part in fields(Run):
            setattr(self, part.name, getattr(plain, part.name))
        return getattr(self, name)

    def __reduce__(self) -> tuple[Any, ...]:
        return LazyRun, (self._cluster, self._given, self.decisions, self.after)


class RunNumbers(Mapping[TaskKey, Amounts]):
    """The numbers that qstat shows after a run, worked out when somebody asks for one of them."""

    __slots__ = ("_cluster", "_given", "_known")

    def __init__(self, cluster: Cluster, given: State) -> None:
        self._cluster = cluster
        # What the run before has shown is of no matter to this one, so that it need not be kept.
        self._given = given if given.numbers is NO_NUMBERS else renewed(given, numbers=NO_NUMBERS)
        self._known: Mapping[TaskKey, Amounts] | None = None

    @property
    def known(self) -> Mapping[TaskKey, Amounts]:
        """All of them."""
        if self._known is None:
            after = after_run(simulate(self._cluster, self._given))
            self._known = MappingProxyType(
                {
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
        # What is written down knows no cluster.
        return dict, (dict(self.known),)
