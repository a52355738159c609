"""Results of one scheduling run; the names are qstat's columns (-pri, -urg, -ext), the numbers are not rounded."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
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
    """True if it suspends running jobs; False if they continue."""
    until: int | None
    """End of the period, seconds since the epoch; None if it never ends."""


class PendingKind(StrEnum):
    """The reason why a task is pending; if several apply, the last one of this list."""

    WAITING = "waiting"
    """Lacks only room: resources, quotas, -tc or limits of jobs."""
    IMPOSSIBLE = "impossible"
    """Fits nowhere even on the empty cluster, as `qalter -w v` finds."""
    FUTURE = "future"
    """Its start time (-a) is in the future."""
    DEPENDENT = "dependent"
    """Waits for other jobs (-hold_jid, -hold_jid_ad)."""
    HELD = "held"
    """A user, an operator or the system holds it."""
    ERROR = "in error"
    """Has state E."""


class TaskOutcome(NamedTuple):
    """One task after the run. `state` is `t` for a task that this run started."""

    task: int
    state: str
    granted: Mapping[str, int]
    """Queue instance -> slots, the master queue first."""
    reserved: Mapping[str, int]
    """Queue instance -> slots of the reservation made in this run."""
    prior: float = 0.0
    ntckts: float = 0.0
    tckts: float = 0.0
    otckt: float = 0.0
    ftckt: float = 0.0
    stckt: float = 0.0
    share: float = 0.0
    reserved_from: int | None = None
    """Start of the reservation, seconds since the epoch; None without one."""
    reserved_until: int | None = None
    """End of the reservation, seconds since the epoch, 2^32 - 1 for never; None without one."""
    keeps_numbers: bool = False
    """True if the scheduler counts the task as suspended: qstat then shows its previous numbers."""
    state_before: str = ""
    """Its state before the run."""
    pending: PendingKind | None = None
    """Why it was pending before the run; None if it was not. Impossible jobs are in `Outcome.impossible`."""

    @property
    def granted_before(self) -> Mapping[str, int]:
        """Queue instance -> slots that it had before the run."""
        return {} if self.pending is not None else self.granted

    @property
    def is_reserved_for_ever(self) -> bool:
        """True if the reservation never ends."""
        return self.reserved_until == INFINITE


class JobOutcome(NamedTuple):
    """One job after the run, `project` None without one; ticket columns are those of the first task taking part."""

    id: int
    name: str
    owner: str
    project: str | None
    department: str
    slots: int
    """Slots of each running task; while a task is pending, the number that urgency_slots derives from its range."""
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
    """The text with which qsub would have refused the job; None if it accepts the job."""
    reasons: tuple[str, ...]
    """This job's own scheduling info lines, as in qstat -j."""
    not_simulated: tuple[str, ...] = ()
    """Unsimulated features that the job uses; it is left pending."""
    reservation_rejected: bool = False
    """True if later runs do not try a reservation for jobs of this category."""
    meant: tuple[str, ...] = ()
    """Questions such as `did you mean node1.cluster.local?` about hosts that a refused job asks for."""
    wanted: int = 1
    """The number of slots that urgency_slots derives from the job's range."""

    def slots_of(self, task: TaskOutcome, *, after: bool = True) -> int:
        """Return the slots that one of its tasks holds or wants after the run, or before it."""
        if after:
            return sum(task.granted.values()) or self.slots
        return sum(task.granted_before.values()) or self.wanted


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
    """The calendar that disables or suspends it; None if none does."""


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
    """Name of the resource; for a quota set also the key under which it is counted."""
    amount: float


