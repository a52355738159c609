"""From urgency, tickets and POSIX priority to the one number by which pending jobs are sorted (priority.md)."""

from collections.abc import Iterable
from dataclasses import dataclass

from qmon_tui.scheduler.compiled.policy import Policy
from qmon_tui.scheduler.formulas import GRID_ENGINE, Formulas
from qmon_tui.scheduler.jobs import RunJob, Tickets
from qmon_tui.scheduler.scale import Scale


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
        by_urgency, by_tickets, by_priority = weights.urgency, weights.ticket, weights.priority
        normalise, uses_urgency, neutral = self.tickets.normalise, self.policy.uses_urgency, self.formulas.neutral
        known: dict[int, float] = {}
        for run_job in jobs:
            # As `normalised`; most jobs have one of a few priorities.
            urgency = run_job.urgency.normalised if uses_urgency else neutral
            given = run_job.job.request.priority
            priority = known.get(given)
            if priority is None:
                priority = known[given] = self.normalised(run_job)[1]
            for tickets in run_job.tickets.values():
                tickets.ntckts = normalised = normalise(tickets.total)
                tickets.prior = by_urgency * urgency + by_tickets * normalised + by_priority * priority

    def set_for_next_task(self, run_job: RunJob, tickets: Tickets) -> None:
        """The priority of the next task of an array; the summands are added up in another order here."""
        weights = self.policy.weights
        urgency, priority = self.normalised(run_job)
        tickets.ntckts = self.tickets.normalise(tickets.total)
        tickets.prior = weights.urgency * urgency + weights.priority * priority + weights.ticket * tickets.ntckts
        run_job.prior = tickets.prior
