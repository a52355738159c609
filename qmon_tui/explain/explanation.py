"""The explanation of one task in one run, as data: its priority with its arithmetic, obstacles and fixes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from qmon_tui.model import CalendarClosing, Filters


class ReasonKind(StrEnum):
    """Kinds of obstacles that keep a task pending, in the order of display."""

    IMPOSSIBLE = "impossible"
    """The task does not fit even on the empty cluster, though no single place excludes it."""
    HELD = "held"
    """The task is held, or in an error state, until a user releases it."""
    NOT_YET = "not yet"
    """The task waits for other jobs, or for its own start time."""
    POLICY = "policy"
    """A rule about jobs makes it wait: a limit on jobs, a reservation, its turn."""
    QUOTA = "quota"
    """A resource quota rule."""
    BUSY = "busy"
    """The task would fit with less use or lower load."""
    STATE = "state"
    """The queue instance takes no jobs now: disabled, suspended, in error, in alarm."""
    NEVER = "never"
    """The task does not fit even with nothing in use."""


@dataclass(frozen=True, slots=True)
class Bound:
    """One end of a normalisation, and the task with that value; `job` is None if the formula fixes the end."""

    value: float
    job: int | None = None
    task: int | None = None
    state: str = ""
    """qstat's state of the task: r for a running one."""

    @property
    def words(self) -> str:
        """The task: `job 3, running`; `fixed` without one."""
        if self.job is None:
            return "fixed"
        task = f".{self.task}" if self.task not in (None, 1) else ""
        return f"job {self.job}{task}" + (", running" if self.state == "r" else "")


@dataclass(frozen=True, slots=True)
class PriorityTerm:
    """One contribution to a priority: weight * normalised value, with its derivation."""

    name: str
    """urgency, tickets or POSIX priority."""
    weight: float
    normalised: float
    value: float
    detail: tuple[tuple[str, float], ...]
    """The raw parts, such as ("rrcontr", 1000.0)."""
    explanation: str
    """One sentence in words."""
    lowest: Bound | None = None
    """The value normalised to 0, or to -1 if -p is signed; None without normalisation."""
    highest: Bound | None = None
    """The value normalised to 1."""


@dataclass(frozen=True, slots=True)
class ShownPriority:
    """The priority that qstat shows if it differs from the task's, and why."""

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
    """The difference of the priorities."""
    by: str
    """The term with the largest difference; else the tie breaker."""
    cause: str
    """The raw part of that term, such as wtcontr or ftckt; empty for a tie breaker."""
    gaps: tuple[tuple[str, float], ...]
    """The difference of each term; their sum is the lead."""
    place: str
    """The first queue instance where this run starts it; empty if it does not."""
    left_out: str = ""
    """The limit that excludes it from this run before any task starts; empty if none does."""


@dataclass(frozen=True, slots=True)
class Holder:
    """A task that holds a resource lacked by the explained task."""

    job: int
    task: int | None
    """None for a job that is no array."""
    owner: str
    amount: float
    text: str
    """The amount as messages print it."""
    until: int | None = None
    """When it ends at the latest, seconds since the epoch; None without a limit."""
    by: str = ""
    """The source of that time: h_rt, its run time."""


@dataclass(frozen=True, slots=True)
class ReasonGroup:
    """One reason with all queue instances for which it holds; none if it concerns the job or the whole cluster."""

    why: ReasonKind
    level: str
    """job, cluster, global, host or queue."""
    message: str
    """In qstat -j's words; an ellipsis replaces differing places."""
    instances: tuple[str, ...] = ()
    attribute: str | None = None
    """The attribute that decides, if any."""
    closing: CalendarClosing | None = None
    """The calendar behind it, if any."""
    state: str = ""
    """The state that keeps the queue instances from taking jobs, in words."""
    holders: tuple[Holder, ...] = ()
    """The tasks that hold the missing amount, the first to end first."""
    details: tuple[str, ...] = ()
    """Further facts in short sentences, such as predecessors or who may release a hold."""


@dataclass(frozen=True, slots=True)
class InstanceReason:
    """The reason why one queue instance did not take the job, in qstat -j's words.

    `level` is global, host, queue or quota.
    """

    instance: str
    level: str
    message: str
    attribute: str | None = None
    """The attribute that decides, if any."""
    why: ReasonKind = ReasonKind.NEVER


@dataclass(frozen=True, slots=True)
class Missing:
    """One unmet requirement of a place, with numbers if there are any; amounts are spelled as users type them."""

    what: str
    """The attribute, or another word: state, access, queue list, …"""
    level: str
    place: str
    """The host, queue instance or parallel environment."""
    words: str
    """A short sentence without the place."""
    wanted: str = ""
    offered: str = ""
    total: str = ""
    """The offer with nothing in use, if that is more."""
    gap: str = ""
    """The missing amount."""


