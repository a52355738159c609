"""The cases that incremental runs support; all others need a full run.

Not supported: advance reservations, suspension by thresholds or commands, and amounts whose sum depends on the order.
"""

from qmon_tui.model import FINISHED, GONE, Job, State, Task
from qmon_tui.scheduler.configuration import CompiledCluster
from qmon_tui.scheduler.jobs import Demand

MOST_EXACT = 2.0**40
"""Whole numbers smaller than this are added up exactly in any order."""
_PLAIN_STATES = frozenset({"r", "t", "S", "St", FINISHED, GONE})


class NotIncremental(Exception):
    """Raised if incremental runs do not support the input; the caller makes a full run."""


def follows_cluster(compiled: CompiledCluster) -> bool:
    """True if incremental runs support a configuration."""
    policy = compiled.policy
    if policy.filters_jobs:
        return False
    return all(is_exact(attribute.default_amount) for attribute in compiled.attributes.by_name.values())


def follows_state(state: State) -> bool:
    """True if incremental runs support a state: it has no advance reservation."""
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
        # The scheduler keeps counting a task as suspended once it was sent to it while suspended.
        raise NotIncremental
    is_held = task.state == "hqw" and not task.granted and not task.tickets and task.started is None
    if task.state not in _PLAIN_STATES and not is_held:
        raise NotIncremental


def check_demand(demand: Demand) -> None:
    """Raise `NotIncremental` for a demand whose sums depend on the order of addition."""
    if not all(map(is_exact, demand.amounts.values())):
        raise NotIncremental


def is_exact(amount: float) -> bool:
    """True if sums of such amounts do not depend on the order of addition."""
    return -MOST_EXACT < amount < MOST_EXACT and float(amount).is_integer()
