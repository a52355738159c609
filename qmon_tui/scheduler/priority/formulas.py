"""How policies become one priority: Grid Engine's own formulas, and those that the study of them asks for.

The study "Calculating GE Job Priorities" (seed 001) ends with three ideas for a redesign. Each is here by itself and
all are here together, to be compared with what Grid Engine does. **None of them is Grid Engine**: no qmaster computes
so, and whatever shows an outcome of theirs has to say it (`Formulas.is_grid_engine`).

* *Allow negative priorities and make the default 0.* Grid Engine puts what nobody has set in the middle, at 0.5, since
  -p 0 is the middle of -p's range. So a set of zeroes is normalised to a set of halves, a policy that is turned off
  raises all priorities, and twice the urgency is not twice the normalised urgency. `ZERO_CENTRED` divides by the
  largest value instead: nothing stays 0, and twice as much counts twice.
* *Do not include running jobs in normalisations.* A running job cannot be run sooner, however urgent it is; but as the
  most urgent one of all it presses those together that wait. `PENDING_ONLY` looks at those that can still be sorted,
  and gives running tasks no priority at all.
* *Replace unnecessarily complex operations by simple linear ones.* Grid Engine divides a user's functional tickets by
  the number of the user's jobs looked at so far, so that nobody can tell how many there are in all: in the study's
  example 1,000,000 for running jobs and 215,275 for pending ones. `ADDING_UP` divides by the number of all jobs
  (`additive_tickets`): the tickets of all tasks add up to those of the policy, and more jobs bring nobody more.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from qmon_tui.scheduler.configuration import TicketPolicy
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.priority import additive_tickets
from qmon_tui.scheduler.priority.normalisation import NEUTRAL, Scale, normalised_priority, ticket_scale, urgency_scale
from qmon_tui.scheduler.priority.share_tree_nodes import TaskRef

_MOST_PRIORITY = 1024


@dataclass(frozen=True, slots=True)
class Formulas:
    """One way to compute priorities."""

    name: str
    """As it is chosen on the command line."""
    words: str
    """What it does, in a few words."""
    urgency: Callable[[Iterable[float]], Scale] = urgency_scale
    tickets: Callable[[Iterable[float]], Scale] = ticket_scale
    posix: Callable[[int], float] = normalised_priority
    """-p as it counts."""
    neutral: float = NEUTRAL
    """What a policy counts that is not worked out."""
    counts_running: bool = True
    """Running tasks are among those between whose values the others are normalised."""
    divide: Callable[[Sequence[TaskRef], Sequence[TaskRef], TicketPolicy], None] | None = None
    """Divides functional and override tickets among running and pending tasks; None as Grid Engine does."""

    @property
    def is_grid_engine(self) -> bool:
        """True if a qmaster computes so."""
        return self.name == GRID_ENGINE.name

    def counting(self, participants: Sequence[RunJob]) -> Sequence[RunJob]:
        """The jobs among which urgencies are compared."""
        return participants if self.counts_running else [job for job in participants if job.queue]

    def settle(self, running: Iterable[RunJob]) -> None:
        """Leave running tasks without a priority where they have none."""
        if self.counts_running:
            return
        for run_job in running:
            for task in run_job.split.running:
                tickets = run_job.tickets[task]
                tickets.ntckts = tickets.prior = 0.0


def _to_largest(values: Iterable[float]) -> Scale:
    """From 0 to the largest value, whatever its sign: -1 to 1, and 0 for nothing."""
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
"""By name; the first is the real one."""
