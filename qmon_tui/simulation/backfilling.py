"""Backfilled tasks: a run starts them although a job with a reservation comes before them in its order.

Source: measures.md#backfilled-tasks.
"""

from qmon_tui.qmaster import RunFacts
from qmon_tui.simulation.execution import TaskKey

_NOTHING: frozenset[TaskKey] = frozenset()


def backfilled_in(run: RunFacts) -> frozenset[TaskKey]:
    """Return the backfilled tasks of a run."""
    reserved = {allocation.job for allocation in run.reservations if allocation.start > run.now}
    if not (reserved and run.started):
        return _NOTHING
    order = run.order
    first = next((rank for rank, number in enumerate(order) if number in reserved), len(order))
    behind = set(order[first + 1 :])
    return frozenset(key for key in run.started if key[0] in behind)
