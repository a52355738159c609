"""Candidate changes if jobs ahead took the task's resources: -p, tickets or weights that put it first.

Normalised values do not depend on the weights. So for each weight the range in which the task comes before all jobs
ahead follows from one line per job:
 weight * (own value - their value) > sum of their advantages in the other two terms
"""

from collections.abc import Iterator

from qmon_tui.explain import edits
from qmon_tui.explain.edits import CandidateChange, EditedCluster, Impact
from qmon_tui.explain.priority import POSIX, TICKETS, URGENCY
from qmon_tui.model import Kind
from qmon_tui.qmaster import Run
from qmon_tui.scheduler.configuration import double
from qmon_tui.scheduler.jobs import RunJob, Tickets
from qmon_tui.values import sum_in_order

_FIELDS = {URGENCY: "weight_urgency", TICKETS: "weight_ticket", POSIX: "weight_priority"}
_HIGHEST = 1024
_ROUND = (10, 12, 15, 20, 25, 30, 40, 50, 60, 80)
"""Round numbers in tenths, for any power of ten."""
_TICKETS = (1, 2, 3, 4, 5, 6, 8, *(tenths * 10**power for power in range(6) for tenths in _ROUND))
"""The numbers of override tickets tried."""


def candidates_for_priority(run: Run, run_job: RunJob, rank: int) -> Iterator[CandidateChange]:
    """Yield changes for a task that comes too late; none if no job ahead starts in this run."""
    ahead = run.pending[: rank - 1]
    starting = {start.run_job.id for start in run.dispatch.starts}
    rivals = [job for job in ahead if job.id in starting]
    if not rivals:
        return
    yield from _higher_priority(run, run_job)
    yield from _more_tickets(run, run_job)
    for term in _FIELDS:
        yield from _other_weight(run, run_job, ahead, term)


def _higher_priority(run: Run, run_job: RunJob) -> Iterator[CandidateChange]:
    """Yield a higher -p, the lowest that works; above 0 only an operator may set it."""
    number, before = run_job.id, run_job.job.request.priority
    room = _HIGHEST - before
    if room <= 0 or not run.compiled.policy.weights.priority:
        return

    def raised(edited: EditedCluster, steps: int) -> EditedCluster:
        value = before + steps
        sentence = f"raise the POSIX priority of job {number} from {before} to {value}"
        return edits.job_request(edited, number, f"-p {value}", sentence, "-p", str(before), str(value))

    yield CandidateChange("-p", Impact.JOB, 0.5, raised, room)


def _more_tickets(run: Run, run_job: RunJob) -> Iterator[CandidateChange]:
    """Yield override tickets, which only a manager may give."""
    if not run.compiled.policy.weights.ticket:
        return
    number, before = run_job.id, run_job.job.request.override_tickets

    def given(edited: EditedCluster, steps: int) -> EditedCluster:
        value = before + _TICKETS[steps - 1]
        sentence = f"give job {number} {value} override ticket{'s' if value != 1 else ''}"
        return edits.job_request(edited, number, f"-ot {value}", sentence, "-ot", str(before), str(value))

    yield CandidateChange("-ot", Impact.JOB, 0.6, given, len(_TICKETS))


def _other_weight(run: Run, run_job: RunJob, ahead: list[RunJob], term: str) -> Iterator[CandidateChange]:
    """Yield the weight nearest to the present one with which the task comes first."""
    scheduler = run.compiled.cluster.single(Kind.SCHEDULER)
    field = _FIELDS[term]
    weight = double(scheduler.text(field))
    interval = _leading_interval(run, run_job, ahead, term)
    if interval is None:
        return
    low, high = interval
    value = _roundest_inside(low, high, weight)
    if value is None:
        return
    verb = "raise" if value > weight else "lower"
    sentence = f"{verb} {field} from {scheduler.text(field)} to {value:g}"
    size = abs(value - weight) / max(value, weight)
    yield CandidateChange(
        field, Impact.CLUSTER, size, lambda w, _: edits.object_field(
            w, w.cluster.single(Kind.SCHEDULER), field, f"{value:.6f}", sentence
        ),
    )  # fmt: skip


def _leading_interval(run: Run, run_job: RunJob, ahead: list[RunJob], term: str) -> tuple[float, float] | None:
    """Return the range of a weight in which the task comes before all jobs ahead; None if empty."""
    weights = {name: double(run.compiled.cluster.single(Kind.SCHEDULER).text(field)) for name, field in _FIELDS.items()}
    low, high = 0.0, float("inf")
    own = _normalised(run, run_job)
    for other in ahead:
        theirs = _normalised(run, other)
        slope = own[term] - theirs[term]
        needed = sum_in_order(weights[name] * (theirs[name] - own[name]) for name in _FIELDS if name != term)
        if slope > 0:
            low = max(low, needed / slope)
        elif slope < 0:
            high = min(high, needed / slope)
        elif needed >= 0:
            return None
    return (low, high) if low < high else None


def _normalised(run: Run, run_job: RunJob) -> dict[str, float]:
    tickets = run_job.tickets.get(run_job.queue[0]) or Tickets()
    urgency, priority = run.formula.ticketless.normalised(run_job)
    return {URGENCY: urgency, TICKETS: tickets.ntckts, POSIX: priority}


def _roundest_inside(low: float, high: float, weight: float) -> float | None:
    """Return the roundest number inside the range, on the side of the present weight, with at most six decimals."""
    for decimals in range(7):
        step = 10.0**-decimals
        up = (int(low / step) + 1) * step
        down = int(high / step) * step if high != float("inf") else up
        down = down - step if down >= high else down
        value = up if weight <= low else down
        if low < value < high and value >= 0:
            return round(value, decimals)
    return None
