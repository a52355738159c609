"""A job during one run: its state before the first placement, and its priorities and tickets."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from qmon_tui.model import Job
from qmon_tui.scheduler.configuration import Entitlement
from qmon_tui.scheduler.jobs.categories import Category
from qmon_tui.scheduler.jobs.resource_requests import Demand
from qmon_tui.scheduler.jobs.split import Split


@dataclass(slots=True)
class TicketHolder:
    """A user, project or department in the ticket calculation, with its number of running tasks."""

    entitlement: Entitlement
    running: int = 0


TicketHolders = tuple[TicketHolder | None, TicketHolder | None, TicketHolder | None]
"""Ticket holders for user, project and department, None if there is no such object; jobs share them."""


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
    """The slot number used for urgency, which qstat shows for pending jobs."""
    urgency: Urgency = field(default_factory=Urgency)
    tickets: dict[int, Tickets] = field(default_factory=dict)
    """Task -> tickets, for running tasks and those that got tickets."""
    prior: float = 0.0
    """The priority that the job is sorted by: that of its next task."""
    queue: Sequence[int] = ()
    """Pending tasks, in the order in which they are tried."""
    next_task: int = 0
    """Index of the next task in `queue`."""
    passed: tuple[int, ...] = ()
    """Tasks with a reservation, removed from `queue` so that the next ones can be tried."""
    template: Tickets | None = None
    """The ticket columns that qstat shows for all plain pending tasks: those of the next task with tickets."""
    filtered: bool = False
    """True if JC_FILTER leaves it out of this run."""
    waits: bool = False
    """True if predecessors (-hold_jid) are unfinished, even if its own tasks run already."""
    excluded_at: int | None = None
    """The number of dispatches before maxujobs excluded the job; None if it did not."""

    @property
    def id(self) -> int:
        return self.job.id

    @property
    def remaining(self) -> int:
        """The number of pending tasks left in this run."""
        return len(self.queue) - self.next_task

    @property
    def has_unclean(self) -> bool:
        """True if an earlier run of a pending task is not cleaned up."""
        tasks = self.job.tasks
        return bool(tasks) and any(number in tasks and tasks[number].unclean_hosts for number in self.queue)

    @property
    def unclean(self) -> tuple[str, ...]:
        """The hosts that the next task may not use because its earlier run there is not cleaned up."""
        task = self.job.tasks.get(self.queue[self.next_task]) if self.remaining else None
        return task.unclean_hosts if task is not None else ()

    def sort_key(self) -> tuple[float, int, int]:
        """Descending priority, submission time, job number (priority.md#sort-order-of-pending-jobs)."""
        return (-self.prior, self.job.submitted, self.job.id)
