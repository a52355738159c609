"""Formulas for the priority: Grid Engine's own, and those proposed by a study.

The study "Calculating GE Job Priorities" (seed 001) proposes three changes. Each of them, and all three together, are
formulas here, to compare them with Grid Engine. **No qmaster uses them**, and every display of their results says so
(`Formulas.is_grid_engine`).

* *Allow negative priorities and make the default 0.* Grid Engine maps -p 0 to 0.5, the middle of -p's range. So 0 is
normalised to 0.5, a policy that is turned off raises all priorities, and twice the urgency is not twice the normalised
urgency. `ZERO_CENTRED` divides by the largest value instead: 0 stays 0, and values are proportional.

* *Do not include running jobs in normalisations.* A running job cannot start sooner, but if it is the most urgent job,
it lowers the values of pending jobs. `PENDING_ONLY` uses only pending jobs, and gives running tasks no priority.

* *Replace unnecessarily complex operations by simple linear ones.* Grid Engine divides a user's functional tickets by
the number of the user's jobs considered so far, so their total is unpredictable: in the study's example 1,000,000 for
running jobs and 215,275 for pending ones. `ADDING_UP` divides by the number of all jobs (`additive_tickets`): the
tickets of all tasks add up to those of the policy, and more jobs bring no more tickets.
"""

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from qmon_tui.scheduler.configuration import TicketPolicy
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.priority import additive_tickets
from qmon_tui.scheduler.priority.share_tree_nodes import TaskRef

EPSILON = 1e-5
NEUTRAL = 0.5
"""The normalised value of all jobs if a policy gives all of them the same value."""
_BASE_PRIORITY = 1024
_PRIORITY_RANGE = 2048


def normalised_priority(priority: int) -> float:
    """Return -p (-1023..1024) normalised by its fixed range; -p 0 becomes 0.5."""
    return (priority + _BASE_PRIORITY) / _PRIORITY_RANGE


@dataclass(frozen=True, slots=True)
class Scale:
    """The lowest and highest urgency, or number of tickets, in one run."""

    lowest: float = 0.0
    highest: float = 0.0
    flat: float = NEUTRAL
    """The normalised value if `is_flat`."""

    @property
    def is_flat(self) -> bool:
        """True if the lowest and highest value are less than EPSILON apart."""
        return self.highest - self.lowest < EPSILON

    def normalise(self, value: float) -> float:
        """Return the value scaled to 0 for the lowest and 1 for the highest; `flat` if the scale is flat."""
        if self.highest - self.lowest < EPSILON:
            return self.flat
        return (value - self.lowest) / (self.highest - self.lowest)


def urgency_scale(urgencies: Iterable[float]) -> Scale:
    """Return the scale of urgencies; as in 8.1.9, its highest value is at least the smallest positive float."""
    values = list(urgencies)
    return Scale(min(values, default=sys.float_info.max), max((sys.float_info.min, *values)))


def ticket_scale(tickets: Iterable[float]) -> Scale:
    """Return the scale from 0 to the highest number of tickets."""
    return Scale(0.0, max((0.0, *tickets)))


_MOST_PRIORITY = 1024


@dataclass(frozen=True, slots=True)
class Formulas:
    """A set of formulas to calculate priorities: Grid Engine's (`GRID_ENGINE`), or those of a study."""

    name: str
    """The name on the command line."""
    words: str
    urgency: Callable[[Iterable[float]], Scale] = urgency_scale
    tickets: Callable[[Iterable[float]], Scale] = ticket_scale
    posix: Callable[[int], float] = normalised_priority
    """Normalises -p."""
    neutral: float = NEUTRAL
    """The normalised value if a policy is not used."""
    counts_running: bool = True
    """True if running tasks are included in the normalisation."""
    divide: Callable[[Sequence[TaskRef], Sequence[TaskRef], TicketPolicy], None] | None = None
    """Divides functional and override tickets among running and pending tasks; None: Grid Engine's rule."""

    @property
    def is_grid_engine(self) -> bool:
        return self.name == GRID_ENGINE.name

    def counting(self, participants: Sequence[RunJob]) -> Sequence[RunJob]:
        """Return the jobs whose urgencies are normalised together."""
        return participants if self.counts_running else [job for job in participants if job.queue]

    def settle(self, running: Iterable[RunJob]) -> None:
        """Reset ntckts and prior of running tasks, unless `counts_running`."""
        if self.counts_running:
            return
        for run_job in running:
            for task in run_job.split.running:
                tickets = run_job.tickets[task]
                tickets.ntckts = tickets.prior = 0.0


def _to_largest(values: Iterable[float]) -> Scale:
    """Return a scale that divides by the largest absolute value: results are -1..1, or 0 if all values are 0."""
    return Scale(0.0, max(map(abs, values), default=0.0), flat=0.0)


GRID_ENGINE = Formulas("grid-engine", "Grid Engine 8.1.9")

ZERO_CENTRED = Formulas(
    "zero-centred",
    "0 in the middle: urgency and tickets divided by the largest, -p by 1024",
    urgency=_to_largest,
    tickets=_to_largest,
    posix=lambda priority: priority / _MOST_PRIORITY,
    neutral=0.0,
)

PENDING_ONLY = Formulas("pending-only", "running jobs left out of the normalisation", counts_running=False)

ADDING_UP = Formulas(
    "adding-up", "tickets that add up: divided equally among all of a user's tasks", divide=additive_tickets.divide
)

REFORM = replace(
    ZERO_CENTRED,
    name="reform",
    words="all three: 0 in the middle, running jobs left out, tickets that add up",
    counts_running=False,
    divide=additive_tickets.divide,
)

FORMULAS = {formulas.name: formulas for formulas in (GRID_ENGINE, ZERO_CENTRED, PENDING_ONLY, ADDING_UP, REFORM)}
"""The formulas by name; the first is Grid Engine's."""
