"""Settings of a cluster folder for its simulation: end, load values, commands, failures, further jobs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from qmon_tui.model.cluster import Origin

if TYPE_CHECKING:
    from qmon_tui.model.workload import Workload

REPORT_INTERVAL: Final = 40
"""Seconds between two reports of a host if load_report_time is not set (sge_conf(5))."""


@dataclass(frozen=True, slots=True)
class LoadValue:
    """One load value of a host: its value without jobs, and the increase by jobs."""

    idle: float = 0.0
    per_slot: float = 0.0
    """Increase per slot in use."""
    per_request: str | None = None
    """Attribute whose requested amount per slot is added: h_vmem for a value such as virtual_used.

    With a minus sign it is subtracted: -h_vmem for virtual_free.
    """
    per_processor: bool = False
    """True if it is divided by num_proc of the host, as np_load_avg is."""
    average: int = 0
    """Seconds over which it is averaged, as load averages are; 0 if it is not."""


@dataclass(frozen=True, slots=True)
class LoadModel:
    """The load values that hosts report every `interval` seconds; `values`: name -> load value."""

    interval: int = REPORT_INTERVAL
    values: Mapping[str, LoadValue] = field(default_factory=lambda: MappingProxyType({}))
    hosts: Mapping[str, Mapping[str, LoadValue]] = field(default_factory=lambda: MappingProxyType({}))
    """Host -> load values that differ there."""


@dataclass(frozen=True, slots=True)
class CommandLine:
    """A command (qalter, qdel, qmod, qconf ...) that is run at a time, in seconds since the epoch."""

    at: int
    command: str
    owner: str = ""
    """The user who runs it, if that matters (qrsub)."""
    origin: Origin | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class HostFailure:
    """Failure of an execution host at a time, and its return (None: never); seconds since the epoch."""

    host: str
    at: int
    returns: int | None = None


@dataclass(frozen=True, slots=True)
class SimulationPlan:
    """The keys `simulation` and `workload` of a cluster folder (docs/cluster-folder.md)."""

    until: int | None = None
    """End of the simulation, seconds since the epoch; None: it ends when no event is left."""
    seed: int = 0
    """Seed of all random numbers."""
    start_delay: int = 0
    """Seconds from a task's dispatch to its arrival at the host; a real qmaster's simulated hosts take 5."""
    simulated_hosts: bool = False
    """True for hosts as a real qmaster simulates them (SIMULATE_EXECDS; lifecycle.md#simulated-execution-hosts)."""
    load: LoadModel | None = None
    """Load values that follow the jobs; None if load values do not change."""
    commands: tuple[CommandLine, ...] = ()
    failures: tuple[HostFailure, ...] = ()
    workload: "Workload | None" = None
    """Jobs submitted besides those of the state; None if there are no others."""


NO_PLAN: Final = SimulationPlan()
