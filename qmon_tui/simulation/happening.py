"""What happens in a simulation besides what the qmaster calls an event: each knows what it does to the simulation."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from qmon_tui.simulation.simulator import Simulator


class Happening(ABC):
    """A value that can be planned for a time."""

    __slots__ = ()

    @abstractmethod
    def happen(self, simulator: "Simulator") -> None:
        """Let it happen now, which is the simulator's time."""
