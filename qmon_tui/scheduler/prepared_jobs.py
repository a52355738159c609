"""Jobs with all that is worked out about them before the first placement, to be used by several runs.

A run changes its jobs while it places them. So each is given jobs of its own, which share what no run changes; what
it finds out about a category or hands out by turns begins again. Jobs without pending tasks may be shared themselves.
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
    """Those with pending tasks, in the order in which they are tried."""
    formula: WeightedSum
    tickets_per_job: int
    """For so many pending tasks of each job tickets were worked out."""
    shares_others: bool = False
    """The jobs of which no task is pending are those of other runs, too."""

    def anew(self, *, shares_others: bool = False) -> "PreparedJobs":
        """The same for another run; with `shares_others` it shares the jobs of which no task is pending."""
        categories: dict[int, Category] = {}
        listed = [
            run_job if shares_others and not run_job.queue else _with_numbers(run_job, categories)
            for run_job in self.listed
        ]
        new_ones = dict(zip(map(id, self.listed), listed, strict=True))
        pending = [new_ones[id(run_job)] for run_job in self.pending]
        return PreparedJobs(listed, pending, self.formula, self.tickets_per_job, shares_others)

    def is_for(self, compiled: CompiledCluster, formulas: Formulas) -> bool:
        """True if a configuration gives the same jobs the same urgencies, and tickets by the same rules."""
        return (
            self.formula.standing.policy is compiled.policy
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
    """True if numbers and order stay the same from run to run.

    A share tree is another one in each, and which jobs are left out as they are like others depends on queue instances.
    """
    return not (compiled.share_tree or compiled.policy.filters_jobs)


def without_numbers(jobs: Iterable[RunJob]) -> list[RunJob]:
    """Jobs as they were let in, for another run."""
    categories: dict[int, Category] = {}
    holders = _NewHolders()
    return [_as_let_in(run_job, categories, holders.like(run_job.ticket_holders)) for run_job in jobs]


def _with_numbers(run_job: RunJob, categories: dict[int, Category]) -> RunJob:
    new = _as_let_in(run_job, categories, run_job.ticket_holders)
    new.urgency, new.prior, new.template = run_job.urgency, run_job.prior, run_job.template
    # Of a single task nothing is noted any more, see `WeightedSum.set_for_next_task`.
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
    """What a run begins with to remember of a category."""
    new = known.get(id(category))
    if new is None:
        new = known[id(category)] = Category(category.demand, category.base_category, category.jobs)
        new.reservation_rejected = category.reservation_rejected
    return new


class _NewHolders:
    """Users, projects and departments of which no task counts as running; each is the same for all of its jobs."""

    def __init__(self) -> None:
        self._together: dict[int, TicketHolders] = {}
        self._known: dict[int, TicketHolder] = {}

    def like(self, holders: TicketHolders) -> TicketHolders:
        """Those in place of others."""
        new = self._together.get(id(holders))
        if new is None:
            user, project, department = map(self._like, holders)
            new = self._together[id(holders)] = (user, project, department)
        return new

    def _like(self, holder: TicketHolder | None) -> TicketHolder | None:
        if holder is None:
            return None
        return self._known.setdefault(id(holder), TicketHolder(holder.entitlement))
