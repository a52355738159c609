"""What can be said about one task of one run, as data: its priority, why it waits, and what would change that."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from qmon_tui.model import CalendarClosing, Filters


class ReasonKind(StrEnum):
    """What kind of reason keeps a task waiting; in the order in which they are told."""

    IMPOSSIBLE = "impossible"
    """It does not fit even on the empty cluster, though no place refuses it by itself."""
    HELD = "held"
    """It is held, or in an error state: somebody has to let it go."""
    NOT_YET = "not yet"
    """It waits for other jobs, or for its own start time."""
    POLICY = "policy"
    """A rule about jobs lets it wait: a limit on jobs, a reservation, its turn."""
    QUOTA = "quota"
    """A resource quota rule."""
    BUSY = "busy"
    """It would fit if less were in use, or if less load were reported."""
    STATE = "state"
    """The queue instance takes no jobs now: disabled, suspended, in error, in alarm."""
    NEVER = "never"
    """It does not fit however little is in use."""


@dataclass(frozen=True, slots=True)
class Bound:
    """One end of a normalisation, and whose value it is; no job where the formula fixes it."""

    value: float
    job: int | None = None
    task: int | None = None
    state: str = ""
    """The state letter of the task whose value it is: r for a running one."""


@dataclass(frozen=True, slots=True)
class PriorityTerm:
    """One contribution to a priority: weight * normalised value, and where the value comes from."""

    name: str
    """urgency, tickets or POSIX priority."""
    weight: float
    normalised: float
    value: float
    """weight * normalised."""
    detail: tuple[tuple[str, float], ...]
    """The raw parts, for instance ("rrcontr", 1000.0)."""
    explanation: str
    """One sentence in words."""
    lowest: Bound | None = None
    """What is normalised to 0, or to -1 where -p has two signs; None where nothing is."""
    highest: Bound | None = None
    """What is normalised to 1."""


@dataclass(frozen=True, slots=True)
class ShownPriority:
    """What qstat shows where that is not the priority of a task, and why."""

    prior: float
    because: str


@dataclass(frozen=True, slots=True)
class JobAhead:
    """A job that is tried earlier, and why."""

    job: int
    task: int
    name: str
    owner: str
    prior: float
    lead: float
    """How much its priority is higher."""
    by: str
    """The term that makes the difference: that of the largest gap in its favour; else what breaks the tie."""
    cause: str
    """The raw part behind it, such as wtcontr or ftckt; empty where there is none."""
    gaps: tuple[tuple[str, float], ...]
    """By how much each term is higher than the waiting task's; the lead is their sum."""
    place: str
    """The first queue instance where this run starts it; empty where it does not."""
    left_out: str = ""
    """What leaves it out of this run before a task of it starts; empty where nothing does."""


@dataclass(frozen=True, slots=True)
class Holder:
    """A task that has something that another one lacks."""

    job: int
    task: int | None
    """None for a job that is no array."""
    owner: str
    amount: float
    text: str
    """The amount as messages have it."""
    until: int | None = None
    """When it is over at the latest, seconds since the epoch; None where nothing limits it."""
    by: str = ""
    """What says so: h_rt, its run time."""


@dataclass(frozen=True, slots=True)
class ReasonGroup:
    """One reason and all queue instances for which it holds; none where it is the job's own or the whole cluster's."""

    why: ReasonKind
    level: str
    """job, cluster, global, host or queue."""
    message: str
    """In qstat -j's words; where several places differ, an ellipsis stands for them."""
    instances: tuple[str, ...]
    attribute: str | None = None
    """The attribute that decides, where one does."""
    closing: CalendarClosing | None = None
    """The calendar that is behind it, where one is."""
    state: str = ""
    """What keeps the queue instances from taking jobs, where their state tells it, in words."""
    holders: tuple[Holder, ...] = ()
    """Who has the amount that is missing, who ends first before the others."""
    details: tuple[str, ...] = ()
    """Who is behind it and until when, each in a short sentence: the jobs waited for, who may release a hold."""


