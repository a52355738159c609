"""Start orders of the scheduler, and the reasons for which the qmaster denies them."""

from dataclasses import dataclass
from enum import Enum, auto

from qmon_tui.scheduler.configuration import QuotaSubject
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.matching.resources import Grants


class DenialReason(Enum):
    """The reason why the qmaster denies an order (dispatch.md#acceptance-of-a-start-order)."""

    USER = auto()
    """The user has no access to one of the queue instances: the qmaster also reads departments as access lists."""
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
    """The reason why the qmaster denies an order, and the place."""

    why: DenialReason
    place: str = ""
    """Name of the queue instance or host, or `global`."""
    attribute: str = ""
    """Name of the consumable."""
    missing: float = 0.0
    """The missing amount."""


@dataclass(slots=True)
class StartOrder:
    """The scheduler's order to start one task."""

    run_job: RunJob
    task: int
    grants: Grants
    """The master queue first."""
    subject: QuotaSubject | None
    """The user, group, project and PE whose quotas count; None for a task in an advance reservation."""
    environment: str | None = None
    """The PE; None for a sequential task."""
    denial: Denial | None = None
    """Why the qmaster denies the order, so that the task stays pending; None if it accepts the order."""

    @property
    def master_part(self) -> float:
        """The master queue's share of the task's slots, 0 to 1."""
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
