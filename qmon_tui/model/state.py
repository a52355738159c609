"""The state of a cluster before a scheduling run: jobs, load values, queue states, past usage, the time.

Also the jobs that exist at a time, and the beginning of a simulated day (lifecycle.md#submission).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from qmon_tui.model.cluster import Origin
from qmon_tui.model.exceptions import NO_DRAINS, Drains
from qmon_tui.model.kinds import Kind
from qmon_tui.model.memoize import memoized
from qmon_tui.model.simulation_plan import NO_PLAN, SimulationPlan

if TYPE_CHECKING:
    from qmon_tui.model.jobs import AdvanceReservation, Amounts, Job, Task


@dataclass(frozen=True, slots=True)
class Usage:
    """Past usage of a user or project, decayed to a time."""

    amounts: "Amounts" = field(default_factory=lambda: MappingProxyType({}))
    by_project: "Mapping[str, Amounts]" = field(default_factory=lambda: MappingProxyType({}))
    """For a user: project -> usage of the user's jobs in it, which is not part of `amounts`."""
    time: int | None = None
    """Time to which it is decayed, seconds since the epoch; None for the time of the run."""


@dataclass(frozen=True, slots=True)
class PastUsage:
    """Past usage of all users and projects, for the share tree policy."""

    users: Mapping[str, Usage] = field(default_factory=lambda: MappingProxyType({}))
    projects: Mapping[str, Usage] = field(default_factory=lambda: MappingProxyType({}))

    def __bool__(self) -> bool:
        return bool(self.users or self.projects)


EMPTY_MAP: Mapping[str, str] = MappingProxyType({})

QUOTA_SET, ENVIRONMENT, HOST = "quotas/{}", "pes/{}", "hosts/{}"
"""Keys of quota sets, parallel environments and hosts in `State.changed`; queues have no slash in their names."""
DATED = MappingProxyType({Kind.QUOTA: QUOTA_SET, Kind.PE: ENVIRONMENT, Kind.HOST: HOST})
"""Kind -> form of its key in `State.changed`."""


CHANGED_AT, SEEN_AT, REASON_AT, DRAIN_AT = "change of ", "what is seen of ", "reason of ", "drain of "
EXCEPTION_AT = "exception of "
"""Prefixes of keys in `State.places`: lines of the time of change, `seen`, the error's reason, drains, exceptions."""

LAST_NUMBERS = ("jobseqnum", "arseqnum")
"""Fields with the last numbers of jobs and advance reservations; named as the qmaster's files."""
HIGHEST_NUMBER = 9_999_999
"""The highest number of jobs and advance reservations; the next one is 1."""

PeAlg = tuple[int, int, int]
"""Scores of the searches for a number of slots in a range: least, bin, highest (sched_conf(5) PE_RANGE_ALG)."""


