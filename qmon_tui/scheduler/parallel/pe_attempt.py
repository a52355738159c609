"""What an attempt to place a parallel job goes by: the parts of the run, the job, the environment, the slots."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from qmon_tui.scheduler.configuration import ClusterQueue, CompiledCluster, ParallelEnvironment
from qmon_tui.scheduler.jobs import AttemptKind, PeCache
from qmon_tui.scheduler.matching import ANY_TASK, PlacementRequest, Resources, Say, SlotCounter, StaticChecks
from qmon_tui.scheduler.placement import QueueList
from qmon_tui.scheduler.quotas import RemainingQuota


@dataclass(frozen=True, slots=True)
class SearchContext:
    """The parts of one run."""

    compiled: CompiledCluster
    resources: Resources
    rules: StaticChecks
    counter: SlotCounter
    order: QueueList
    queues: Mapping[str, ClusterQueue]


@dataclass(slots=True, eq=False)
class PeAttempt:
    """One number of slots in one parallel environment.

    Only `pe_cache`, `masters` and `remaining_quota` change on the way.
    """

    context: SearchContext
    placement_request: PlacementRequest
    """The job as the static checks see it, with the number of slots."""
    environment: ParallelEnvironment
    rule: int
    """How many slots each host gives, or FILL_UP or ROUND_ROBIN."""
    pe_cache: PeCache
    remembers: bool
    """The category has more jobs than this one, so that what it remembers is used."""
    masters: dict[int, int]
    """Whether a queue instance can be the master queue, for those that are not like all others."""
    soft: Callable[[int], int] | None
    """How many soft requests a queue instance does not meet; None for a job without any."""
    remaining_quota: RemainingQuota | None
    """What quotas leave for this attempt; None where none is for the job."""
    say: Say | None
    learns: bool = True
    """Hosts that give nothing are remembered, too."""
    adjusts: bool = True
    """Load thresholds limit the slots of a host where jobs are taken to add to its load."""
    slots: int = field(init=False)
    """The number of slots to be collected."""
    least: int = field(init=False)
    """What a host must give at least."""
    kind: AttemptKind = field(init=False)

    def __post_init__(self) -> None:
        self.slots = self.placement_request.slots
        self.least = max(1, self.rule)
        self.kind = self.least, self.slots == 1, self.placement_request.unclean

    def skips(self, host: int) -> bool:
        """True if a host is not looked at: the category has given it up, or quotas rule it out."""
        if self.remembers and host in self.pe_cache.skipped_hosts:
            return True
        return self.remaining_quota is not None and host in self.remaining_quota.skipped_hosts

    def master(self, number: int) -> int:
        """Whether a queue instance can be the master queue: ANY_TASK, NOT_NOW_MASTER or NOT_MASTER."""
        return self.masters.get(number, ANY_TASK)
