"""The input of an attempt to place a parallel job: the run, the job, one PE and one number of slots."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from qmon_tui.scheduler.configuration import ClusterQueue, CompiledCluster, ParallelEnvironment
from qmon_tui.scheduler.jobs import AttemptKind, PeCache
from qmon_tui.scheduler.matching import ANY_TASK, PlacementRequest, Resources, Say, SlotCounter, StaticChecks
from qmon_tui.scheduler.placement import QueueList
from qmon_tui.scheduler.quotas import RemainingQuota


@dataclass(frozen=True, slots=True)
class SearchContext:
    """The parts of one run that searches for parallel jobs use."""

    compiled: CompiledCluster
    resources: Resources
    rules: StaticChecks
    counter: SlotCounter
    """Counts the slots that a job gets on a host or in a queue instance."""
    order: QueueList
    """The usable queue instances in the order in which they are tried."""
    queues: Mapping[str, ClusterQueue]


@dataclass(slots=True, eq=False)
class PeAttempt:
    """The input for one number of slots in one PE.

    Only `pe_cache`, `masters` and `remaining_quota` change during the attempt.
    """

    context: SearchContext
    placement_request: PlacementRequest
    environment: ParallelEnvironment
    rule: int
    """Slots per host by allocation_rule, or FILL_UP or ROUND_ROBIN."""
    pe_cache: PeCache
    remembers: bool
    """True if `pe_cache` is used: the category has several jobs, and the search is for a start."""
    masters: dict[int, int]
    """Queue instance -> NOT_NOW_MASTER or NOT_MASTER if it cannot be the master queue; others are ANY_TASK."""
    soft: Callable[[int], int] | None
    """Counts the violated soft requests of a queue instance; None for a job without soft requests."""
    remaining_quota: RemainingQuota | None
    """The quotas of this attempt; None if no rule matches the job."""
    say: Say | None
    """Receives messages; None if none are wanted."""
    learns: bool = True
    """True if the category gives up hosts that give no slots (`PeCache.skipped_hosts`)."""
    adjusts: bool = True
    """True if load thresholds with job_load_adjustments limit the slots of a host."""
    slots: int = field(init=False)
    """The number of slots to collect."""
    least: int = field(init=False)
    """The fewest slots that a host must give; with fewer it gives none."""
    kind: AttemptKind = field(init=False)
    """Key of the failed hosts in `pe_cache`: hosts fail alike for all attempts of this kind."""

    def __post_init__(self) -> None:
        self.slots = self.placement_request.slots
        self.least = max(1, self.rule)
        self.kind = self.least, self.slots == 1, self.placement_request.unclean

    def skips(self, host: int) -> bool:
        """True if a host is skipped: the category has given it up, or quotas rule it out."""
        if self.remembers and host in self.pe_cache.skipped_hosts:
            return True
        return self.remaining_quota is not None and host in self.remaining_quota.skipped_hosts

    def master(self, number: int) -> int:
        """Return ANY_TASK if a queue instance can be the master queue, NOT_NOW_MASTER if later, NOT_MASTER if never."""
        return self.masters.get(number, ANY_TASK)
