"""What one scheduling run decided; the names are qstat's columns (-pri, -urg, -ext), the numbers unrounded."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from qmon_tui.model.lazy_sequence import LazySequence
from qmon_tui.model.quota_rules import Filters
from qmon_tui.model.state import PastUsage, PeAlg
from qmon_tui.values import INFINITE


@dataclass(frozen=True, slots=True)
class CalendarClosing:
    """A calendar that keeps a queue instance from taking jobs."""

    calendar: str
    suspends: bool
    """What runs there stands still; otherwise it goes on."""
    until: int | None
    """Seconds since the epoch; None for ever."""


class TaskOutcome(NamedTuple):
    """One task after the run. `state` is `t` for a task that this run started."""

    task: int
    state: str
    granted: Mapping[str, int]
    """Queue instance -> slots, the master queue first."""
    reserved: Mapping[str, int]
    """Queue instance -> slots of the reservation that this run has made."""
    prior: float = 0.0
    ntckts: float = 0.0
    tckts: float = 0.0
    otckt: float = 0.0
    ftckt: float = 0.0
    stckt: float = 0.0
    share: float = 0.0
    reserved_from: int | None = None
    """When the reservation begins, in seconds since the epoch."""
    reserved_until: int | None = None
    """When it ends; 2^32 - 1 for never."""
    keeps_numbers: bool = False
    """The scheduler takes it for suspended: qstat goes on showing the numbers that it had."""

    @property
    def is_reserved_for_ever(self) -> bool:
        """The reservation never ends."""
        return self.reserved_until == INFINITE


class JobOutcome(NamedTuple):
    """One job after the run; the ticket columns are those of its first task that takes part."""

    id: int
    name: str
    owner: str
    project: str | None
    department: str
    slots: int
    """What each of its tasks holds; while one is pending, the number that stands for its ranges (urgency_slots)."""
    prior: float
    nurg: float
    npprior: float
    ntckts: float
    ppri: int
    urg: float
    rrcontr: float
    wtcontr: float
    dlcontr: float
    tckts: float
    ovrts: float
    otckt: float
    ftckt: float
    stckt: float
    share: float
    tasks: tuple[TaskOutcome, ...]
    rejected: str | None
    """The text with which qsub would have refused the job."""
    reasons: tuple[str, ...]
    """This job's own scheduling info lines, as in qstat -j."""
    not_simulated: tuple[str, ...] = ()
    """What the job needs that this engine does not simulate; such a job is left pending and says so."""
    reservation_rejected: bool = False
    """True if later runs do not try a reservation for jobs of this category."""
    meant: tuple[str, ...] = ()
    """Questions such as `did you mean node1.cluster.local?` about hosts that a refused job asks for."""

    def slots_of(self, task: TaskOutcome) -> int:
        """What one of its tasks holds or wants."""
        return sum(task.granted.values()) or self.slots


@dataclass(frozen=True, slots=True)
class InstanceOutcome:
    """One queue instance after the run: slots and the values that `qstat -F` shows, such as hc:memc."""

    name: str
    state: str
    used: int
    reserved: int
    total: int
    values: Mapping[str, str]
    closing: CalendarClosing | None = None
    """The calendar that closes it, where one does."""


@dataclass(frozen=True, slots=True)
class ScheduleEntry:
    """A task's use of one resource of one object: a line of Grid Engine's schedule file.

    Source: reservation.md#schedule-file.
    """

    job: int
    task: int
    kind: str
    """RUNNING, SUSPENDED, STARTING or RESERVING."""
    start: int
    """Seconds since the epoch."""
    end: int
    """Seconds since the epoch; 2^32 - 1 for never."""
    level: str
    """P for a parallel environment, G for the global host, H for a host, Q for a queue instance, L for a quota set."""
    name: str
    resource: str
    """For a quota set the key under which it is counted."""
    amount: float


@dataclass(frozen=True, slots=True)
class ShareNodeOutcome:
    """One node of the share tree, as sge_share_mon(1) and qmon show it."""

    path: str
    """`/` for the root; the users that share a `default` node are shown below it."""
    name: str
    user: str | None
    project: str | None
    """The project that the node is or belongs to."""
    shares: int
    level: float
    """Its part of the shares among its siblings, 0 to 1."""
    total: float
    """Its part of the whole tree by shares, 0 to 1."""
    jobs: int
    """Pending and running tasks that get tickets."""
    running: int
    long_term: float
    """Its part of the whole tree by shares among the nodes that have tasks."""
    target: float
    """The same with past usage taken into account: what tickets follow."""
    actual: float
    """Its part of all usage."""
    usage: float
    """Combined usage, weighed by usage_weight_list."""


@dataclass(frozen=True, slots=True)
class QuotaUse:
    """One line of qquota: what is used of one limit of a quota rule under one key."""

    rule: str
    """SET/RULE, or SET/n for a rule without a name."""
    attribute: str
    used: str | None
    """As qquota prints it; None for what is not counted but only compared with each request."""
    limit: str
    filter: str
    """The filters as configured, those in braces with what is counted here: `users anna hosts @fast`; - without any."""

    @property
    def text(self) -> str:
        """The second column of qquota."""
        return f"{self.attribute}={self.limit}" if self.used is None else f"{self.attribute}={self.used}/{self.limit}"


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Outcome:
    """One run. `jobs` is in the order of `order`: the sorted pending list first, then what else is there by id."""

    at: int
    jobs: Sequence[JobOutcome]
    queue_instances: Sequence[InstanceOutcome]
    messages: tuple[str, ...]
    """Scheduling info lines for every job."""
    not_simulated: tuple[str, ...] = ()
    """What the configuration asks for that this engine does not simulate."""
    not_grid_engine: str | None = None
    """The name of the formulas of the priorities, where they are not Grid Engine's."""
    timeline: Sequence[ScheduleEntry] = ()
    """What is in use from when to when, in the order in which it was decided; only where there are reservations."""
    sharetree: Sequence[ShareNodeOutcome] = ()
    """All nodes of the share tree, depth first; empty where there is none."""
    usage: PastUsage = field(default_factory=PastUsage)
    """Everybody's usage as of this run, with what was booked in it."""
    pe_alg: PeAlg = (0, 0, 0)
    """What the scheduler remembers after the run; see `State.pe_alg`."""
    quotas: Sequence[QuotaUse] | None = None
    """What `qquota -u '*'` shows, worked out when somebody reads it; None where no quota set is enabled."""
    quota_filters: Mapping[str, Filters] = field(default_factory=dict)
    """Of the quota rules that messages name, by label."""
    ranges: Sequence[tuple[float, float]] = ()
    """The lowest and the highest normalised urgency, tickets and POSIX priority of the tasks that this run could start.

    Nothing where there are none: what is held, or has to wait for a time or for other jobs, has no priority.
    """

    def job(self, job_id: int) -> JobOutcome | None:
        """The outcome of one job."""
        if isinstance(self.jobs, LazySequence):
            return self.jobs.numbered(job_id)
        return next((job for job in self.jobs if job.id == job_id), None)
