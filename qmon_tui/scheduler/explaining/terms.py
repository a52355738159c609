"""The three terms of a priority with their raw parts and a sentence each (priority.md sections 1 to 5)."""

from qmon_tui.scheduler.jobs import RunJob, Tickets
from qmon_tui.scheduler.outcome import Term
from qmon_tui.scheduler.run import Run
from qmon_tui.scheduler.scale import EPSILON


def terms_of(run: Run, run_job: RunJob, tickets: Tickets) -> tuple[Term, ...]:
    """Urgency, tickets and POSIX priority of one task."""
    policy = run.compiled.policy
    weights = policy.weights
    urgency, priority = run.formula.normalised(run_job)
    return (
        Term(
            "urgency",
            weights.urgency,
            urgency,
            weights.urgency * urgency,
            (
                ("urg", run_job.urgency.total),
                ("rrcontr", run_job.urgency.requirements),
                ("wtcontr", run_job.urgency.waiting),
                ("dlcontr", run_job.urgency.deadline),
            ),
            _urgency_in_words(run, run_job),
        ),
        Term(
            "tickets",
            weights.ticket,
            tickets.ntckts,
            weights.ticket * tickets.ntckts,
            (
                ("tckts", tickets.total),
                ("otckt", tickets.override),
                ("ftckt", tickets.functional),
                ("stckt", tickets.share_tree),
                ("highest", run.formula.tickets.highest),
            ),
            _tickets_in_words(run, tickets),
        ),
        Term(
            "POSIX priority",
            weights.priority,
            priority,
            weights.priority * priority,
            (("ppri", float(run_job.job.request.priority)),),
            f"-p {run_job.job.request.priority} within -1024 to 1024 is {priority:.5f}; 0 lies in the middle.",
        ),
    )


def _urgency_in_words(run: Run, run_job: RunJob) -> str:
    if not run.compiled.policy.uses_urgency:
        return "weight_urgency is 0 and pending jobs are not reported, so that everybody gets 0.5."
    participants = [one for one in run.jobs if one.split.takes_part]
    lowest = min(participants, key=lambda one: one.urgency.total)
    highest = max(participants, key=lambda one: one.urgency.total)
    low, high = lowest.urgency.total, highest.urgency.total
    if high - low < EPSILON and high > 0:
        return f"All {len(participants)} pending and running jobs are equally urgent, so that everybody gets 0.5."
    if high <= 0:
        return (
            f"No job's urgency is above 0, and then 0 counts as the highest: {run_job.urgency.total:g} "
            f"lies between {low:g} (job {lowest.id}) and 0."
        )
    return (
        f"{run_job.urgency.total:g} lies between {low:g} (job {lowest.id}) and {high:g} (job {highest.id}), "
        "the lowest and the highest of all pending and running jobs."
    )


def _tickets_in_words(run: Run, tickets: Tickets) -> str:
    highest = run.formula.tickets.highest
    if highest < EPSILON:
        return "Nobody has tickets, so that everybody gets 0.5."
    owner = next(
        (
            f"job {one.id}" + (f" task {task}" if one.job.request.array is not None else "")
            for one in run.jobs
            for task, own in one.tickets.items()
            if own.total == highest
        ),
        "somebody",
    )
    if tickets.total == highest:
        return f"{tickets.total:.0f} tickets, the most of all pending and running tasks."
    return f"{tickets.total:.0f} of {highest:.0f} tickets, the most that a task has ({owner})."
