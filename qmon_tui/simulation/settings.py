"""What a simulation needs besides a cluster and its jobs."""

from dataclasses import dataclass
from typing import Final

from qmon_tui.qmaster import Command
from qmon_tui.simulation.load_model import LoadModel


@dataclass(frozen=True, slots=True)
class TimedCommand:
    """A command that somebody gives to the qmaster at a time, in seconds since the epoch."""

    at: int
    command: Command


@dataclass(frozen=True, slots=True)
class HostFailure:
    """An execution host falls silent with all that runs there, and comes back or does not; seconds since the epoch."""

    host: str
    at: int
    returns: int | None = None


@dataclass(frozen=True, slots=True)
class Settings:
    """How a cluster is simulated."""

    until: int | None = None
    """Where the simulation ends, in seconds since the epoch; None when nothing happens any more."""
    start_delay: int = 0
    """Seconds from the dispatch of a task to its arrival at the host; 5 with the simulated hosts of a real qmaster."""
    simulated_hosts: bool = False
    """As SIMULATE_EXECDS of a real qmaster: suspended tasks end in time all the same, limits end nothing, and no usage
    is reported (lifecycle.md#simulated-execution-hosts)."""
    load: LoadModel | None = None
    """How load values follow the jobs; None where no host reports any."""
    commands: tuple[TimedCommand, ...] = ()
    failures: tuple[HostFailure, ...] = ()


DEFAULT_SETTINGS: Final = Settings()
