"""How long tasks are taken to run, and the time window in which one is tried (reservation.md#duration-of-a-job)."""

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
    """The smaller one of the run times that a job asks for; None where it asks for none."""
    limits = [_whole(request.amount) for request in demand.hard if request.attribute.name in _LIMITS]
    return min(limits, default=None)


def pending_duration(demand: Demand, default: int, offset: int) -> int:
    """How long a pending job would run; the limits of queues are not looked at."""
    limit = requested_duration(demand)
    return lengthened(default if limit is None else limit, offset)


def duration_limit(demand: Demand, granted: Iterable[QueueProfile]) -> int:
    """For how long a task is started: what its job asks for, else what its queue instances allow."""
    limit = requested_duration(demand)
    if limit is None:
        limit = min((_whole(profile.fields[name].number) for profile in granted for name in _LIMITS), default=INFINITE)
    return limit


def wallclock_limit_of(run_job: RunJob, number: int, resources: Resources) -> int:
    """Return after how many seconds a started task is ended, `INFINITE` for never; where unknown by what it has now."""
    task = run_job.job.tasks[number]
    if task.wallclock_limit is not None:
        return _whole(task.wallclock_limit)
    profiles = (resources.instances[instance].profile for instance, _ in resources.grants_of(task))
    return duration_limit(run_job.demand, profiles)


def started_duration(run_job: RunJob, number: int, resources: Resources) -> int:
    """How long a running or suspended task was to run from its start; its limit stays the one of that time."""
    policy, limit = resources.compiled.policy, wallclock_limit_of(run_job, number, resources)
    return lengthened(policy.default_duration if limit == INFINITE else limit, policy.duration_offset)


def _whole(seconds: float) -> int:
    return int(min(seconds, INFINITE))


@dataclass(slots=True)
class TimeWindow:
    """The time from `start` on that all checks of one attempt look at."""

    now: int
    start: int = 0
    duration: int = 0

    @property
    def end(self) -> int:
        """The first moment after it."""
        return until(self.start, self.duration)

    def open(self, duration: int) -> None:
        """A job is to start now."""
        self.start, self.duration = self.now, duration

    def reserve(self, start: int) -> None:
        """The same job is to start at another time."""
        self.start = start
