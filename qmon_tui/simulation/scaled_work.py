"""The work of a day made more or longer, and shaken: the same jobs come a little earlier or later, run a little longer
or shorter.

Source: measures.md#shaken-work.
"""

from dataclasses import replace
from random import Random
from typing import Final

from qmon_tui.model import Job, State

LOAD: Final = "load"
RUN_TIME: Final = "runtime"
WORK_FIELDS: Final = (LOAD, RUN_TIME)
SHAKEN_SECONDS: Final = 600
"""By so many seconds at most a job comes earlier or later."""
SHAKEN_RUN_TIME: Final = 0.1
"""By this part of it at most its run time is changed."""


def scaled(state: State, field: str, factor: float) -> State:
    """`load`: the jobs that come follow each other `factor` times as fast; `runtime`: all jobs run so much longer."""
    return replace(state, jobs=tuple(_scaled(job, state.now, field, factor) for job in state.jobs))


def _scaled(job: Job, now: int, field: str, factor: float) -> Job:
    if field == LOAD:
        return job if not _comes(job, now) else _at(job, now + max(1, round((job.submitted - now) / factor)))
    return job if job.runtime is None else replace(job, runtime=max(1, round(job.runtime * factor)))


def shaken(state: State, seed: int) -> State:
    """The work of another day like this one. Seed 0 is the day as it is; what runs already stays as it is."""
    if seed == 0:
        return state
    random = Random(seed)
    return replace(state, jobs=tuple(_shaken(job, state.now, random) for job in state.jobs))


def _shaken(job: Job, now: int, random: Random) -> Job:
    seconds, part = random.uniform(-SHAKEN_SECONDS, SHAKEN_SECONDS), random.uniform(-SHAKEN_RUN_TIME, SHAKEN_RUN_TIME)
    if job.tasks:
        return job
    if _comes(job, now):
        job = _at(job, max(now + 1, job.submitted + round(seconds)))
    return job if not job.runtime else replace(job, runtime=max(1, round(job.runtime * (1 + part))))


def _comes(job: Job, now: int) -> bool:
    return job.submitted > now and not job.tasks


def _at(job: Job, submitted: int) -> Job:
    """The job at another time, what it says of times moved with it."""
    moved = submitted - job.submitted
    request = job.request
    if request.start_time is not None or request.deadline is not None:
        request = replace(
            request,
            start_time=None if request.start_time is None else request.start_time + moved,
            deadline=None if request.deadline is None else request.deadline + moved,
        )
    return replace(job, submitted=submitted, request=request)
