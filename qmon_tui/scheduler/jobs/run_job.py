"""A job in one run: its tasks by list, its tickets, urgency and priority."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from qmon_tui.model import Job
from qmon_tui.scheduler.configuration import Entitlement
from qmon_tui.scheduler.jobs.categories import Category
from qmon_tui.scheduler.jobs.resource_requests import Demand
from qmon_tui.scheduler.jobs.split import Split


@dataclass(slots=True)
class TicketHolder:
    """A user, project or department in the ticket calculation."""

    entitlement: Entitlement
    running: int = 0
    """The number of its running tasks."""


TicketHolders = tuple[TicketHolder | None, TicketHolder | None, TicketHolder | None]
"""A job's user, project and department, shared with other jobs; None if there is no such object."""


@dataclass(slots=True)
class Tickets:
    """The ticket columns of one task, as `qstat -ext` and `qstat -pri` show them."""

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
    """The urgency columns of one job, as `qstat -urg` shows them; `normalised` is 0..1."""

    total: float = 0.0
    requirements: float = 0.0
    waiting: float = 0.0
    deadline: float = 0.0
    normalised: float = 0.0


@dataclass(slots=True)
class RunJob:
    """A job in one run, with its tickets, urgency and progress."""

    job: Job
    split: Split
    demand: Demand
    category: Category
    project: str | None
    department: str
    not_simulated: tuple[str, ...]
    ticket_holders: TicketHolders = (None, None, None)
    slots: int = 1
    """The slot number used for urgency; qstat shows it for pending jobs."""
    urgency: Urgency = field(default_factory=Urgency)
    tickets: dict[int, Tickets] = field(default_factory=dict)
    """Task -> tickets, for running tasks and the pending tasks that got tickets."""
    prior: float = 0.0
    """The priority of the next task, by which the job is sorted."""
    queue: Sequence[int] = ()
    """Pending task numbers, in the order in which they are tried."""
    next_task: int = 0
    """Index of the next task in `queue`."""
    passed: tuple[int, ...] = ()
    """Tasks that got a reservation; they are removed from `queue`, so that the next ones can be tried."""
    template: Tickets | None = None
    """The ticket columns that qstat shows for all plain pending tasks: those of the next task with tickets."""
    filtered: bool = False
    """True if JC_FILTER leaves it out of this run."""
    waits: bool = False
    """True if predecessors (-hold_jid) are unfinished, even if its own tasks run already."""
    excluded_at: int | None = None
    """The number of starts in the run before maxujobs excluded the job; None if it did not."""

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
        """The hosts that the next task may not use, because an earlier run of it there is not cleaned up."""
        task = self.job.tasks.get(self.queue[self.next_task]) if self.remaining else None
        return task.unclean_hosts if task is not None else ()

    def sort_key(self) -> tuple[float, int, int]:
        """Return (descending priority, submission time, job number); see priority.md#sort-order-of-pending-jobs."""
        return (-self.prior, self.job.submitted, self.job.id)
