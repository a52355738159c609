"""Job categories: what is found out for one job holds for all with the same requests (dispatch.md#job-categories)."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from qmon_tui.scheduler.jobs.resource_requests import Demand

Key = tuple[float, float, int, int]
"""Load and seq_no, or seq_no and load; the tie breaker; the number of the queue instance."""


AttemptKind = tuple[int, bool, tuple[str, ...]]
"""Traits of attempts for which a host has too little: the least to give, whether one slot is all, and the hosts on
which earlier runs of the task are not cleaned up."""


@dataclass(slots=True)
class Cursor:
    """How far somebody has come in the list: nothing before is of use to him, apart from what moves there later."""

    key: Key | None = None
    sorts: int = 0
    entries: int = 0
    position: int = 0
    """Where the key is in the list, as long as that does not change."""
    changes: int = -1


Snapshot = tuple[Sequence[int] | None, int, int]


@dataclass(frozen=True, slots=True)
class HostScan:
    """What is known since all hosts were looked at for attempts of a kind."""

    moment: int
    """How many changes of hosts there had been."""
    has_learned: bool
    """Hosts that give nothing were remembered."""
    open: frozenset[int]
    """Hosts that may have something to give without any change, too."""


@dataclass(slots=True)
class PeCache:
    """The first three are the scheduler's own and can be seen in its decisions; the others only save time."""

    counts: Sequence[int] | None = None
    """The slot numbers to be tried, ascending. The first job decides for all, also where it came with a minimum."""
    skipped_hosts: dict[int, None] = field(default_factory=dict)
    skipped_instances: dict[int, None] = field(default_factory=dict)
    full_hosts: dict[AttemptKind, dict[int, int]] = field(default_factory=dict)
    """Hosts without room, with how often they had changed then."""
    hosts_over_quota: dict[AttemptKind, dict[int, int]] = field(default_factory=dict)
    """The same for hosts that have the room where quotas do not let the job have it; see `RemainingQuota.is_ample`."""
    too_small_hosts: dict[AttemptKind, set[int]] = field(default_factory=dict)
    """Those of them that would have too little with nothing in use, too: an attempt that learns skips them then."""
    host_scans: dict[AttemptKind, HostScan] = field(default_factory=dict)
    """The last looks at all hosts."""
    cursor: Cursor = field(default_factory=Cursor)
    """All queue instances before it are on hosts that are skipped."""
    clear_hosts: set[int] = field(default_factory=set)
    """Hosts that passed their static checks."""
    clear_instances: set[int] = field(default_factory=set)
    clear_queues: set[tuple[str, bool]] = field(default_factory=set)
    """The same for cluster queues, by whether one slot is all."""

    def snapshot(self) -> Snapshot:
        """What an attempt may add to, as it is now."""
        return self.counts, len(self.skipped_hosts), len(self.skipped_instances)

    def restore(self, before: Snapshot) -> None:
        """Forget what an attempt has added."""
        self.counts, hosts, instances = before
        self.skipped_hosts = dict.fromkeys(list(self.skipped_hosts)[:hosts])
        self.cursor = Cursor()
        self.skipped_instances = dict.fromkeys(list(self.skipped_instances)[:instances])


EMPTY_SNAPSHOT: Snapshot = (None, 0, 0)


@dataclass(slots=True, eq=False)
class Category:
    """What a run remembers about all jobs of one kind."""

    demand: Demand
    base_category: int = 0
    """See `JobProfile.base_category`."""
    jobs: int = 0
    """Jobs of the category in the system, running ones included."""
    rejected: bool = False
    """None of its jobs is tried any more in this run."""
    reservation_rejected: bool = False
    """None of its jobs gets a reservation any more."""
    reasons: Sequence[str] = ()
    """What all its jobs are told that were still pending when it was rejected."""
    rejected_at: int = 0
    """When it was rejected: the number of dispatches before."""
    rejected_with: int = 0
    """The number of its job that was tried then; 0 where none was."""
    unsuitable: set[int] = field(default_factory=set)
    """Queue instances that need not be tried again, by number."""
    unsuitable_hosts: set[int] = field(default_factory=set)
    unsuitable_queues: set[str] = field(default_factory=set)
    clear_queues: set[str] = field(default_factory=set)
    """Cluster queues that passed the static check."""
    clear_hosts: set[int] = field(default_factory=set)
    skipped_instances: list[int] = field(default_factory=list)
    """Those that the scheduler itself remembers as unsuitable, in the order in which it found out."""
    skipped_hosts: list[int] = field(default_factory=list)
    pe_caches: dict[str, PeCache] = field(default_factory=dict)
    """For parallel jobs, by parallel environment."""

    def forget(self) -> None:
        """Begin another run, which finds everything out again."""
        sets = (self.unsuitable, self.unsuitable_hosts, self.unsuitable_queues, self.clear_queues, self.clear_hosts)
        lists = (self.skipped_instances, self.skipped_hosts, self.pe_caches)
        if self.rejected or self.reservation_rejected or any(sets) or any(lists):
            self.__init__(self.demand, self.base_category, self.jobs)  # type: ignore[misc]

    def skipped(self) -> tuple[int, int]:
        """How many instances and hosts later jobs skip without a word; none where the category has one job only."""
        return (len(self.skipped_instances), len(self.skipped_hosts)) if self.jobs > 1 else (0, 0)

    def new_pe_cache(self) -> PeCache:
        """What will be remembered of its jobs in one parallel environment."""
        return PeCache()


class PlainCategory(Category):
    """Remembers of queue instances and hosts what the scheduler does, and only where several jobs are of the kind."""

    @property
    def unsuitable(self) -> set[int]:  # type: ignore[override]
        """What later jobs skip."""
        return set(self.skipped_instances) if self.jobs > 1 else set()

    @property
    def unsuitable_hosts(self) -> set[int]:  # type: ignore[override]
        """What later jobs skip."""
        return set(self.skipped_hosts) if self.jobs > 1 else set()

    unsuitable_queues = clear_queues = clear_hosts = property(lambda self: set())

    def __setattr__(self, name: str, value: object) -> None:
        if not isinstance(getattr(type(self), name, None), property):
            super().__setattr__(name, value)

    def new_pe_cache(self) -> PeCache:
        """One that only remembers what the scheduler does."""
        return PlainPeCache()


class PlainPeCache(PeCache):
    """Remembers hosts and queue instances for parallel jobs as the scheduler does, nothing else."""

    full_hosts = hosts_over_quota = too_small_hosts = host_scans = property(lambda self: {})
    clear_hosts = clear_instances = clear_queues = property(lambda self: set())

    def __setattr__(self, name: str, value: object) -> None:
        if not isinstance(getattr(type(self), name, None), property):
            super().__setattr__(name, value)
