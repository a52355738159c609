"""A command to the qmaster as a value, its operator and targets, and the reply."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from qmon_tui.formats import overridden
from qmon_tui.model import Cluster, State
from qmon_tui.qmaster.commands.job_numbers import remembered

OPERATOR: Final = "root"
"""The operator who gives the commands."""
OPERATOR_AT_HOST: Final = f"{OPERATOR}@localhost"


@dataclass(frozen=True, slots=True)
class Target:
    """A job, or only some of its tasks."""

    job: int
    tasks: tuple[int, ...] | None = None
    """Task numbers; None for the whole job."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The new state (the same object if nothing changed), and the lines that the client prints."""

    state: State
    messages: tuple[str, ...] = ()
    in_vain: int = 0
    """The number of first lines that report changes undone because a later option was refused."""
    cluster: Cluster | None = None
    """The new configuration; None if unchanged."""

    @property
    def reasons(self) -> tuple[str, ...]:
        """The lines after the first `in_vain`."""
        return self.messages[self.in_vain :]

    def then(self, other: "Reply") -> "Reply":
        """Return the reply to both commands, this one first."""
        return Reply(other.state, (*self.messages, *other.messages), cluster=other.cluster or self.cluster)

    def after_warnings(self, program: str, line: str) -> "Reply":
        """Return the reply preceded by the client's warnings about repeated options (8.1.9 has them for some only)."""
        text = '{}: warning: "{}" option has already been set, overriding previous setting'
        warnings = tuple(text.format(program, option) for option in overridden(line))
        in_vain = self.in_vain + len(warnings) if self.in_vain else 0
        return Reply(self.state, (*warnings, *self.messages), in_vain, self.cluster) if warnings else self

    def changes(self, state: State) -> bool:
        """True if anything but the last numbers of jobs and reservations differs from `state`."""
        return (
            self.cluster is not None or replace(self.state, jobseqnum=state.jobseqnum, arseqnum=state.arseqnum) != state
        )


def without_jobs(state: State, numbers: Iterable[int]) -> State:
    """Return the state without these jobs."""
    gone = set(numbers)
    return remembered(state, replace(state, jobs=tuple(job for job in state.jobs if job.id not in gone)))


@dataclass(frozen=True, slots=True)
class Command(ABC):
    """One command, possibly for several jobs, queue instances or reservations."""

    @property
    @abstractmethod
    def words(self) -> str:
        """Description for the list of undo steps."""

    @property
    @abstractmethod
    def line(self) -> str:
        """Shell command line; several are joined by `&&`.

        Empty if no command of Grid Engine has this effect.
        """

    @abstractmethod
    def apply(self, cluster: Cluster, state: State) -> Reply:
        """Return the qmaster's reply with the new cluster and state; the arguments are not changed."""

    @property
    def count(self) -> int:
        """Number of jobs, from which callers estimate the duration."""
        return 1
