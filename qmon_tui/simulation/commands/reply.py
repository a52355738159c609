"""What every command has in common: who gives it, to which tasks, and what comes of it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from types import MappingProxyType
from typing import Final

from qmon_tui.formats.qsub_alter import overridden
from qmon_tui.model.state import Job, State, Task
from qmon_tui.scheduler.suspending.letters import SUBORDINATED
from qmon_tui.simulation.commands.numbers import remembered


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
    in_vain: int = 0
    """So many of the first lines tell of what has come to nothing, since the rest of it was refused."""

    @property
    def reasons(self) -> tuple[str, ...]:
        """What is said but for that."""
        return self.said[self.in_vain :]

    def then(self, other: "Reply") -> "Reply":
        """This and what was said before it."""
        return Reply(other.state, (*self.said, *other.said))

    def after_warnings(self, program: str, line: str) -> "Reply":
        """This, and before it what a client warns of in a line of options (8.1.9 does so for some of them only)."""
        text = '{}: warning: "{}" option has already been set, overriding previous setting'
        warnings = tuple(text.format(program, option) for option in overridden(line))
        in_vain = self.in_vain + len(warnings) if self.in_vain else 0
        return Reply(self.state, (*warnings, *self.said), in_vain) if warnings else self

    def changes(self, state: State) -> bool:
        """Tell whether a state has become another one by it, not only by a number that is used up."""
        return replace(self.state, jobseqnum=state.jobseqnum, arseqnum=state.arseqnum) != state


def find(state: State, number: int) -> Job | None:
    """A job by its number."""
    return next((job for job in state.jobs if job.id == number), None)


_PARTS: Final = 10**6
"""Into so many parts a second is divided: the fraction of `changed` tells what came after what."""


def after_all(items: Iterable[Job | Task], now: int) -> float:
    """When something is changed that comes after all that was changed by now, as seconds since the epoch."""
    latest = max((one.changed for one in items if one.changed is not None and one.changed >= now), default=float(now))
    return next_moment(latest)


def next_moment(moment: float) -> float:
    """The next part of a second, just as it is read again where it was written."""
    return (round(moment * _PARTS) + 1) / _PARTS


def moments(first: float) -> Iterator[float]:
    """When things happen one right after the other, without end."""
    while True:
        yield first
        first = next_moment(first)


def sent_anew(state: State, *numbers: int, is_whole: bool = True) -> State:
    """The state after the qmaster has sent jobs to the scheduler once more, by which they come last in its list.

    Of one that `is_whole` the category is found anew.
    """
    when = dict(zip(numbers, moments(after_all(state.jobs, state.now)), strict=False))
    jobs = tuple(
        replace(job, changed=when[job.id], category_ar=None if is_whole else job.category_ar) if job.id in when else job
        for job in state.jobs
    )
    return replace(state, jobs=jobs)


def told_anew(state: State, number: int) -> State:
    """The state after the qmaster has sent a job once more with all that runs of it, in the order that it has.

    It matters to nobody unless some of that stands still with its queue instance.
    """
    state = sent_anew(state, number)
    job = find(state, number)
    if job is None or not any(SUBORDINATED in task.state or task.seen_suspended for task in job.tasks.values()):
        return state
    running = sorted((task.changed or 0, one) for one, task in job.tasks.items() if task.granted)
    tasks = dict(job.tasks)
    for (_, one), moment in zip(running, moments(_after_starts_and_changes(state)), strict=False):
        tasks[one] = replace(as_sent(tasks[one]), changed=moment)
    return with_job(state, replace(job, tasks=MappingProxyType(tasks)))


def as_sent(task: Task) -> Task:
    """A task of which the scheduler is told what it does now."""
    stands_still = SUBORDINATED in task.state
    return task if task.seen_suspended is stands_still else replace(task, seen_suspended=stands_still)


def moved(state: State, names: Iterable[str], standing: frozenset[str] = frozenset()) -> State:
    """The state after queue instances have changed, by which one after the other came last among their equals.

    `standing` are those that stand still because of others, which the scheduler sees by it.
    What starts or is reserved in a second is taken to come last in it: a change after that is dated a second later.
    """
    names = tuple(dict.fromkeys(names))
    if not names:
        return state
    changed = dict(state.changed)
    for name, moment in zip(names, moments(_after_starts_and_changes(state)), strict=False):
        changed.pop(name, None)
        changed[name] = moment
    seen = state.seen_suspended.difference(names) | standing.intersection(names)
    return replace(state, changed=MappingProxyType(changed), seen_suspended=seen)


def _after_starts_and_changes(state: State) -> float:
    """When something comes after all that has started, and all that has changed where it runs."""
    tasks = [task for job in state.jobs for task in job.tasks.values()]
    granted = (one.granted_at for one in state.reservations)
    started = (task.started for task in tasks if task.started is not None)
    is_after_a_start = any(when >= state.now for when in chain(started, granted))
    dated = (task.changed for task in tasks if task.changed is not None)
    return next_moment(max([float(state.now + is_after_a_start), *state.changed.values(), *dated]))


def with_job(state: State, job: Job) -> State:
    """The state with a job in the place of the one of its number."""
    return replace(state, jobs=tuple(job if one.id == job.id else one for one in state.jobs))


def without_jobs(state: State, numbers: Iterable[int]) -> State:
    """The state without some jobs."""
    gone = set(numbers)
    return remembered(state, replace(state, jobs=tuple(job for job in state.jobs if job.id not in gone)))
