"""Start orders of the scheduler, and the reasons for which the qmaster denies them."""

from dataclasses import dataclass
from enum import Enum, auto

from qmon_tui.scheduler.configuration import QuotaSubject
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.matching.resources import Grants


class DenialReason(Enum):
    """The reason why the qmaster denies an order (dispatch.md#acceptance-of-a-start-order)."""

    USER = auto()
    """The user may not use one of the queue instances: departments are access lists for the qmaster."""
    SLOTS = auto()
    """One of the queue instances has too few slots."""
    CLOSED = auto()
    """A calendar has closed one of the queue instances."""
    CONSUMABLE = auto()
    """A host, or the global host, has too little of a consumable."""
    UNREAD = auto()
    """The qmaster did not read the order, nor its tickets and priorities, because it denied an earlier one."""
    NOT_AT_ONCE = auto()
    """Other tasks of a job that must start immediately (-now y) could not start."""


@dataclass(frozen=True, slots=True)
class Denial:
    """The reason why an order is denied, and where."""

    why: DenialReason
    place: str = ""
    """The queue instance, the host or `global`."""
    attribute: str = ""
    """The consumable."""
    missing: float = 0.0
    """The missing amount."""


@dataclass(slots=True)
class StartOrder:
    """One task that the run starts."""

    run_job: RunJob
    task: int
    grants: Grants
    """The master queue first."""
    subject: QuotaSubject | None
    """The subject whose quotas it counts against; None for none (advance reservation)."""
    environment: str | None = None
    denial: Denial | None = None
    """Why the qmaster denies it, so that the task stays pending; None if it accepts it."""

    @property
    def master_part(self) -> float:
        """Fraction of its slots that the master queue has, 0 to 1."""
        slots = [slots for _, slots in self.grants]
        return slots[0] / sum(slots)

    @property
    def refused(self) -> bool:
        """True if the qmaster denies the order."""
        return self.denial is not None

    @property
    def unread(self) -> bool:
        """True if the qmaster did not read the order."""
        return self.denial is not None and self.denial.why is DenialReason.UNREAD
