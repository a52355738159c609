"""Successors (-hold_jid) of a job that has ended, if the next scheduling run does not see their release.

The qmaster first sends the free slots of the task, then wakes the scheduler, then sends the released successors.
Source: dispatch.md#several-ends-in-one-second.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from qmon_tui.model import Job, Request, State, renewed
from qmon_tui.scheduler.jobs import dependencies_of

_HELD = "s"


def released(before: State, after: State) -> tuple[Job, ...]:
    """Return the jobs, as in `after`, that no longer wait for another job."""
    waiting = [job for job in after.jobs if job.request.hold_jid]
    if not waiting:
        return ()
    earlier, later = dependencies_of(before), dependencies_of(after)
    return tuple(job for job in waiting if earlier.waits(job) and not later.waits(job))


def held(state: State, jobs: Iterable[Job]) -> State:
    """Return the state with some jobs held, so that a run does not start them."""
    requests = {job.id: replace(job.request, hold=job.request.hold + _HELD) for job in jobs}
    return _with_requests(state, requests) if requests else state


def freed(state: State, jobs: Iterable[Job]) -> State:
    """Return the state after the run with the holds of `held` removed."""
    requests = {job.id: job.request for job in jobs}
    return _with_requests(state, requests) if requests else state


def _with_requests(state: State, requests: Mapping[int, Request]) -> State:
    return replace(
        state,
        jobs=tuple(renewed(job, request=requests[job.id]) if job.id in requests else job for job in state.jobs),
    )
