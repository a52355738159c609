"""Job categories: results for one job hold for all jobs with the same requests (dispatch.md#job-categories)."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from qmon_tui.scheduler.jobs.resource_requests import Demand

Key = tuple[float, float, int, int]
"""Sort key of a queue instance: load and seq_no (or the reverse), tie breaker, number of the instance."""


AttemptKind = tuple[int, bool, tuple[str, ...]]
"""Key of cached host failures: least slots per host, whether one slot is enough, hosts not cleaned up after the
task.
"""


@dataclass(slots=True)
class Cursor:
    """A position in the list of queue instances; all before it are useless, except those that move there later."""

    key: Key | None = None
    sorts: int = 0
    entries: int = 0
    position: int = 0
    """Index of the key in the list, valid for the list with this number of `changes`."""
    changes: int = -1


Snapshot = tuple[Sequence[int] | None, int, int]


@dataclass(frozen=True, slots=True)
class HostScan:
    """Results of the last look at all hosts for one kind of attempt."""

    moment: int
    """The number of host changes until then."""
    has_learned: bool
    """True if hosts that give nothing were cached."""
    open: frozenset[int]
    """Hosts that may give slots even if they do not change."""


@dataclass(slots=True)
class PeCache:
    """Results for one category in one PE.

    The first three are the scheduler's own and affect decisions; the others only save time.
    """

    counts: Sequence[int] | None = None
    """Slot numbers to try, ascending; set by the first job of the category, even if its range has a minimum."""
    skipped_hosts: dict[int, None] = field(default_factory=dict)
    skipped_instances: dict[int, None] = field(default_factory=dict)
    full_hosts: dict[AttemptKind, dict[int, int]] = field(default_factory=dict)
    """Hosts without enough resources -> their number of changes then."""
    hosts_over_quota: dict[AttemptKind, dict[int, int]] = field(default_factory=dict)
    """Hosts with enough resources but not enough quota -> their number of changes then (`RemainingQuota.is_ample`)."""
    too_small_hosts: dict[AttemptKind, set[int]] = field(default_factory=dict)
    """Hosts that are too small even if nothing is used; an attempt that learns skips them."""
    host_scans: dict[AttemptKind, HostScan] = field(default_factory=dict)
    """The last looks at all hosts."""
    cursor: Cursor = field(default_factory=Cursor)
    """All queue instances before it are on hosts that are skipped."""
    clear_hosts: set[int] = field(default_factory=set)
    """Hosts that passed their static checks."""
    clear_instances: set[int] = field(default_factory=set)
    clear_queues: set[tuple[str, bool]] = field(default_factory=set)
    """Cluster queues that passed their static checks, by whether one slot is enough for the job."""

    def snapshot(self) -> Snapshot:
        """Return the state of the parts that an attempt may add to."""
        return self.counts, len(self.skipped_hosts), len(self.skipped_instances)

    def restore(self, before: Snapshot) -> None:
        """Drop the additions of an attempt."""
        self.counts, hosts, instances = before
        self.skipped_hosts = dict.fromkeys(list(self.skipped_hosts)[:hosts])
        self.cursor = Cursor()
        self.skipped_instances = dict.fromkeys(list(self.skipped_instances)[:instances])


EMPTY_SNAPSHOT: Snapshot = (None, 0, 0)


@dataclass(slots=True, eq=False)
class Category:
    """Cached results of a run for all jobs of one category."""

    demand: Demand
    base_category: int = 0
    """See `JobProfile.base_category`."""
    jobs: int = 0
    """Number of jobs of the category in the system, running ones included."""
    rejected: bool = False
    """True if no job of it is tried again in this run."""
    reservation_rejected: bool = False
    """True if no job of it gets a reservation any more."""
    reasons: Sequence[str] = ()
    """The messages for all its jobs that were still pending when it was rejected."""
    rejected_at: int = 0
    """The number of dispatches before it was rejected."""
    rejected_with: int = 0
    """The number of the job whose attempt rejected it; 0 if there was no attempt."""
    unsuitable: set[int] = field(default_factory=set)
    """Numbers of the queue instances that need not be tried again."""
    unsuitable_hosts: set[int] = field(default_factory=set)
    unsuitable_queues: set[str] = field(default_factory=set)
    clear_queues: set[str] = field(default_factory=set)
    """Cluster queues that passed the static checks."""
    clear_hosts: set[int] = field(default_factory=set)
    skipped_instances: list[int] = field(default_factory=list)
    """Queue instances that the scheduler itself skips, in the order in which it found them unsuitable."""
    skipped_hosts: list[int] = field(default_factory=list)
    pe_caches: dict[str, PeCache] = field(default_factory=dict)
    """Parallel environment -> its results for parallel jobs."""

    def forget(self) -> None:
        """Drop all results at the start of a run."""
        sets = (self.unsuitable, self.unsuitable_hosts, self.unsuitable_queues, self.clear_queues, self.clear_hosts)
        lists = (self.skipped_instances, self.skipped_hosts, self.pe_caches)
        if self.rejected or self.reservation_rejected or any(sets) or any(lists):
            self.__init__(self.demand, self.base_category, self.jobs)  # type: ignore[misc]

    def skipped(self) -> tuple[int, int]:
        """Number of instances and of hosts that later jobs skip without a message; 0 if there is one job only."""
        return (len(self.skipped_instances), len(self.skipped_hosts)) if self.jobs > 1 else (0, 0)

    def new_pe_cache(self) -> PeCache:
        return PeCache()


class PlainCategory(Category):
    """A category that caches only what the scheduler caches, and only if it has several jobs."""

    @property
    def unsuitable(self) -> set[int]:  # type: ignore[override]
        return set(self.skipped_instances) if self.jobs > 1 else set()

    @property
    def unsuitable_hosts(self) -> set[int]:  # type: ignore[override]
        return set(self.skipped_hosts) if self.jobs > 1 else set()

    unsuitable_queues = clear_queues = clear_hosts = property(lambda self: set())

    def __setattr__(self, name: str, value: object) -> None:
        if not isinstance(getattr(type(self), name, None), property):
            super().__setattr__(name, value)

    def new_pe_cache(self) -> PeCache:
        return PlainPeCache()


class PlainPeCache(PeCache):
    """A cache for parallel jobs of only what the scheduler caches."""

    full_hosts = hosts_over_quota = too_small_hosts = host_scans = property(lambda self: {})
    clear_hosts = clear_instances = clear_queues = property(lambda self: set())

    def __setattr__(self, name: str, value: object) -> None:
        if not isinstance(getattr(type(self), name, None), property):
            super().__setattr__(name, value)
