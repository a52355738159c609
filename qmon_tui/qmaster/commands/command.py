"""A command to the qmaster as a value: it says its line, is carried out, and can be sent, compared and written down."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

from qmon_tui.model import Cluster, State
from qmon_tui.qmaster.commands.reply import Reply


@dataclass(frozen=True, slots=True)
class Command(ABC):
    """One command, or the same one for several jobs, queue instances or reservations."""

    @property
    @abstractmethod
    def words(self) -> str:
        """What it does, as the list of undo steps says it."""

    @property
    @abstractmethod
    def line(self) -> str:
        """The line to type in a shell; several are joined by `&&`. Empty where no command of Grid Engine does it."""

    @abstractmethod
    def apply(self, cluster: Cluster, state: State) -> Reply:
        """What the qmaster makes of cluster and state, and what it answers; nothing of what is given changes."""

    @property
    def count(self) -> int:
        """To how many jobs it is given, by which callers tell whether it takes long."""
        return 1
