"""Immediate jobs (qsub -now y): all tasks start in this run, or the job is removed (dispatch.md#main-loop)."""

from collections.abc import Sequence
from dataclasses import replace

from qmon_tui.model import Job, State
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.matching import Denial, DenialReason, Resources, StartOrder

TRY_AGAIN = "Your qsub request could not be scheduled; try again later."


def waiting_state(state: State, number: int) -> State:
    """Return the state with job `number` as a normal job (-now n), which stays pending if it cannot start."""
    return replace(
        state,
        jobs=tuple(
            replace(job, request=replace(job.request, immediate=False)) if job.id == number else job
            for job in state.jobs
        ),
    )


def remove_immediate(
    pending: list[RunJob], starts: Sequence[StartOrder], resources: Resources
) -> list[tuple[Job, str]]:
    """Remove immediate jobs with unstarted tasks and deny their started ones; return (job, qsub's message) of each.

    The denied starts are credited in `resources`, but blocked other jobs in this run.
    """
    removed = [run_job for run_job in pending if run_job.job.request.immediate and run_job.remaining]
    if not removed:
        return []
    gone = {run_job.id for run_job in removed}
    for start in starts:
        if start.run_job.id in gone and not start.refused:
            start.denial = Denial(DenialReason.NOT_AT_ONCE)
            resources.credit(start.run_job.demand, start.grants)
    pending[:] = [run_job for run_job in pending if run_job.id not in gone]
    return [(run_job.job, TRY_AGAIN) for run_job in removed]
