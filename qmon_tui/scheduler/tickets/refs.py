"""The tasks that receive tickets; each counts as one job (tickets.md section 2)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from qmon_tui.scheduler.jobs import Accounts, RunJob, Tickets
from qmon_tui.scheduler.split import Split

if TYPE_CHECKING:
    from qmon_tui.scheduler.tickets.tree import Node


@dataclass(slots=True, eq=False)
class Ref:
    """One task in the ticket calculation."""

    run_job: RunJob
    task: int
    tickets: Tickets
    accounts: Accounts
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


def running_refs(jobs: Iterable[RunJob]) -> list[Ref]:
    """All running tasks, in job order."""
    return _refs((run_job, run_job.split.running) for run_job in jobs)


def pending_refs(jobs: Iterable[RunJob], limit: int) -> list[Ref]:
    """The first `limit` pending tasks of each job, in job order."""
    return _refs((run_job, _first_pending(run_job.split, limit)) for run_job in jobs)


def _first_pending(split: Split, limit: int) -> Sequence[int]:
    if split.enrolled:
        return (*split.enrolled, *split.pending)[:limit]
    return split.pending[:limit]


def _refs(tasks_of: Iterable[tuple[RunJob, Iterable[int]]]) -> list[Ref]:
    refs: list[Ref] = []
    for run_job, tasks in tasks_of:
        tickets, accounts = run_job.tickets, run_job.accounts
        for task in tasks:
            tickets[task] = own = Tickets()
            refs.append(Ref(run_job, task, own, accounts))
    return refs


def set_running(ref: Ref, change: int) -> None:
    """Let a task count as running (1), or no longer (-1), with its user, project and department."""
    for account in ref.accounts:
        if account is not None:
            account.running += change