@dataclass(frozen=True, slots=True)
class NearestPlace:
    """The queue instance or PE with the fewest unmet requirements."""

    place: str
    missing: tuple[Missing, ...]

    @property
    def words(self) -> str:
        """The place, with "PE" before the name of a parallel environment; only queue instances have an @."""
        return self.place if "@" in self.place else f"PE {self.place}"


@dataclass(frozen=True, slots=True)
class Change:
    """A change that lets the task start, verified by a run."""

    description: str
    kind: str
    """The kind of the changed object; or job, or queue instance."""
    name: str
    field: str
    before: str
    after: str
    command: str = ""
    """The command for a real cluster, if a single one is enough."""
    also: tuple["Change", ...] = ()
    """Further changes needed."""
    starts_on: tuple[str, ...] = ()
    """The queue instances that the task then gets, the master queue first."""
    costs: tuple[str, ...] = ()
    """Losses of other jobs in this run, in short sentences."""


@dataclass(frozen=True, slots=True)
class ExpectedStart:
    """The time at which a task would start without any command."""

    at: int
    """Seconds since the epoch."""
    after: str
    """The event that allows it, such as `job 12 has ended (h_rt)`."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """The explanation of one task in one run."""

    job: int
    task: int
    pending: int
    """Number of pending jobs."""
    state: str = ""
    prior: float = 0.0
    terms: tuple[PriorityTerm, ...] = ()
    rank: int | None = None
    """Place among the sorted pending jobs, from 1; None if the task takes no part."""
    reasons: tuple[str, ...] = ()
    """The job's messages followed by the global ones, as qstat -j prints them."""
    instances: Sequence[InstanceReason] = ()
    changes: tuple[Change, ...] = ()
    tried: tuple[str, ...] | None = None
    """The changes tried, in words, each with its largest amount; None if none were searched for."""
    rejected: str | None = None
    """qsub's message if it refuses the job."""
    meant: tuple[str, ...] = ()
    """Questions such as `did you mean node1.cluster.local?` about hosts that a refused job requests."""
    not_simulated: tuple[str, ...] = ()
    at: int = 0
    """Time of the run, seconds since the epoch."""
    ahead: tuple[JobAhead, ...] = ()
    """The jobs tried earlier; if there are many, only the first ones and those right ahead of it."""
    groups: tuple[ReasonGroup, ...] = ()
    nearest: NearestPlace | None = None
    not_grid_engine: str | None = None
    """The name of the formulas, if they are not Grid Engine's."""
    notes: tuple[str, ...] = ()
    """How a task that this run starts passed others, each in a sentence."""
    expected: ExpectedStart | None = None
    """The expected start; None if unknown or not requested."""
    shown: ShownPriority | None = None
    """The priority that qstat shows instead of `prior`; None if it is the same."""
    quota_filters: Mapping[str, Filters] = field(default_factory=dict)
    """Rule label -> filters, for the quota rules named in messages."""

    @property
    def waits(self) -> bool:
        """True if the task is still pending after the run."""
        return "q" in self.state


@dataclass(frozen=True, slots=True)
class Derivation:
    """One number of a priority, calculated from its parts."""

    name: str
    """The name of the column or field: prior, nurg, ftckt, weight_user, …"""
    value: float
    arithmetic: str = ""
    """The calculation, such as `1000000 × 0.25/1 × 100/300 / 4`; empty for given values."""
    origin: str = ""
    """The source of the value: a field of the configuration, an option of a job, jobs that count."""
    parts: tuple["Derivation", ...] = ()


def number_text(value: float) -> str:
    """Format a number for arithmetic, exactly if that is short."""
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    short = f"{value:.6g}"
    if float(short) == value or abs(value) < 1e-4:
        return short
    return f"{value:.5f}" if abs(value) < 1e6 else f"{value:g}"


def given(name: str, value: float, origin: str = "") -> Derivation:
    """Return a number given by the configuration or a job."""
    return Derivation(name, value, "", origin)


def total(name: str, parts: Iterable[Derivation]) -> Derivation:
    """Return the sum of parts, added in their order; the arithmetic leaves out zeroes."""
    parts = tuple(parts)
    value = 0.0
    for part in parts:
        value += part.value
    counting: Sequence[Derivation] = [part for part in parts if part.value] or parts[:1]
    return Derivation(name, value, " + ".join(number_text(part.value) for part in counting) or "0", "", parts)
