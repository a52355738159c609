"""Events of a simulation that are no events of the qmaster."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from qmon_tui.simulation.simulator import Simulator


class SimulationEvent(ABC):
    """A value that can be planned for a time."""

    __slots__ = ()

    @abstractmethod
    def apply(self, simulator: "Simulator") -> None:
        """Change the simulator, whose time is that of the event."""
