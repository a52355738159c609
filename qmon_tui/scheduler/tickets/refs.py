"""The tasks that receive tickets; each counts as one job (tickets.md section 2)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice

from qmon_tui.scheduler.jobs import Account, RunJob, Tickets


@dataclass(slots=True)
class Ref:
    """One task in the ticket calculation."""

    run_job: RunJob
    task: int
    tickets: Tickets
    accumulated: float = 0.0
    """Tickets from the policies that come first in policy_hierarchy."""

    @property
    def accounts(self) -> tuple[Account | None, Account | None, Account | None]:
        """User, project and department, where such an object exists."""
        run_job = self.run_job
        return run_job.user_account, run_job.project_account, run_job.department_account

    @property
    def seniority(self) -> tuple[int, int, int]:
        """Submission time, job number and task: what breaks ties."""
        return (self.run_job.job.submitted, self.run_job.job.id, self.task)


def running_refs(jobs: Iterable[RunJob]) -> list[Ref]:
    """All running tasks, in job order."""
    return [_ref(run_job, task) for run_job in jobs for task in run_job.split.running]


def pending_refs(jobs: Iterable[RunJob], limit: int) -> list[Ref]:
    """The first `limit` pending tasks of each job, in job order."""
    return [_ref(run_job, task) for run_job in jobs for task in islice(_pending(run_job), limit)]


def _pending(run_job: RunJob) -> Iterator[int]:
    return chain(run_job.split.enrolled, run_job.split.pending)


def _ref(run_job: RunJob, task: int) -> Ref:
    tickets = run_job.tickets[task] = Tickets()
    return Ref(run_job, task, tickets)


def set_running(ref: Ref, change: int) -> None:
    """Let a task count as running (1), or no longer (-1), with its user, project and department."""
    for account in ref.accounts:
        if account is not None:
            account.running += change