@dataclass(frozen=True, slots=True)
class InstanceReason:
    """Why one queue instance did not take the job, in qstat -j's words; `level` is global, host, queue or quota."""

    instance: str
    level: str
    message: str
    attribute: str | None = None
    """The attribute that decides, where one does."""
    why: ReasonKind = ReasonKind.NEVER


@dataclass(frozen=True, slots=True)
class Missing:
    """One thing that a place lacks, in numbers where there are any; texts are spelled as one would type them."""

    what: str
    """The attribute; or what else it is: state, access, queue list, …"""
    level: str
    place: str
    """The host, queue instance or parallel environment that lacks it."""
    words: str
    """A short sentence without the place."""
    wanted: str = ""
    offered: str = ""
    total: str = ""
    """What would be offered with nothing in use, where that is more."""
    gap: str = ""
    """How much more it would have to offer."""


@dataclass(frozen=True, slots=True)
class NearestPlace:
    """The queue instance (or parallel environment) that misses least, and all that it misses."""

    place: str
    missing: tuple[Missing, ...]

    @property
    def words(self) -> str:
        """The place, with "PE" before the name of a parallel environment: only that of a queue instance has an @."""
        return self.place if "@" in self.place else f"PE {self.place}"


@dataclass(frozen=True, slots=True)
class Change:
    """A change that would let the task start, verified by running the engine with it."""

    description: str
    kind: str
    """The kind of the object that changes; or job, or queue instance."""
    name: str
    field: str
    before: str
    after: str
    command: str = ""
    """What makes the change on a real cluster, where a single command does."""
    also: tuple["Change", ...] = ()
    """What has to be changed besides."""
    starts_on: tuple[str, ...] = ()
    """The queue instances that the task then gets, the master queue first."""
    costs: tuple[str, ...] = ()
    """What others lose by it in this run, each in a short sentence; empty where nobody does."""


@dataclass(frozen=True, slots=True)
class ExpectedStart:
    """When a task would start if one waits."""

    at: int
    """Seconds since the epoch."""
    after: str
    """What has happened then, as in `job 12 has ended (h_rt)`."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Everything that can be said about one task in one run."""

    job: int
    task: int
    state: str
    prior: float
    terms: tuple[PriorityTerm, ...]
    rank: int | None
    """1-based place in the sorted pending list; None for a task that does not take part."""
    pending: int
    """Length of the sorted pending list."""
    reasons: tuple[str, ...]
    """The job's messages followed by the global ones, as qstat -j prints them."""
    instances: Sequence[InstanceReason]
    changes: tuple[Change, ...]
    tried: int | None = None
    """How many changes were tried to find these; None if none were searched for."""
    rejected: str | None = None
    """The text with which qsub would have refused the job."""
    meant: tuple[str, ...] = ()
    """Questions such as `did you mean node1.cluster.local?` about hosts that a refused job asks for."""
    not_simulated: tuple[str, ...] = ()
    at: int = 0
    """When the run was, seconds since the epoch."""
    ahead: tuple[JobAhead, ...] = ()
    """The jobs right ahead of it, the first of the list before them where there are too many to tell."""
    groups: tuple[ReasonGroup, ...] = ()
    nearest: NearestPlace | None = None
    not_grid_engine: str | None = None
    """The name of the formulas of the priority, where they are not Grid Engine's."""
    notes: tuple[str, ...] = ()
    """How a task that this run starts came past others, each in a sentence."""
    expected: ExpectedStart | None = None
    """When it would start by itself; None where that does not follow, or nobody has asked."""
    shown: ShownPriority | None = None
    """What qstat shows instead of `prior`; None where it shows that."""
    quota_filters: Mapping[str, Filters] = field(default_factory=dict)
    """Of the quota rules that messages name, by label."""

    @property
    def waits(self) -> bool:
        """The task is still pending after the run."""
        return "q" in self.state
