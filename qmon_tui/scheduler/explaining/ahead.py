"""The jobs that are tried earlier than a task, and which term of the priority makes the difference."""

from collections.abc import Sequence

from qmon_tui.qmaster.run import Run
from qmon_tui.scheduler.explaining.terms import POSIX, TICKETS, URGENCY
from qmon_tui.scheduler.explanation import Ahead
from qmon_tui.scheduler.jobs import RunJob, Tickets

_FIRST, _LAST = 5, 15
"""How many are told from the head of the list, and how many right ahead of the task."""

MAXUJOBS = "maxujobs"
SUBMITTED, NUMBER = "submission time", "job number"

_PARTS = {
    URGENCY: ("rrcontr", "wtcontr", "dlcontr"),
    TICKETS: ("otckt", "ftckt", "stckt"),
    POSIX: ("ppri",),
}


def ahead_of(run: Run, run_job: RunJob, tickets: Tickets, rank: int) -> tuple[Ahead, ...]:
    """The first jobs of the sorted pending list and those right ahead; `rank` is the 1-based place of the job."""
    jobs = run.pending[: rank - 1]
    if len(jobs) > _FIRST + _LAST:
        jobs = [*jobs[:_FIRST], *jobs[-_LAST:]]
    own = _terms(run, run_job, tickets)
    return tuple(_compared(run, other, run_job, tickets, own) for other in jobs)


def _compared(run: Run, other: RunJob, run_job: RunJob, tickets: Tickets, own: Sequence[tuple[str, float]]) -> Ahead:
    task = other.queue[0]
    theirs = other.tickets.get(task) or Tickets()
    gaps = tuple((name, value - mine) for (name, value), (_, mine) in zip(_terms(run, other, theirs), own, strict=True))
    by, gap = max(gaps, key=lambda one: one[1])
    lead = theirs.prior - tickets.prior
    cause = ""
    if lead <= 0 or gap <= 0:
        by = SUBMITTED if other.job.submitted != run_job.job.submitted else NUMBER
    else:
        mine, others = _raw(run_job, tickets), _raw(other, theirs)
        cause = max(_PARTS[by], key=lambda part: others[part] - mine[part])
    starts = run.starts_of(other.id)
    place = run.resources.instances[starts[0].grants[0][0]].name if starts else ""
    left_out = MAXUJOBS if other.excluded_at is not None and not starts else ""
    return Ahead(other.id, task, other.job.name, other.job.owner, theirs.prior, lead, by, cause, gaps, place, left_out)


def _terms(run: Run, run_job: RunJob, tickets: Tickets) -> tuple[tuple[str, float], ...]:
    weights = run.compiled.policy.weights
    urgency, priority = run.formula.standing.normalised(run_job)
    return (
        (URGENCY, weights.urgency * urgency),
        (TICKETS, weights.ticket * tickets.ntckts),
        (POSIX, weights.priority * priority),
    )


def _raw(run_job: RunJob, tickets: Tickets) -> dict[str, float]:
    urgency = run_job.urgency
    return {
        "rrcontr": urgency.requirements, "wtcontr": urgency.waiting, "dlcontr": urgency.deadline,
        "otckt": tickets.override, "ftckt": tickets.functional, "stckt": tickets.share_tree,
        "ppri": float(run_job.job.request.priority),
    }  # fmt: skip
