"""Scaling of work: more or longer jobs, moved in time; the same rule for given, generated and traced jobs.

Source: workloads.md#load-scaling.
"""

from collections.abc import Callable
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from qmon_tui.formats import qsub_line
from qmon_tui.model import Job, State
from qmon_tui.values import LATEST

LOAD: Final = "load"
RUN_TIME: Final = "runtime"
WORK_FIELDS: Final = (LOAD, RUN_TIME)


def sooner(time: int, start: int, factor: float) -> int:
    """Return the time whose distance from the start is divided by `factor`, rounded; at most `LATEST` + 1."""
    distance = (time - start) / factor
    return start + round(distance) if distance < LATEST else LATEST + 1


def rescaled(state: State, field: str, factor: float) -> State:
    """Return the state with jobs submitted `factor` times as densely (`load`) or run times as long (`runtime`)."""
    return replace(state, jobs=tuple(_rescaled(job, state.now, field, factor) for job in state.jobs))


def _rescaled(job: Job, now: int, field: str, factor: float) -> Job:
    if field == LOAD:
        return job if not job.is_to_come(now) else moved_to(job, max(now + 1, sooner(job.submitted, now, factor)))
    return with_run_times_changed(job, lambda seconds: max(1, round(seconds * factor)))


def with_run_times_changed(job: Job, changed: Callable[[int], int]) -> Job:
    """Return the job with its known run times (seconds) replaced by `changed` of them."""
    own = {task: changed(seconds) for task, seconds in job.runtimes.items()}
    return replace(
        job,
        runtime=None if job.runtime is None else changed(job.runtime),
        runtimes=MappingProxyType(own) if own else job.runtimes,
    )


def moved_to(job: Job, time: int) -> Job:
    """Return the job submitted at another time; its start time (-a) and deadline (-dl) move with it."""
    shift = time - job.submitted
    request = job.request
    if not shift or (request.start_time is None and request.deadline is None):
        return replace(job, submitted=time)
    request = replace(
        request,
        start_time=None if request.start_time is None else request.start_time + shift,
        deadline=None if request.deadline is None else request.deadline + shift,
    )
    return replace(job, submitted=time, request=request, qsub=qsub_line(request, job.name))
