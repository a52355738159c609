"""What every command has in common: who gives it, to which tasks, and what comes of it."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from qmon_tui.model.state import Job, State


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
    said: tuple[str, ...] = ()

    def then(self, other: "Reply") -> "Reply":
        """This and what was said before it."""
        return Reply(other.state, (*self.said, *other.said))


def find(state: State, number: int) -> Job | None:
    """A job by its number."""
    return next((job for job in state.jobs if job.id == number), None)


def with_job(state: State, job: Job) -> State:
    """The state with a job in the place of the one of its number."""
    return replace(state, jobs=tuple(job if one.id == job.id else one for one in state.jobs))


def without_jobs(state: State, numbers: Iterable[int]) -> State:
    """The state without some jobs."""
    gone = set(numbers)
    return replace(state, jobs=tuple(job for job in state.jobs if job.id not in gone))
