"""Jobs of a state that exist at a time, and the beginning of a simulated day of the state (lifecycle.md#submission)."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from qmon_tui.model.memoize import memoized

if TYPE_CHECKING:
    from qmon_tui.model.jobs import AdvanceReservation, Job
    from qmon_tui.model.state import State


def existing_at(state: "State", now: int | None = None) -> "State":
    """Return the state without the jobs that are submitted after `now`; the same object if there are none.

    `now` is in seconds since the epoch, the time of the state by default. The clock of the state stays as it is.
    """
    now = state.now if now is None else now
    return state if _last_submission(state.jobs) <= now else _existing_at(state, str(now))


@memoized(size=4)
def _last_submission(jobs: tuple["Job", ...]) -> float:
    return max((job.submitted for job in jobs), default=float("-inf"))


@memoized(size=4)
def _existing_at(state: "State", now: str) -> "State":
    """Memoized, because a run recognises the previous run's state by its identity."""
    jobs = tuple(job for job in state.jobs if not job.is_to_come(int(now)))
    return state if len(jobs) == len(state.jobs) else replace(state, jobs=jobs)


def beginning_of_day(state: "State") -> int:
    """Return when a day of a state without a time of its own begins, in seconds since the epoch.

    That is the latest time of a past event; without any, the first submission; without jobs, the state's time.
    """
    latest = max(_moments_of_the_past(state), default=None)
    if latest is not None:
        return int(latest)
    return min((job.submitted for job in state.jobs), default=state.now)


def _moments_of_the_past(state: "State") -> Iterator[float]:
    for job in state.jobs:
        if job.has_begun:
            yield job.submitted
        moments = [job.changed, *(moment for task in job.tasks.values() for moment in (task.started, task.changed))]
        yield from (moment for moment in moments if moment is not None)
    yield from state.changed.values()
    for usage in (*state.usage.users.values(), *state.usage.projects.values()):
        if usage.time is not None:
            yield usage.time
    yield from (granted.submitted for granted in state.reservations if granted.submitted is not None)


def at_beginning_of_day(state: "State") -> "State":
    """Return the state at the moment where a day of it begins: its own time if it has one, else `State.beginning`."""
    if state.beginning is None:
        return state
    at = state.beginning
    return replace(
        state, now=at, beginning=None, reservations=tuple(_before_start(granted, at) for granted in state.reservations)
    )


def _before_start(granted: "AdvanceReservation", now: int) -> "AdvanceReservation":
    """Return the advance reservation, waiting (w) again if it starts after `now`."""
    return replace(granted, state="w") if granted.state == "r" and granted.start > now else granted
