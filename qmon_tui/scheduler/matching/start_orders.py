"""A decision of the scheduler to start a task, and why the qmaster may not carry it out."""

from dataclasses import dataclass
from enum import Enum, auto

from qmon_tui.scheduler.configuration import QuotaSubject
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.matching.resources import Grants


class DenialReason(Enum):
    """Why the qmaster does not carry out an order (dispatch.md#acceptance-of-a-start-order)."""

    USER = auto()
    """The user may not use one of the queue instances: departments are access lists for the qmaster."""
    SLOTS = auto()
    """One of the queue instances has too few slots."""
    CLOSED = auto()
    """A calendar has closed one of the queue instances."""
    CONSUMABLE = auto()
    """A host, or the global host, has too little of a consumable."""
    UNREAD = auto()
    """It has not read the order, nor does it take over its numbers, because it could not carry out an earlier one."""
    NOT_AT_ONCE = auto()
    """Other tasks of the job could not start at once, as it has to."""


@dataclass(frozen=True, slots=True)
class Denial:
    """An order that is not carried out: why, and what is the matter where."""

    why: DenialReason
    place: str = ""
    """The queue instance, the host or `global`."""
    attribute: str = ""
    """The consumable."""
    missing: float = 0.0
    """How much of it is missing."""


@dataclass(slots=True)
class StartOrder:
    """One task that the run starts."""

    run_job: RunJob
    task: int
    grants: Grants
    """The master queue first."""
    subject: QuotaSubject | None
    """Whose quotas it counts against; None for nobody's."""
    environment: str | None = None
    """The parallel environment; None without one."""
    denial: Denial | None = None
    """Why the qmaster does not carry it out, so that the task stays pending; None where it does."""

    @property
    def refused(self) -> bool:
        """True if the task stays pending."""
        return self.denial is not None

    @property
    def unread(self) -> bool:
        """True if the qmaster has not even read the order."""
        return self.denial is not None and self.denial.why is DenialReason.UNREAD
