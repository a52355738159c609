"""Assumed run times of tasks, and the time window of an attempt (reservation.md#duration-of-a-job); in seconds."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from qmon_tui.scheduler.configuration import QueueProfile
from qmon_tui.scheduler.jobs import Demand, RunJob
from qmon_tui.scheduler.matching import Resources
from qmon_tui.scheduler.reservation.step_function import lengthened, until
from qmon_tui.values import INFINITE

_LIMITS: Final = ("h_rt", "s_rt")


def requested_duration(demand: Demand) -> int | None:
    """Return the smaller of the requested h_rt and s_rt in seconds; None if neither is requested."""
    limits = [_whole(request.amount) for request in demand.hard if request.attribute.name in _LIMITS]
    return min(limits, default=None)


def pending_duration(demand: Demand, default: int, offset: int) -> int:
    """Return the assumed run time of a pending job in seconds; `default` applies to jobs without a requested limit.

    `offset`: DURATION_OFFSET. Run time limits of queues are ignored.
    """
    limit = requested_duration(demand)
    return lengthened(default if limit is None else limit, offset)


def duration_limit(demand: Demand, granted: Iterable[QueueProfile]) -> int:
    """Return the run time limit of a starting task in seconds: the request, else the lowest limit of its queues."""
    limit = requested_duration(demand)
    if limit is None:
        limit = min((_whole(profile.fields[name].number) for profile in granted for name in _LIMITS), default=INFINITE)
    return limit


def wallclock_limit_of(run_job: RunJob, number: int, resources: Resources) -> int:
    """Return the run time limit of a started task in seconds; `INFINITE` for none; if unknown, the present limit."""
    task = run_job.job.tasks[number]
    if task.wallclock_limit is not None:
        return _whole(task.wallclock_limit)
    profiles = (resources.instances[instance].profile for instance, _ in resources.grants_of(task))
    return duration_limit(run_job.demand, profiles)


def started_duration(run_job: RunJob, number: int, resources: Resources) -> int:
    """Return the assumed run time of a started task in seconds since its start, from its limit at that time."""
    policy, limit = resources.compiled.policy, wallclock_limit_of(run_job, number, resources)
    return lengthened(policy.default_duration if limit == INFINITE else limit, policy.duration_offset)


def _whole(seconds: float) -> int:
    return int(min(seconds, INFINITE))


@dataclass(slots=True)
class TimeWindow:
    """The interval that the checks of one attempt cover: `duration` seconds from `start` (seconds since the epoch)."""

    now: int
    start: int = 0
    duration: int = 0

    @property
    def end(self) -> int:
        """The first second after the interval."""
        return until(self.start, self.duration)

    def open(self, duration: int) -> None:
        """Set the interval for an attempt to start a job now."""
        self.start, self.duration = self.now, duration

    def reserve(self, start: int) -> None:
        """Set the interval for an attempt to start the same job at another time."""
        self.start = start
