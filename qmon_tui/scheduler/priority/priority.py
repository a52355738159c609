"""Priority of pending jobs: the weighted sum of urgency, tickets and POSIX priority.

Source: priority.md#the-formula.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from qmon_tui.scheduler.configuration import SchedConf
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.priority.formulas import GRID_ENGINE, Formulas, Scale
from qmon_tui.scheduler.priority.share_tree_nodes import TicketOrder


@dataclass(slots=True)
class TicketlessPriority:
    """The parts of the priority that do not depend on tickets: urgency and POSIX priority."""

    policy: SchedConf
    formulas: Formulas = GRID_ENGINE
    _posix: dict[int, float] = field(default_factory=dict)
    """-p -> normalised value."""
    _uses_urgency: bool = field(init=False)

    def __post_init__(self) -> None:
        self._uses_urgency = self.policy.uses_urgency

    def normalised(self, run_job: RunJob) -> tuple[float, float]:
        """Return a job's normalised urgency and POSIX priority; the neutral value for one that is not used."""
        urgency = run_job.urgency.normalised if self._uses_urgency else self.formulas.neutral
        requested = run_job.job.request.priority
        priority = self._posix.get(requested)
        if priority is None:
            counts = self.policy.uses_priority
            priority = self._posix[requested] = self.formulas.posix(requested) if counts else self.formulas.neutral
        return urgency, priority

    def without_tickets(self, run_job: RunJob) -> float:
        urgency, priority = self.normalised(run_job)
        weights = self.policy.weights
        return weights.urgency * urgency + weights.priority * priority


@dataclass(frozen=True, slots=True)
class WeightedSum:
    """The priority formula of one run."""

    ticketless: TicketlessPriority
    urgencies: Scale
    tickets: Scale
    order: TicketOrder = field(default_factory=TicketOrder)
    """The order in which tickets were handed out."""

    @property
    def formulas(self) -> Formulas:
        return self.ticketless.formulas

    def set_priorities(self, jobs: Iterable[RunJob]) -> None:
        """Set ntckts and prior of all tasks that have tickets."""
        weights = self.ticketless.policy.weights
        by_urgency, by_tickets, by_priority = weights.urgency, weights.ticket, weights.priority
        normalise, normalised = self.tickets.normalise, self.ticketless.normalised
        for run_job in jobs:
            urgency, priority = normalised(run_job)
            for tickets in run_job.tickets.values():
                tickets.ntckts = share = normalise(tickets.total)
                tickets.prior = by_urgency * urgency + by_tickets * share + by_priority * priority

    def prior_with(self, run_job: RunJob, share: float) -> float:
        """Return the priority of a job's task with the normalised tickets `share` (0..1)."""
        weights = self.ticketless.policy.weights
        urgency, priority = self.ticketless.normalised(run_job)
        return weights.urgency * urgency + weights.ticket * share + weights.priority * priority

    def set_for_next_task(self, run_job: RunJob, task: int) -> None:
        """Set the priority of an array job's next task; 8.1.9 adds the terms in another order here.

        The tickets are copied before, as other runs share those computed before the first placement.
        """
        tickets = run_job.tickets[task] = run_job.template = run_job.tickets[task].copy()
        weights = self.ticketless.policy.weights
        urgency, priority = self.ticketless.normalised(run_job)
        tickets.ntckts = self.tickets.normalise(tickets.total)
        tickets.prior = weights.urgency * urgency + weights.priority * priority + weights.ticket * tickets.ntckts
        run_job.prior = tickets.prior

    def ranges(self, jobs: Iterable[RunJob]) -> Sequence[tuple[float, float]]:
        """Return the (lowest, highest) normalised urgency, tickets and POSIX priority of tasks that do not run yet.

        Jobs that take no part have no tickets and are ignored; empty if no job takes part.
        """
        triples = set[tuple[float, float, float]]()
        for run_job in jobs:
            urgency, priority = self.ticketless.normalised(run_job)
            running = frozenset(run_job.split.booked_running)
            triples.update(
                (urgency, tickets.ntckts, priority) for task, tickets in run_job.tickets.items() if task not in running
            )
        return [(min(values), max(values)) for values in zip(*triples, strict=True)]
