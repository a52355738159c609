"""A run of which only the decisions are known, and the state after it; all else is worked out when somebody asks."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import fields
from types import MappingProxyType
from typing import Any

from qmon_tui.model import Amounts, Cluster, State, renewed
from qmon_tui.qmaster.run import Run, TaskKey
from qmon_tui.qmaster.scheduling import simulate

NO_NUMBERS: Mapping[TaskKey, Amounts] = MappingProxyType({})


class QuickRun(Run):
    """The run of a cluster and a state; reading anything but what it has started has the plain run made."""

    __slots__ = ("_cluster", "_given", "_reserved", "_started", "after", "backfilled", "moves")

    def __init__(
        self,
        cluster: Cluster,
        given: State,
        started: Sequence[TaskKey],
        after: State,
        reserved: Sequence[TaskKey] = (),
        backfilled: Set[TaskKey] = frozenset(),
        moves: bool = False,
    ) -> None:
        self._cluster = cluster
        self._given = given
        self._started = started
        self._reserved = reserved
        self.backfilled = backfilled
        """What is started of jobs that come after one that has a reservation for later."""
        self.moves = moves
        """Something that ran before stands still after it, or the other way round."""
        self.after = after
        """The state after the run."""
        self.now = given.now
        self.state = given
        self.rejected = []

    @property
    def started(self) -> Sequence[TaskKey]:
        """The tasks that are started, in the order of the run."""
        return self._started

    @property
    def reserved(self) -> Sequence[TaskKey]:
        """The tasks for which there is a reservation."""
        return self._reserved

    def __getattr__(self, name: str) -> Any:
        """What is not known yet: all of it comes with the plain run."""
        if name.startswith("__") or name not in Run.__dataclass_fields__:
            raise AttributeError(name)
        plain = simulate(self._cluster, self._given)
        for part in fields(Run):
            setattr(self, part.name, getattr(plain, part.name))
        return getattr(self, name)

    def __reduce__(self) -> tuple[Any, ...]:
        of_run = self._cluster, self._given, self._started, self.after, self._reserved, self.backfilled, self.moves
        return QuickRun, of_run


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
            from qmon_tui.qmaster.transition.after_run import after_run  # late: it knows quick runs

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
