"""What a scheduling run needs besides the configuration: jobs, load values, queue states, past usage, the time."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from qmon_tui.model.cluster import Origin
from qmon_tui.model.kinds import Kind
from qmon_tui.model.simulation_plan import NO_PLAN, SimulationPlan

if TYPE_CHECKING:
    from qmon_tui.model.jobs import AdvanceReservation, Job, LaterNumbers, PeRequest, Request, Task, TaskRange


Amounts = Mapping[str, float]
"""Kind of usage (cpu, mem, io, finished_jobs ...) -> amount; cpu in seconds, mem in gigabyte seconds."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What a user or a project has used in the past, faded up to some time."""

    amounts: Amounts = field(default_factory=lambda: MappingProxyType({}))
    by_project: Mapping[str, Amounts] = field(default_factory=lambda: MappingProxyType({}))
    """Of a user: what his jobs in each project used, which is not in `amounts`."""
    time: int | None = None
    """Up to when it has faded, seconds since the epoch; None for the time of the run."""


@dataclass(frozen=True, slots=True)
class PastUsage:
    """The past usage of everybody, from which the share tree works out who may go first."""

    users: Mapping[str, Usage] = field(default_factory=lambda: MappingProxyType({}))
    projects: Mapping[str, Usage] = field(default_factory=lambda: MappingProxyType({}))

    def __bool__(self) -> bool:
        return bool(self.users or self.projects)


__all__ = [
    "AdvanceReservation",
    "Amounts",
    "Job",
    "LaterNumbers",
    "PastUsage",
    "PeRequest",
    "Request",
    "State",
    "Task",
    "TaskRange",
    "Usage",
]

EMPTY_MAP: Mapping[str, str] = MappingProxyType({})


def __getattr__(name: str) -> Any:
    """Jobs are declared when somebody asks for them: `check` of a cluster without any starts sooner."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from qmon_tui.model import jobs  # late, see the docstring

    return getattr(jobs, name)


QUOTA_SET, ENVIRONMENT, HOST = "quotas/{}", "pes/{}", "hosts/{}"
"""How quota sets, parallel environments and hosts are called among queues: these have no slash in their names."""
DATED = MappingProxyType({Kind.QUOTA: QUOTA_SET, Kind.PE: ENVIRONMENT, Kind.HOST: HOST})
"""By kind."""


CHANGED_AT, SEEN_AT, REASON_AT = "change of ", "what is seen of ", "reason of "
"""Lead a name in `State.places`: of when it changed, of what the scheduler takes it for, and of its error."""

LAST_NUMBERS = ("jobseqnum", "arseqnum")
"""Fields of a state, called as the qmaster's files are: the last numbers of jobs and of advance reservations."""
HIGHEST_NUMBER = 9_999_999
"""Of both; the next one is 1 once more."""

PeAlg = tuple[int, int, int]
"""Scores of the searches for a number of slots in a range: least, bin, highest (sched_conf(5) PE_RANGE_ALG)."""


@dataclass(frozen=True, slots=True)
class State:
    """The moving part of a cluster at one moment."""

    now: int = 0
    """Time of the scheduling run, seconds since the epoch."""
    jobs: tuple["Job", ...] = ()
    loads: Mapping[str, Mapping[str, str]] = field(default_factory=lambda: MappingProxyType({}))
    """Host -> load value name -> text."""
    queue_states: Mapping[str, str] = field(default_factory=lambda: EMPTY_MAP)
    """Queue instance -> state letters before the run."""
    error_reasons: Mapping[str, str] = field(default_factory=lambda: EMPTY_MAP)
    """Queue instance -> why it has the letter E, in the words of `qstat -explain E`; only those that are known."""
    usage: PastUsage = field(default_factory=PastUsage)
    """Past usage of users and projects."""
    reservations: tuple["AdvanceReservation", ...] = ()
    """Advance reservations."""
    changed: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    """Queue, queue instance, `quotas/NAME`, `pes/NAME` or `hosts/NAME` -> when the qmaster last changed it, if known.

    With that it came to the end of the scheduler's list. A host changes when it is edited or reports its load, and with
    the end of a task that used something of what the host counts. A scheduler that starts again forgets this and takes
    the order of the qmaster, which is that of creation and edits; a qmaster that starts again has the order of names.
    """
    seen_suspended: frozenset[str] = frozenset()
    """Queue instances that stood still because of another one when they were last sent to the scheduler as a whole.

    It goes on counting who suspends them from there: a start that suspends one of them is not noticed in its run.
    """
    pe_alg: PeAlg = (0, 0, 0)
    """What the scheduler remembers of its searches, as it logs it with PROFILE=1: `-34/-68/-136 pe-alg`.

    With PE_RANGE_ALG=auto the best is taken (parallel.md#search-for-the-number-of-slots); a scheduler that starts again
    has forgotten.
    """
    jobseqnum: int = 0
    """The last number that a job was given; 0 where no job has had a higher one than those that are there."""
    arseqnum: int = 0
    """The same of advance reservations."""
    simulation: SimulationPlan = NO_PLAN
    """What a simulation of the cluster needs besides."""
    beginning: int | None = field(default=None, compare=False)
    """When a simulated day begins if the folder has no `now`, seconds since the epoch; None for at `now`."""
    numbers: Mapping[tuple[int, int], Amounts] = field(default_factory=lambda: MappingProxyType({}))
    """Job and task -> its numbers, for those of which the task itself has `LaterNumbers`."""
    places: Mapping[str, Origin] = field(default_factory=lambda: MappingProxyType({}), compare=False)
    """Host or queue instance -> where its load values or its state were read."""

    @property
    def begins_with_first_job(self) -> bool:
        """True if a simulated day begins with the first submission, so that `now` in the folder would change it."""
        return self.beginning is not None and self.beginning == min((job.submitted for job in self.jobs), default=None)

    def numbers_of(self, job: int, number: int, task: "Task") -> Amounts | None:
        """The numbers that qstat goes on showing of a task; None where they are not known (see `Task.tickets`)."""
        from qmon_tui.model.jobs import LaterNumbers  # late: jobs know the state's types

        return self.numbers.get((job, number)) if isinstance(task.tickets, LaterNumbers) else task.tickets

    def changes_of(self, form: str) -> dict[str, float]:
        """When quota sets, parallel environments or hosts, whichever `form` is for, changed last, by their names."""
        prefix = form.format("")
        return {key.removeprefix(prefix): when for key, when in self.changed.items() if key.startswith(prefix)}
