"""The tasks that receive tickets; each counts as one job (tickets.md#tasks-that-get-tickets)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from qmon_tui.scheduler.jobs import RunJob, Split, TicketHolders, Tickets

if TYPE_CHECKING:
    from qmon_tui.scheduler.priority.share_tree_nodes import Node


@dataclass(slots=True, eq=False)
class TaskRef:
    """One task in the ticket calculation."""

    run_job: RunJob
    task: int
    tickets: Tickets
    ticket_holders: TicketHolders
    accumulated: float = 0.0
    """Tickets from the policies that come first in policy_hierarchy."""
    node: "Node | None" = None
    """Where it belongs in the share tree."""

    @property
    def seniority(self) -> tuple[int, int, int]:
        """Submission time, job number and task: what breaks ties."""
        return (self.run_job.job.submitted, self.run_job.job.id, self.task)

    @property
    def dilution(self) -> int:
        """For how many it stands in the order of the share tree: the lowest slot number of a parallel job."""
        request = self.run_job.job.request.pe
        return 1 if request is None else max(1, request.ranges[0][0])


def running_refs(jobs: Iterable[RunJob]) -> list[TaskRef]:
    """All running tasks, in job order."""
    return _refs((run_job, run_job.split.running) for run_job in jobs)


def pending_refs(jobs: Iterable[RunJob], limit: int) -> list[TaskRef]:
    """The first `limit` pending tasks of each job, in job order."""
    return _refs((run_job, _first_pending(run_job.split, limit)) for run_job in jobs)


def _first_pending(split: Split, limit: int) -> Sequence[int]:
    if split.enrolled:
        return (*split.enrolled, *split.pending)[:limit]
    return split.pending[:limit]


def _refs(tasks_of: Iterable[tuple[RunJob, Iterable[int]]]) -> list[TaskRef]:
    refs: list[TaskRef] = []
    for run_job, tasks in tasks_of:
        tickets, ticket_holders = run_job.tickets, run_job.ticket_holders
        for task in tasks:
            tickets[task] = own = Tickets()
            refs.append(TaskRef(run_job, task, own, ticket_holders))
    return refs


def set_running(ref: TaskRef, change: int) -> None:
    """Let a task count as running (1), or no longer (-1), with its user, project and department."""
    for account in ref.ticket_holders:
        if account is not None:
            account.running += change
