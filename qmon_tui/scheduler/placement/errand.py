"""What an attempt to collect slots for a parallel job goes by: the job, the environment, the number, what is known."""

from collections.abc import Callable
from dataclasses import dataclass, field

from qmon_tui.scheduler.compiled.environments import Environment
from qmon_tui.scheduler.matching.room import ANY_TASK, Say
from qmon_tui.scheduler.matching.static import Applicant
from qmon_tui.scheduler.placement.memory import Memory
from qmon_tui.scheduler.placement.site import Site
from qmon_tui.scheduler.quotas.purse import Purse


@dataclass(slots=True, eq=False)
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
    slots: int = field(init=False)
    """The number of slots to be collected."""
    least: int = field(init=False)
    """What a host must give at least."""
    kind: tuple[int, bool] = field(init=False)
    """What attempts have in common for which a host has too little: the least, and whether one slot is all."""

    def __post_init__(self) -> None:
        self.slots = self.applicant.slots
        self.least = max(1, self.rule)
        self.kind = self.least, self.slots == 1

    def skips(self, host: int) -> bool:
        """Tell whether a host is not looked at: the category has given it up, or quotas rule it out."""
        if self.remembers and host in self.memory.skipped_hosts:
            return True
        return self.purse is not None and host in self.purse.skipped_hosts

    def master(self, number: int) -> int:
        """Whether a queue instance can be the master queue: ANY_TASK, NOT_NOW_MASTER or NOT_MASTER."""
        return self.masters.get(number, ANY_TASK)
