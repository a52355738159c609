"""Several days that are like each other: the work of the first is as it is given, that of the others is drawn.

Source: workloads.md#seeds-and-days.
"""

from dataclasses import replace
from typing import Final

from qmon_tui.formats.records import Recorded
from qmon_tui.model import Cluster, Job, State
from qmon_tui.simulation.workload.dice import Dice
from qmon_tui.simulation.workload.scaling import moved_to, with_run_times_changed
from qmon_tui.simulation.workload.work import Work, with_work

SHAKEN_SECONDS: Final = 600
"""Largest shift of a submission, in seconds."""
SHAKEN_RUN_TIME: Final = 0.1
"""Largest change of a run time, as a part of it."""


def work_of_day(cluster: Cluster, state: State, day: int = 0, trace: Recorded | None = None) -> Work:
    """The state with the work of one of several like days, drawn from the plan's seed plus the number of the day.

    What is made up is made up again, users of a trace are drawn again, what is written down is shaken. Day 0 is as it
    is given.
    """
    if day == 0:
        return with_work(cluster, state, trace=trace)
    plan = replace(state.simulation, seed=state.simulation.seed + day)
    if trace is not None and plan.workload is not None:
        plan = replace(plan, workload=replace(plan.workload, resample=True))
    work = with_work(cluster, replace(state, simulation=plan), trace=trace)
    own, made = work.state.jobs[: len(state.jobs)], work.state.jobs[len(state.jobs) :]
    return replace(work, state=replace(work.state, jobs=(*shaken(own, work.state.now, plan.seed), *made)))


def shaken(jobs: tuple[Job, ...], now: int, seed: int) -> tuple[Job, ...]:
    """Return the jobs a little earlier or later, longer or shorter. Source: measures.md#shaken-work."""
    dice = Dice(seed, "shaking")
    return tuple(_shaken(job, now, dice) for job in jobs)


def _shaken(job: Job, now: int, dice: Dice) -> Job:
    seconds, part = (limit * (2 * dice.uniform() - 1) for limit in (SHAKEN_SECONDS, SHAKEN_RUN_TIME))
    if not job.is_untouched:
        return job
    if job.is_to_come(now):
        job = moved_to(job, max(now + 1, job.submitted + round(seconds)))
    return with_run_times_changed(job, lambda seconds: max(1, round(seconds * (1 + part))) if seconds else seconds)
