"""The cases that incremental runs support; all others need a full run.

Not supported: advance reservations, suspension by thresholds or commands, and amounts whose sum depends on the order.
"""

from qmon_tui.model import FINISHED, GONE, Job, State, Task
from qmon_tui.scheduler.configuration import CompiledCluster
from qmon_tui.scheduler.jobs import Demand

MOST_EXACT = 2.0**40
"""Amounts that are whole numbers and smaller than this are added up exactly, in whatever order."""
_PLAIN_STATES = frozenset({"r", "t", "S", "St", FINISHED, GONE})


class NotIncremental(Exception):
    """Raised if incremental runs do not support the input; the caller makes a full run."""


def follows_cluster(compiled: CompiledCluster) -> bool:
    """True if runs on a configuration can be followed at all."""
    policy = compiled.policy
    if policy.filters_jobs:
        return False
    return all(is_exact(attribute.default_amount) for attribute in compiled.attributes.by_name.values())


def follows_state(state: State) -> bool:
    """True if no advance reservations are in a state."""
    return not state.reservations


def check_job(job: Job) -> None:
    """Raise NotIncremental unless the job can only wait, run, be suspended by other queues, and end."""
    request = job.request
    if job.category_ar is not None or request.immediate:
        raise NotIncremental
    if request.advance_reservation is not None or request.hold_jid_ad or request.verify:
        raise NotIncremental
    for task in job.tasks.values():
        _check_task(task)


def _check_task(task: Task) -> None:
    if task.seen_suspended or task.unclean or task.changed is not None:
        # The scheduler counts a task that was sent while suspended as suspended from then on.
        raise NotIncremental
    is_held = task.state == "hqw" and not task.granted and not task.tickets and task.started is None
    if task.state not in _PLAIN_STATES and not is_held:
        raise NotIncremental


def check_demand(demand: Demand) -> None:
    """Raise `NotIncremental` for a demand whose sums depend on the order in which they are made."""
    if not all(map(is_exact, demand.amounts.values())):
        raise NotIncremental


def is_exact(amount: float) -> bool:
    """True if sums of such amounts are the same in whatever order they are made."""
    return -MOST_EXACT < amount < MOST_EXACT and float(amount).is_integer()
