"""Where the shortcuts of runs in a row hold: everything else is left to the plain run.

A run decides by what is booked, by who waits, and by the time. Of these the time is the hard one: what calendars,
reservations, loads and their corrections do with it is not followed here.
"""

from qmon_tui.model import FINISHED, GONE, Job, State, Task
from qmon_tui.scheduler.configuration import CompiledCluster
from qmon_tui.scheduler.jobs import Demand

MOST_EXACT = 2.0**40
"""Amounts that are whole numbers and smaller than this are added up exactly, in whatever order."""
_PLAIN_STATES = frozenset({"r", "t", FINISHED, GONE})


class Beyond(Exception):
    """Something is not followed here."""


def follows_cluster(compiled: CompiledCluster) -> bool:
    """Tell whether runs on a configuration can be followed at all."""
    policy = compiled.policy
    if policy.max_reservation > 0 or policy.filters_jobs:
        return False
    if compiled.subordination is not None or compiled.calendars or compiled.rule_matcher is not None:
        return False
    if not all(is_exact(attribute.default_amount) for attribute in compiled.attributes.by_name.values()):
        return False
    return not any(
        not instance.profile.is_plain or instance.profile.suspend_thresholds for instance in compiled.instances
    )


def follows_state(state: State) -> bool:
    """Tell whether nothing but jobs is in a state that runs on a configuration have to look at."""
    if state.loads or state.reservations or state.seen_suspended:
        return False
    return not any(state.queue_states.values())


def check_job(job: Job) -> None:
    """Raise `Beyond` for a job that does not just wait, run and end."""
    request = job.request
    if job.reservation_rejected or job.category_ar is not None or request.immediate:
        raise Beyond
    if request.advance_reservation is not None or request.hold_jid_ad or request.verify:
        raise Beyond
    for task in job.tasks.values():
        _check_task(task)


def _check_task(task: Task) -> None:
    if task.seen_suspended or task.unclean or task.changed is not None:
        raise Beyond
    is_held = task.state == "hqw" and not task.granted and not task.tickets and task.started is None
    if task.state not in _PLAIN_STATES and not is_held:
        raise Beyond


def check_demand(demand: Demand) -> None:
    """Raise `Beyond` for a demand whose sums depend on the order in which they are made."""
    if not all(map(is_exact, demand.amounts.values())):
        raise Beyond


def is_exact(amount: float) -> bool:
    """Tell whether sums of such amounts are the same in whatever order they are made."""
    return -MOST_EXACT < amount < MOST_EXACT and float(amount).is_integer()
