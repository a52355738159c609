"""Jobs with all that is computed about them before the first placement, for several runs.

A run changes its jobs while it places them. So each run gets copies, with new categories and ticket holders; the
copies share what no run changes. Jobs without pending tasks may be shared.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from qmon_tui.scheduler.configuration import CompiledCluster
from qmon_tui.scheduler.jobs import Category, RunJob, TicketHolder, TicketHolders
from qmon_tui.scheduler.priority import Formulas, WeightedSum


@dataclass(slots=True, eq=False)
class PreparedJobs:
    """The jobs of a run, sorted, with their numbers."""

    listed: list[RunJob]
    """All, in the order of the scheduler's list."""
    pending: list[RunJob]
    """The jobs with pending tasks, in the order in which they are tried."""
    formula: WeightedSum
    tickets_per_job: int
    """Number of pending tasks of each job that have tickets."""
    shares_others: bool = False
    """True if the jobs without pending tasks are shared with other runs."""

    def anew(self, *, shares_others: bool = False) -> "PreparedJobs":
        """Return the same for another run; with `shares_others` jobs without pending tasks are shared with it."""
        categories: dict[int, Category] = {}
        listed = [
            run_job if shares_others and not run_job.queue else _with_numbers(run_job, categories)
            for run_job in self.listed
        ]
        new_ones = dict(zip(map(id, self.listed), listed, strict=True))
        pending = [new_ones[id(run_job)] for run_job in self.pending]
        return PreparedJobs(listed, pending, self.formula, self.tickets_per_job, shares_others)

    def is_for(self, compiled: CompiledCluster, formulas: Formulas) -> bool:
        """True if urgencies, and the rules for tickets, are the same under this configuration."""
        return (
            self.formula.ticketless.policy is compiled.policy
            and self.formula.formulas is formulas
            and can_be_prepared(compiled)
        )

    def forget_tickets(self) -> None:
        """Clear all tickets so that the next run calculates them again."""
        holders = _NewHolders()
        if self.shares_others:
            categories: dict[int, Category] = {}
            own = [run_job if run_job.queue else _with_numbers(run_job, categories) for run_job in self.listed]
            self.listed[:] = own
        for run_job in self.listed:
            run_job.tickets, run_job.template = {}, None
            run_job.ticket_holders = holders.like(run_job.ticket_holders)


def can_be_prepared(compiled: CompiledCluster) -> bool:
    """True if priorities and order are the same in the next run.

    A share tree changes them from run to run; and which jobs JC_FILTER leaves out depends on queue instances.
    """
    return not (compiled.share_tree or compiled.policy.filters_jobs)


def without_numbers(jobs: Iterable[RunJob]) -> list[RunJob]:
    """Return copies of jobs as they were admitted, without tickets and priorities, for another run."""
    categories: dict[int, Category] = {}
    holders = _NewHolders()
    return [_as_let_in(run_job, categories, holders.like(run_job.ticket_holders)) for run_job in jobs]


def _with_numbers(run_job: RunJob, categories: dict[int, Category]) -> RunJob:
    new = _as_let_in(run_job, categories, run_job.ticket_holders)
    new.urgency, new.prior, new.template = run_job.urgency, run_job.prior, run_job.template
    # A run does not change the tickets of a single task, see `WeightedSum.set_for_next_task`.
    new.tickets = run_job.tickets if len(run_job.queue) < 2 else dict(run_job.tickets)
    return new


def _as_let_in(run_job: RunJob, categories: dict[int, Category], holders: TicketHolders) -> RunJob:
    return RunJob(
        run_job.job,
        run_job.split,
        run_job.demand,
        _new_category(run_job.category, categories),
        run_job.project,
        run_job.department,
        run_job.not_simulated,
        holders,
        run_job.slots,
        queue=run_job.queue,
        waits=run_job.waits,
    )


def _new_category(category: Category, known: dict[int, Category]) -> Category:
    """Return a new category with the values that it has at the start of a run."""
    new = known.get(id(category))
    if new is None:
        new = known[id(category)] = Category(category.demand, category.base_category, category.jobs)
        new.reservation_rejected = category.reservation_rejected
    return new


class _NewHolders:
    """New ticket holders (users, projects, departments) without running tasks, one for each old holder."""

    def __init__(self) -> None:
        self._together: dict[int, TicketHolders] = {}
        self._known: dict[int, TicketHolder] = {}

    def like(self, holders: TicketHolders) -> TicketHolders:
        """Return the holders that replace these."""
        new = self._together.get(id(holders))
        if new is None:
            user, project, department = map(self._like, holders)
            new = self._together[id(holders)] = (user, project, department)
        return new

    def _like(self, holder: TicketHolder | None) -> TicketHolder | None:
        if holder is None:
            return None
        return self._known.setdefault(id(holder), TicketHolder(holder.entitlement))
