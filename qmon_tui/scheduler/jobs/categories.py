"""Job categories: results for one job hold for all jobs with the same requests (dispatch.md#job-categories)."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from qmon_tui.scheduler.jobs.resource_requests import Demand

Key = tuple[float, float, int, int]
"""Sort key of a queue instance: load and seq_no (or the reverse), tie breaker, number of the instance."""


AttemptKind = tuple[int, bool, tuple[str, ...]]
"""Key of cached host failures: (fewest slots per host, True if the job needs one slot, hosts that are not clean)."""


@dataclass(slots=True)
class Cursor:
    """A position in `QueueOrder`: all queue instances before it are useless; it moves back if others enter there."""

    key: Key | None = None
    """Key of the instance at the position; None for the beginning of the list."""
    sorts: int = 0
    """Number of sorts of the whole list when the cursor was set; another sort invalidates it."""
    entries: int = 0
    """Number of entries into the list that the cursor has taken into account."""
    position: int = 0
    """Index of the key in the list, valid for the list with this number of `changes`."""
    changes: int = -1


Snapshot = tuple[Sequence[int] | None, int, int]
"""(`PeCache.counts`, number of skipped hosts, number of skipped instances)."""


@dataclass(frozen=True, slots=True)
class HostScan:
    """The result of the last visit of all hosts by one kind of attempt."""

    moment: int
    """The length of `Resources.changed_hosts` at that time."""
    has_learned: bool
    """True if the scan has cached the hosts that give no slots."""
    open: frozenset[int]
    """Hosts that may give slots even if they have not changed since."""


@dataclass(slots=True)
class PeCache:
    """Results for one category in one PE.

    8.1.9 has the first three fields itself, and they affect decisions; the others only save time.
    """

    counts: Sequence[int] | None = None
    """Slot numbers to try, ascending; set by the first job of the category, even if its range has a minimum."""
    skipped_hosts: dict[int, None] = field(default_factory=dict)
    """Hosts (and below queue instances) that later jobs of the category skip, in the order they were found."""
    skipped_instances: dict[int, None] = field(default_factory=dict)
    full_hosts: dict[AttemptKind, dict[int, int]] = field(default_factory=dict)
    """Hosts without enough resources -> their number of changes at that visit."""
    hosts_over_quota: dict[AttemptKind, dict[int, int]] = field(default_factory=dict)
    """Hosts with enough resources but too little quota -> their number of changes at that visit."""
    too_small_hosts: dict[AttemptKind, set[int]] = field(default_factory=dict)
    """Hosts that are too small even if nothing is in use: a search's first attempt adds them to `skipped_hosts`."""
    host_scans: dict[AttemptKind, HostScan] = field(default_factory=dict)
    cursor: Cursor = field(default_factory=Cursor)
    """All queue instances before it are on skipped hosts."""
    clear_hosts: set[int] = field(default_factory=set)
    """Hosts that passed their static checks."""
    clear_instances: set[int] = field(default_factory=set)
    clear_queues: set[tuple[str, bool]] = field(default_factory=set)
    """(cluster queue, True if the job needs one slot) that passed their static checks."""

    def snapshot(self) -> Snapshot:
        """Return the state that `restore` needs to undo an attempt."""
        return self.counts, len(self.skipped_hosts), len(self.skipped_instances)

    def restore(self, before: Snapshot) -> None:
        """Drop what attempts have added since the snapshot."""
        self.counts, hosts, instances = before
        self.skipped_hosts = dict.fromkeys(list(self.skipped_hosts)[:hosts])
        self.cursor = Cursor()
        self.skipped_instances = dict.fromkeys(list(self.skipped_instances)[:instances])


EMPTY_SNAPSHOT: Snapshot = (None, 0, 0)


@dataclass(slots=True, eq=False)
class Category:
    """A category with the results that one run caches for all its jobs."""

    demand: Demand
    base_category: int = 0
    """See `JobProfile.base_category`."""
    jobs: int = 0
    """Number of jobs of the category in the system, running ones included."""
    rejected: bool = False
    """True if one of its jobs could not start: in this run no other job of it is tried."""
    reservation_rejected: bool = False
    """True if one of its jobs got no reservation: in this run no other job of it gets one."""
    reasons: Sequence[str] = ()
    """The messages for all its jobs that were still pending when it was rejected."""
    rejected_at: int = 0
    """The number of starts in the run before it was rejected."""
    rejected_with: int = 0
    """The number of the job whose attempt rejected it; 0 if there was no attempt."""
    unsuitable: set[int] = field(default_factory=set)
    """Numbers of the queue instances that do not fit and need not be tried again."""
    unsuitable_hosts: set[int] = field(default_factory=set)
    unsuitable_queues: set[str] = field(default_factory=set)
    clear_queues: set[str] = field(default_factory=set)
    """Cluster queues that passed the static checks."""
    clear_hosts: set[int] = field(default_factory=set)
    skipped_instances: list[int] = field(default_factory=list)
    """Queue instances that 8.1.9 itself skips for later jobs, in the order in which it found them unsuitable."""
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
        """Return the number of instances and of hosts that later jobs skip without a message; 0 for a single job."""
        return (len(self.skipped_instances), len(self.skipped_hosts)) if self.jobs > 1 else (0, 0)

    def new_pe_cache(self) -> PeCache:
        return PeCache()


class PlainCategory(Category):
    """A category that caches only what 8.1.9 caches, and only if it has several jobs."""

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
    """A cache for parallel jobs with only the results that 8.1.9 caches."""

    full_hosts = hosts_over_quota = too_small_hosts = host_scans = property(lambda self: {})
    clear_hosts = clear_instances = clear_queues = property(lambda self: set())

    def __setattr__(self, name: str, value: object) -> None:
        if not isinstance(getattr(type(self), name, None), property):
            super().__setattr__(name, value)
