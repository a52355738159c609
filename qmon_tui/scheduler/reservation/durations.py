"""Assumed run times of tasks, and the time window of an attempt (reservation.md#duration-of-a-job)."""

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
    """Return the smaller one of the requested h_rt and s_rt in seconds; None without."""
    limits = [_whole(request.amount) for request in demand.hard if request.attribute.name in _LIMITS]
    return min(limits, default=None)


def pending_duration(demand: Demand, default: int, offset: int) -> int:
    """Return the assumed run time of a pending job in seconds; limits of queues are ignored."""
    limit = requested_duration(demand)
    return lengthened(default if limit is None else limit, offset)


def duration_limit(demand: Demand, granted: Iterable[QueueProfile]) -> int:
    """Return the run time limit of a start in seconds: the job's request, else the lowest limit of its queues."""
    limit = requested_duration(demand)
    if limit is None:
        limit = min((_whole(profile.fields[name].number) for profile in granted for name in _LIMITS), default=INFINITE)
    return limit


def wallclock_limit_of(run_job: RunJob, number: int, resources: Resources) -> int:
    """Return the seconds after which a started task is killed, `INFINITE` for never; present limits if unknown."""
    task = run_job.job.tasks[number]
    if task.wallclock_limit is not None:
        return _whole(task.wallclock_limit)
    profiles = (resources.instances[instance].profile for instance, _ in resources.grants_of(task))
    return duration_limit(run_job.demand, profiles)


def started_duration(run_job: RunJob, number: int, resources: Resources) -> int:
    """Return the assumed run time of a started task in seconds since its start, by the limit at its start."""
    policy, limit = resources.compiled.policy, wallclock_limit_of(run_job, number, resources)
    return lengthened(policy.default_duration if limit == INFINITE else limit, policy.duration_offset)


def _whole(seconds: float) -> int:
    return int(min(seconds, INFINITE))


@dataclass(slots=True)
class TimeWindow:
    """The interval from `start` on that the checks of one attempt cover."""

    now: int
    start: int = 0
    duration: int = 0

    @property
    def end(self) -> int:
        """The first second after it."""
        return until(self.start, self.duration)

    def open(self, duration: int) -> None:
        """Begin an attempt to start a job now."""
        self.start, self.duration = self.now, duration

    def reserve(self, start: int) -> None:
        """Move the same job to another start time."""
        self.start = start