@dataclass(frozen=True, slots=True)
class ShareNodeOutcome:
    """One node of the share tree, as sge_share_mon(1) and qmon show it; `user` is None if it is no user's node."""

    path: str
    """Path of the node, `/` for the root; users who share a `default` node are listed below it."""
    name: str
    user: str | None
    project: str | None
    """The project of the node or of a node above it."""
    shares: int
    level: float
    """Its fraction of its siblings' shares, 0 to 1."""
    total: float
    """Its fraction of the whole tree by shares, 0 to 1."""
    jobs: int
    """Number of pending and running tasks that get tickets."""
    running: int
    long_term: float
    """Its fraction of the whole tree by shares, counting only nodes with tasks."""
    target: float
    """Like `long_term`, corrected for past usage: tickets follow this fraction."""
    actual: float
    """Its fraction of all usage."""
    usage: float
    """Combined usage, weighted by usage_weight_list."""


@dataclass(frozen=True, slots=True)
class QuotaUse:
    """One line of qquota: the use of one limit of a quota rule under one key."""

    rule: str
    """SET/RULE, or SET/n for a rule without a name."""
    attribute: str
    used: str | None
    """Amount as qquota prints it; None if the limit is only compared with each request, not counted."""
    limit: str
    filter: str
    """The rule's filters, with the counted name instead of braces: `users anna hosts @fast`; - if it has none."""

    @property
    def text(self) -> str:
        """The second column of qquota."""
        return f"{self.attribute}={self.limit}" if self.used is None else f"{self.attribute}={self.used}/{self.limit}"


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Outcome:
    """Result of one run. `jobs` begins with the sorted pending list; the other jobs follow by number."""

    at: int
    jobs: Sequence[JobOutcome]
    queue_instances: Sequence[InstanceOutcome]
    messages: tuple[str, ...]
    """Scheduling messages that hold for every job."""
    not_simulated: tuple[str, ...] = ()
    """Configured features that are not simulated."""
    not_grid_engine: str | None = None
    """Name of the priority formulas if they are not Grid Engine's."""
    timeline: Sequence[ScheduleEntry] = ()
    """Uses of resources with their periods, in the order of the decisions; empty unless reservations were made."""
    sharetree: Sequence[ShareNodeOutcome] = ()
    """All nodes of the share tree, depth first; empty if there is none."""
    usage: PastUsage = field(default_factory=PastUsage)
    """Usage of all users and projects after the run."""
    pe_alg: PeAlg = (0, 0, 0)
    """The scheduler's scores after the run; see `State.pe_alg`."""
    quotas: Sequence[QuotaUse] | None = None
    """Lines of `qquota -u '*'`, computed when first read; None if no quota set is enabled."""
    quota_filters: Mapping[str, Filters] = field(default_factory=dict)
    """Label of a quota rule that a message names -> its filters."""
    ranges: Sequence[tuple[float, float]] = ()
    """(lowest, highest) normalised urgency, tickets and POSIX priority of the tasks that this run could start.

    Empty if there are none: tasks that are held, or wait for a time or for other jobs, have no priority.
    """
    instances_before: Sequence[InstanceOutcome] = field(default=(), compare=False, repr=False)
    """The queue instances before the run, in the order of `queue_instances`; computed when first read."""
    quotas_before: Sequence[QuotaUse] | None = field(default=None, compare=False, repr=False)
    """`quotas` before the run."""
    impossible: Collection[int] = field(default=(), compare=False, repr=False)
    """Numbers of jobs with waiting tasks left after the run that fit nowhere even on the empty cluster;
    computed when first read."""

    def job(self, job_id: int) -> JobOutcome | None:
        """Return the outcome of one job; None if the run has no such job."""
        if isinstance(self.jobs, LazySequence):
            return self.jobs.numbered(job_id)
        return next((job for job in self.jobs if job.id == job_id), None)

    def pending_kind(self, job: JobOutcome, task: TaskOutcome, *, after: bool = False) -> PendingKind | None:
        """Return why a task is pending before the run, or `after` it; None if it is not."""
        kind = task.pending if not (after and task.granted) else None
        return PendingKind.IMPOSSIBLE if kind is PendingKind.WAITING and job.id in self.impossible else kind
