"""What an attempt to collect slots for a parallel job goes by: the job, the environment, the number, what is known."""

from collections.abc import Callable
from dataclasses import dataclass

from qmon_tui.scheduler.compiled.environments import Environment
from qmon_tui.scheduler.matching.room import ANY_TASK, Say
from qmon_tui.scheduler.matching.static import Applicant
from qmon_tui.scheduler.placement.memory import Memory
from qmon_tui.scheduler.placement.site import Site
from qmon_tui.scheduler.quotas.purse import Purse


@dataclass(frozen=True, slots=True)
class Errand:
    """One number of slots in one parallel environment. Only `memory`, `masters` and `purse` change on the way."""

    site: Site
    applicant: Applicant
    """The job as the static checks see it, with the number of slots."""
    environment: Environment
    rule: int
    """How many slots each host gives, or FILL_UP or ROUND_ROBIN."""
    memory: Memory
    remembers: bool
    """The category has more jobs than this one, so that what it remembers is used."""
    masters: dict[int, int]
    """Whether a queue instance can be the master queue, for those that are not like all others."""
    soft: Callable[[int], int] | None
    """How many soft requests a queue instance does not meet; None for a job without any."""
    purse: Purse | None
    """What quotas leave for this attempt; None where none is for the job."""
    say: Say | None
    learns: bool = True
    """Hosts that give nothing are remembered, too."""
    adjusts: bool = True
    """Load thresholds limit the slots of a host where jobs are taken to add to its load."""

    @property
    def slots(self) -> int:
        """The number of slots to be collected."""
        return self.applicant.slots

    @property
    def least(self) -> int:
        """What a host must give at least."""
        return max(1, self.rule)

    @property
    def kind(self) -> tuple[int, bool]:
        """What attempts have in common for which a host has too little: the least, and whether one slot is all."""
        return self.least, self.slots == 1

    def master(self, number: int) -> int:
        """Whether a queue instance can be the master queue: ANY_TASK, NOT_NOW_MASTER or NOT_MASTER."""
        return self.masters.get(number, ANY_TASK)
