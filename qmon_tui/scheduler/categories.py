"""Jobs with the same requests: what is found out for one of them in a run holds for all (dispatch.md section 5.1)."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from qmon_tui.scheduler.placement.memory import Memory
from qmon_tui.scheduler.requests import Demand


@dataclass(slots=True, eq=False)
class Category:
    """What a run remembers about all jobs of one kind."""

    demand: Demand
    kin: int = 0
    """See `Sort.kin`."""
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
    memories: dict[str, Memory] = field(default_factory=dict)
    """For parallel jobs, by parallel environment."""

    def skipped(self) -> tuple[int, int]:
        """How many instances and hosts later jobs skip without a word; none where the category has one job only."""
        return (len(self.skipped_instances), len(self.skipped_hosts)) if self.jobs > 1 else (0, 0)
