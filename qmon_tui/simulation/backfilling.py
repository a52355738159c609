"""Which tasks a run has started although a job that goes before them waits for its reservation.

Source: measures.md#backfilled-tasks.
"""

from qmon_tui.qmaster import QuickRun, Run
from qmon_tui.simulation.execution import TaskKey

_NOTHING: frozenset[TaskKey] = frozenset()


def backfilled_in(run: Run) -> frozenset[TaskKey]:
    """Job and task of each."""
    if isinstance(run, QuickRun):
        return frozenset(run.backfilled)
    if not run.reserved:
        return _NOTHING
    reserved = {plan.job for plan in run.dispatch.reserved if plan.start > run.now}
    starts = [start for start in run.dispatch.starts if not start.refused] if reserved else []
    if not starts:
        return _NOTHING
    first = next((rank for rank, run_job in enumerate(run.pending) if run_job.id in reserved), len(run.pending))
    behind = {run_job.id for run_job in run.pending[first + 1 :]}
    return frozenset((start.run_job.id, start.task) for start in starts if start.run_job.id in behind)
