"""What a folder says of a simulation of its cluster: where it ends, what hosts report, what somebody does meanwhile."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from qmon_tui.model.cluster import Origin

if TYPE_CHECKING:
    from qmon_tui.model.workload import Workload

REPORT_INTERVAL: Final = 40
"""Seconds between two reports of a host where load_report_time is not set (sge_conf(5))."""


@dataclass(frozen=True, slots=True)
class LoadValue:
    """One load value of a host: what it is without jobs, and what its jobs add."""

    idle: float = 0.0
    per_slot: float = 0.0
    """What each slot adds in which something runs."""
    per_request: str | None = None
    """An attribute whose requested amount, for each slot, is added: h_vmem for a value such as virtual_used.

    With a minus sign before it, it is taken away: -h_vmem for virtual_free.
    """
    per_processor: bool = False
    """It is divided by num_proc of the host, as np_load_avg is."""
    average: int = 0
    """Seconds over which it is averaged, as loads are; 0 where it follows at once."""


@dataclass(frozen=True, slots=True)
class LoadModel:
    """The load values that hosts report."""

    interval: int = REPORT_INTERVAL
    values: Mapping[str, LoadValue] = field(default_factory=lambda: MappingProxyType({}))
    hosts: Mapping[str, Mapping[str, LoadValue]] = field(default_factory=lambda: MappingProxyType({}))
    """Host -> what differs there."""


@dataclass(frozen=True, slots=True)
class CommandLine:
    """A line that somebody types at a time, in seconds since the epoch: qalter, qdel, qmod, qconf ..."""

    at: int
    command: str
    owner: str = ""
    """Who types it, where that matters (qrsub)."""
    origin: Origin | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class HostFailure:
    """An execution host falls silent with all that runs there, and comes back or does not; seconds since the epoch."""

    host: str
    at: int
    returns: int | None = None


@dataclass(frozen=True, slots=True)
class SimulationPlan:
    """The keys `simulation` and `workload` of a cluster folder (docs/cluster-folder.md)."""

    until: int | None = None
    """Where the simulation ends, in seconds since the epoch; None when nothing happens any more."""
    seed: int = 0
    """What all that is drawn at random is drawn from."""
    start_delay: int = 0
    """Seconds from the dispatch of a task to its arrival at the host; 5 with the simulated hosts of a real qmaster."""
    simulated_hosts: bool = False
    """As SIMULATE_EXECDS of a real qmaster (lifecycle.md#simulated-execution-hosts)."""
    load: LoadModel | None = None
    """How load values follow the jobs; None where they stay as they are."""
    commands: tuple[CommandLine, ...] = ()
    failures: tuple[HostFailure, ...] = ()
    workload: "Workload | None" = None
    """Jobs that come besides those of the state; None for no more."""


NO_PLAN: Final = SimulationPlan()
