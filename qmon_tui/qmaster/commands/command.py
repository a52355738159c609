"""A command to the qmaster as a value, who gives it and to which tasks, and the reply that comes of it."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from qmon_tui.formats import overridden
from qmon_tui.model import Cluster, State
from qmon_tui.qmaster.commands.job_numbers import remembered


@dataclass(frozen=True, slots=True)
class Operator:
    """Who gives a command; he is an operator of the cluster."""

    name: str = "root"
    host: str = "localhost"


OPERATOR: Final = Operator()


@dataclass(frozen=True, slots=True)
class Target:
    """A job, or only some of its tasks."""

    job: int
    tasks: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """The state afterwards, and the lines that the client prints; the very same state where nothing has changed."""

    state: State
    messages: tuple[str, ...] = ()
    in_vain: int = 0
    """So many of the first lines tell of what has come to nothing, since the rest of it was refused."""
    cluster: Cluster | None = None
    """The configuration afterwards; None where it stays as it was."""

    @property
    def reasons(self) -> tuple[str, ...]:
        """What is said but for that."""
        return self.messages[self.in_vain :]

    def then(self, other: "Reply") -> "Reply":
        """This and what was said before it."""
        return Reply(other.state, (*self.messages, *other.messages), cluster=other.cluster or self.cluster)

    def after_warnings(self, program: str, line: str) -> "Reply":
        """This, and before it what a client warns of in a line of options (8.1.9 does so for some of them only)."""
        text = '{}: warning: "{}" option has already been set, overriding previous setting'
        warnings = tuple(text.format(program, option) for option in overridden(line))
        in_vain = self.in_vain + len(warnings) if self.in_vain else 0
        return Reply(self.state, (*warnings, *self.messages), in_vain, self.cluster) if warnings else self

    def changes(self, state: State) -> bool:
        """True if a state has become another one by it, not only by a number that is used up."""
        return (
            self.cluster is not None or replace(self.state, jobseqnum=state.jobseqnum, arseqnum=state.arseqnum) != state
        )


def without_jobs(state: State, numbers: Iterable[int]) -> State:
    """The state without some jobs."""
    gone = set(numbers)
    return remembered(state, replace(state, jobs=tuple(job for job in state.jobs if job.id not in gone)))


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
