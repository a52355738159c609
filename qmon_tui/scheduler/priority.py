"""From urgency, tickets and POSIX priority to the one number by which pending jobs are sorted (priority.md)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from qmon_tui.scheduler.compiled.policy import Policy, TicketPolicy
from qmon_tui.scheduler.formulas import GRID_ENGINE, Formulas
from qmon_tui.scheduler.jobs import RunJob, Tickets
from qmon_tui.scheduler.scale import Scale
from qmon_tui.scheduler.tickets import functional, override
from qmon_tui.scheduler.tickets.refs import Ref, pending_refs, running_refs, set_running


def work_out_tickets(
    running: Sequence[RunJob],
    pending: Sequence[RunJob],
    policy: TicketPolicy,
    free_slots: int,
    formulas: Formulas = GRID_ENGINE,
) -> Scale:
    """Set the tickets of all running tasks and of the first pending tasks of each job (tickets.md sections 2 to 8).

    Returns the scale on which they are normalised.
    """
    active = running_refs(running)
    waiting = pending_refs(pending, min(policy.max_pending_tasks_per_job, free_slots + 1))
    for ref in active:
        set_running(ref, 1)
    # Functional and override tickets of running tasks are the same with and without pending ones, so that the
    # second of the two passes has nothing to change.
    sums = functional.divide_among_running(active, policy) if policy.functional > 0 else functional.Parts()
    override.divide_among_running(active, policy)
    steps: Mapping[str, Callable[[], None]] = {
        "O": lambda: override.divide_among_pending(waiting, policy),
        "F": lambda: functional.divide_among_pending(waiting, sums, policy) if policy.functional > 0 else None,
        "S": lambda: None,
    }
    for letter in policy.order:
        steps[letter]()
    for ref in active:
        set_running(ref, -1)
    if formulas.divide is not None:
        formulas.divide(active, waiting, policy)
    _add_up(active)
    _add_up(waiting)
    counting = (*active, *waiting) if formulas.counts_running else waiting
    return formulas.tickets(ref.tickets.total for ref in counting)


def _add_up(refs: Sequence[Ref]) -> None:
    """Set the totals, and each one's share in the sum of its class."""
    total = 0.0
    for ref in refs:
        tickets = ref.tickets
        tickets.total = tickets.share_tree + tickets.functional + tickets.override
        total += tickets.total
    for ref in refs:
        ref.tickets.share = ref.tickets.total / total if ref.tickets.total > 0 else 0.0


def without_tickets(run_job: RunJob, policy: Policy, formulas: Formulas = GRID_ENGINE) -> float:
    """What urgency and POSIX priority alone make of a job."""
    urgency, priority = _normalised(run_job, policy, formulas)
    return policy.weights.urgency * urgency + policy.weights.priority * priority


def _normalised(run_job: RunJob, policy: Policy, formulas: Formulas) -> tuple[float, float]:
    """Urgency and POSIX priority; neutral where they neither count nor are reported."""
    return (
        run_job.urgency.normalised if policy.uses_urgency else formulas.neutral,
        formulas.posix(run_job.job.request.priority) if policy.uses_priority else formulas.neutral,
    )


@dataclass(frozen=True, slots=True)
class Formula:
    """The weighted sum of one run."""

    policy: Policy
    urgencies: Scale
    tickets: Scale
    formulas: Formulas = GRID_ENGINE

    def normalised(self, run_job: RunJob) -> tuple[float, float]:
        """A job's urgency and POSIX priority as they enter the sum."""
        return _normalised(run_job, self.policy, self.formulas)

    def set_priorities(self, jobs: Iterable[RunJob]) -> None:
        """Set ntckts and prior of every task with tickets, and the priority by which each job is sorted."""
        weights = self.policy.weights
        for run_job in jobs:
            urgency, priority = self.normalised(run_job)
            for tickets in run_job.tickets.values():
                tickets.ntckts = self.tickets.normalise(tickets.total)
                tickets.prior = (
                    weights.urgency * urgency + weights.ticket * tickets.ntckts + weights.priority * priority
                )

    def set_for_next_task(self, run_job: RunJob, tickets: Tickets) -> None:
        """The priority of the next task of an array; the summands are added up in another order here."""
        weights = self.policy.weights
        urgency, priority = self.normalised(run_job)
        tickets.ntckts = self.tickets.normalise(tickets.total)
        tickets.prior = weights.urgency * urgency + weights.priority * priority + weights.ticket * tickets.ntckts
        run_job.prior = tickets.prior