@dataclass(frozen=True, slots=True)
class State:
    """Jobs, load values, queue states, usage and reservations at one time."""

    now: int = 0
    """Time of the scheduling run, seconds since the epoch."""
    jobs: tuple["Job", ...] = ()
    loads: Mapping[str, Mapping[str, str]] = field(default_factory=lambda: MappingProxyType({}))
    """Host -> load value name -> text."""
    queue_states: Mapping[str, str] = field(default_factory=lambda: EMPTY_MAP)
    """Queue instance -> state letters before the run."""
    error_reasons: Mapping[str, str] = field(default_factory=lambda: EMPTY_MAP)
    """Queue instance -> known reason of its error state E, in the words of `qstat -explain E`."""
    drains: Drains = field(default_factory=lambda: NO_DRAINS)
    """Host or queue instance -> the reasons for which it was disabled; the scheduler does not read them."""
    exceptions: Drains = field(default_factory=lambda: NO_DRAINS)
    """Member of a userset, or holder of override tickets -> end and reason; see `model/exceptions.py`."""
    usage: PastUsage = field(default_factory=PastUsage)
    reservations: tuple["AdvanceReservation", ...] = ()
    changed: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    """Queue, queue instance, `quotas/NAME`, `pes/NAME` or `hosts/NAME` -> time of the last change, if known.

    A change moves the object to the end of the scheduler's list. A host changes when it is edited, reports its load, or
    when a task ends that used one of its consumables. A restarted scheduler takes the qmaster's order, which is that of
    creation and edits; a restarted qmaster sorts by name.
    """
    seen_suspended: frozenset[str] = frozenset()
    """Queue instances that another queue had suspended when they were last sent to the scheduler as a whole.

    The scheduler counts their suspensions from then on, and does not notice in the same run if a start suspends one.
    """
    pe_alg: PeAlg = (0, 0, 0)
    """The scheduler's scores of its searches; PROFILE=1 logs them: `-34/-68/-136 pe-alg`.

    With PE_RANGE_ALG=auto the best one is used (parallel.md#search-for-the-number-of-slots); a restarted scheduler
    begins with 0.
    """
    jobseqnum: int = 0
    """Last job number given; 0 if no number was higher than those in `jobs`."""
    arseqnum: int = 0
    """Last number given to an advance reservation; 0 as above."""
    simulation: SimulationPlan = NO_PLAN
    """Settings of a simulation of the cluster."""
    beginning: int | None = field(default=None, compare=False)
    """Beginning of a simulated day if the folder has no `now`, seconds since the epoch; None: it begins at `now`."""
    numbers: "Mapping[tuple[int, int], Amounts]" = field(default_factory=lambda: MappingProxyType({}))
    """Numbers that qstat shows after the last run: (job, task) -> its tickets, for each task with `LaterNumbers`, and
    (job, 0) -> the columns of the job, without those that are 0.
    """
    admitted: bool = False
    """True for a running cluster: its qmaster has accepted all jobs, even those that it would refuse by now."""
    places: Mapping[str, Origin] = field(default_factory=lambda: MappingProxyType({}), compare=False)
    """Host or queue instance -> file and line of its load values or state."""

    @property
    def begins_with_first_job(self) -> bool:
        """True if a simulated day begins with the first submission, so that `now` in the folder would change it."""
        return self.beginning is not None and self.beginning == min((job.submitted for job in self.jobs), default=None)

    def numbers_of(self, job: int, number: int, task: "Task") -> "Amounts | None":
        """Return the tickets that qstat shows for a task; None if unknown (see `Task.tickets`)."""
        from qmon_tui.model.jobs import LaterNumbers  # late: most runs ask for none

        return self.numbers.get((job, number)) if isinstance(task.tickets, LaterNumbers) else task.tickets

    def columns_of(self, job: "Job") -> "Amounts":
        """Return the columns of a job that qstat shows (`COLUMNS`), by name, without those that are 0."""
        known = self.numbers.get((job.id, 0))
        return known if known is not None else job.columns or {}

    def changes_of(self, form: str) -> dict[str, float]:
        """Return name -> time of the last change, for objects whose keys have this form (such as `QUOTA_SET`)."""
        prefix = form.format("")
        return {key.removeprefix(prefix): when for key, when in self.changed.items() if key.startswith(prefix)}


def existing_at(state: State, now: int | None = None) -> State:
    """Return the state without the jobs that are submitted after `now`; the same object if there are none.

    `now` is in seconds since the epoch, the time of the state by default. `State.now` is unchanged.
    """
    now = state.now if now is None else now
    return state if _last_submission(state.jobs) <= now else _existing_at(state, str(now))


@memoized(size=4)
def _last_submission(jobs: tuple["Job", ...]) -> float:
    return max((job.submitted for job in jobs), default=float("-inf"))


@memoized(size=4)
def _existing_at(state: State, now: str) -> State:
    """Return the state at `now`, memoized because a run recognises the previous run's state by its identity."""
    jobs = tuple(job for job in state.jobs if not job.is_to_come(int(now)))
    return state if len(jobs) == len(state.jobs) else replace(state, jobs=jobs)


def beginning_of_day(state: State) -> int:
    """Return the beginning of a day if the state has no time of its own, in seconds since the epoch.

    That is the latest time of a past event; without any, the first submission; without jobs, the state's time.
    """
    latest = max(_past_event_times(state), default=None)
    if latest is not None:
        return int(latest)
    return min((job.submitted for job in state.jobs), default=state.now)


def _past_event_times(state: State) -> Iterator[float]:
    for job in state.jobs:
        if job.has_begun:
            yield job.submitted
        moments = [job.changed, *(moment for task in job.tasks.values() for moment in (task.started, task.changed))]
        yield from (moment for moment in moments if moment is not None)
    yield from state.changed.values()
    for usage in (*state.usage.users.values(), *state.usage.projects.values()):
        if usage.time is not None:
            yield usage.time
    yield from (granted.submitted for granted in state.reservations if granted.submitted is not None)


def at_beginning_of_day(state: State) -> State:
    """Return the state at the beginning of a simulated day: its own time if it has one, else `State.beginning`."""
    if state.beginning is None:
        return state
    at = state.beginning
    return replace(
        state, now=at, beginning=None, reservations=tuple(_before_start(granted, at) for granted in state.reservations)
    )


def _before_start(granted: "AdvanceReservation", now: int) -> "AdvanceReservation":
    """Return the advance reservation, waiting (w) again if it starts after `now`."""
    return replace(granted, state="w") if granted.state == "r" and granted.start > now else granted
