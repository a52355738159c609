"""What a simulation needs besides a cluster and its jobs."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Settings:
    """How a cluster is simulated."""

    until: int | None = None
    """Where the simulation ends, in seconds since the epoch; None when nothing happens any more."""
    start_delay: int = 0
    """Seconds from the dispatch of a task to its arrival at the host; 5 with the simulated hosts of a real qmaster."""


DEFAULT_SETTINGS: Final = Settings()
