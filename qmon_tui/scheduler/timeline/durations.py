"""How long tasks are taken to run, in seconds (dispatch.md sections 5.2 and 9.1)."""

from collections.abc import Iterable
from typing import Final

from qmon_tui.scheduler.compiled.queues import Profile
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.requests import Demand
from qmon_tui.scheduler.resources import Resources
from qmon_tui.scheduler.timeline.steps import lengthened
from qmon_tui.values.times import INFINITE

_LIMITS: Final = ("h_rt", "s_rt")


def requested(demand: Demand) -> int | None:
    """The smaller one of the run times that a job asks for; None where it asks for none."""
    limits = [_whole(one.amount) for one in demand.hard if one.attribute.name in _LIMITS]
    return min(limits, default=None)


def of_pending(demand: Demand, default: int, offset: int) -> int:
    """How long a pending job would run; the limits of queues are not looked at."""
    limit = requested(demand)
    return lengthened(default if limit is None else limit, offset)


def limit_of(demand: Demand, granted: Iterable[Profile]) -> int:
    """For how long a task is started: what its job asks for, else what its queue instances allow."""
    limit = requested(demand)
    if limit is None:
        limit = min((_whole(profile.fields[name].number) for profile in granted for name in _LIMITS), default=INFINITE)
    return limit


def of_started(run_job: RunJob, number: int, resources: Resources) -> int:
    """How long a running or suspended task was to run from its start; its limit stays the one of that time."""
    task, policy = run_job.job.tasks[number], resources.compiled.policy
    if task.wallclock_limit is not None:
        limit = _whole(task.wallclock_limit)
    else:
        profiles = (resources.instances[place].profile for place, _ in resources.grants_of(task))
        limit = limit_of(run_job.demand, profiles)
    return lengthened(policy.default_duration if limit == INFINITE else limit, policy.duration_offset)


def _whole(seconds: float) -> int:
    return int(min(seconds, INFINITE))
