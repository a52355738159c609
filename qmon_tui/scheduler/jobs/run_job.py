"""A job during one run: what was decided about it before the first placement, and its numbers."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from qmon_tui.model import Job
from qmon_tui.scheduler.configuration import Entitlement
from qmon_tui.scheduler.jobs.categories import Category
from qmon_tui.scheduler.jobs.resource_requests import Demand
from qmon_tui.scheduler.jobs.split import Split


@dataclass(slots=True)
class TicketHolder:
    """A user, project or department in the ticket calculation, and how many of its tasks count as running."""

    entitlement: Entitlement
    running: int = 0


TicketHolders = tuple[TicketHolder | None, TicketHolder | None, TicketHolder | None]
"""Of user, project and department, where such an object exists; jobs that are alike share one."""


@dataclass(slots=True)
class Tickets:
    """The ticket columns of one task."""

    total: float = 0.0
    override: float = 0.0
    functional: float = 0.0
    share_tree: float = 0.0
    share: float = 0.0
    ntckts: float = 0.0
    prior: float = 0.0

    def copy(self) -> "Tickets":
        """The same, by themselves."""
        return Tickets(self.total, self.override, self.functional, self.share_tree, self.share, self.ntckts, self.prior)


@dataclass(slots=True)
class Urgency:
    """The urgency columns of one job."""

    total: float = 0.0
    requirements: float = 0.0
    waiting: float = 0.0
    deadline: float = 0.0
    normalised: float = 0.0


@dataclass(slots=True)
class RunJob:
    """One job that is in the system."""

    job: Job
    split: Split
    demand: Demand
    category: Category
    project: str | None
    department: str
    not_simulated: tuple[str, ...]
    ticket_holders: TicketHolders = (None, None, None)
    slots: int = 1
    """The slot number for urgency purposes, which qstat shows for pending jobs."""
    urgency: Urgency = field(default_factory=Urgency)
    tickets: dict[int, Tickets] = field(default_factory=dict)
    """By task; only tasks for which tickets were worked out or that run."""
    prior: float = 0.0
    """The priority by which the job is sorted now: that of its next task."""
    queue: Sequence[int] = ()
    """Tasks still to be started, in the order in which they are tried."""
    next_task: int = 0
    """Index in `queue`."""
    passed: tuple[int, ...] = ()
    """Tasks with a reservation, which have left `queue` so that the next ones could be tried."""
    template: Tickets | None = None
    """The ticket columns that qstat shows for all plain pending tasks: those of the next one that has tickets."""
    filtered: bool = False
    """Left out of this run because there are many jobs like it (params JC_FILTER)."""
    waits: bool = False
    """Other jobs keep it waiting (-hold_jid), or would, if its tasks did not run already."""
    excluded_at: int | None = None
    """The number of dispatches before the job was left out because of maxujobs."""

    @property
    def id(self) -> int:
        """The job number."""
        return self.job.id

    @property
    def remaining(self) -> int:
        """How many pending tasks are left in this run."""
        return len(self.queue) - self.next_task

    @property
    def has_unclean(self) -> bool:
        """True if an earlier run of a pending task is not cleaned up."""
        tasks = self.job.tasks
        return bool(tasks) and any(number in tasks and tasks[number].unclean_hosts for number in self.queue)

    @property
    def unclean(self) -> tuple[str, ...]:
        """The hosts where the next task, which was rescheduled, ran before: not again until they are cleaned up."""
        task = self.job.tasks.get(self.queue[self.next_task]) if self.remaining else None
        return task.unclean_hosts if task is not None else ()

    def sort_key(self) -> tuple[float, int, int]:
        """Priority descending, submission time and job number ascending (priority.md#sort-order-of-pending-jobs)."""
        return (-self.prior, self.job.submitted, self.job.id)
