"""The priority of a task: its terms, the jobs ahead of it, and what qstat shows (priority.md#the-formula)."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from qmon_tui.explain.explanation import Bound, JobAhead, PriorityTerm, ShownPriority
from qmon_tui.model import TaskOutcome
from qmon_tui.qmaster import Run
from qmon_tui.scheduler.jobs import RunJob, Tickets
from qmon_tui.scheduler.priority import Formulas
from qmon_tui.values import tickets_words, urgency_text

URGENCY, TICKETS, POSIX = "urgency", "tickets", "POSIX priority"
_LEAST_POSIX, _MOST_POSIX = -1024, 1024


class NormalisationBounds:
    """The tasks that set the ends of the scales of one run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self.formulas: Formulas = run.formula.formulas
        scale = run.formula.urgencies
        self.least_urgent = self._urgency(scale.lowest)
        self.most_urgent = self._urgency(scale.highest)
        self.has_most_in_array = False
        """True if a task of an array has the most tickets."""
        self.most_tickets = self._most_tickets()

    @cached_property
    def counting(self) -> int:
        """The number of jobs whose urgencies are normalised together."""
        return sum(map(self._counts, self._run.jobs))

    def _counts(self, run_job: RunJob) -> bool:
        return run_job.split.takes_part and bool(self.formulas.counting([run_job]))

    def _urgency(self, end: float) -> Bound:
        """Return the job whose urgency is an end of the scale; without a job if the formula fixes that end."""
        for value in (end, -end):
            for run_job in self._run.jobs:
                if run_job.urgency.total == value and self._counts(run_job):
                    return Bound(value, run_job.id, None, "qw" if run_job.queue else "r")
        return Bound(end)

    def _most_tickets(self) -> Bound:
        highest = self._run.formula.tickets.highest
        counts_running = self.formulas.counts_running
        for run_job in self._run.jobs:
            for task, tickets in run_job.tickets.items():
                if tickets.total != highest:
                    continue
                is_running = task in run_job.split.running
                if counts_running or not is_running:
                    self.has_most_in_array = run_job.job.request.array is not None
                    return Bound(highest, run_job.id, task, "r" if is_running else "qw")
        return Bound(highest)


def priority_terms(
    run: Run, run_job: RunJob, tickets: Tickets, bounds: NormalisationBounds
) -> tuple[PriorityTerm, ...]:
    """Return the terms for urgency, tickets and POSIX priority of one task."""
    weights = run.compiled.policy.weights
    urgency, priority = run.formula.ticketless.normalised(run_job)
    raw, posix = _raw_parts(run_job, tickets), run_job.job.request.priority
    ends_of_tickets = (None, None) if run.formula.tickets.is_flat else (Bound(0.0), bounds.most_tickets)

    def term(name: str, weight: float, normalised: float, words: str, ends: Sequence[Bound | None]) -> PriorityTerm:
        detail = tuple((part, raw[part]) for part in (*_TOTALS[name], *_PARTS[name]))
        return PriorityTerm(name, weight, normalised, weight * normalised, detail, words, *ends)

    words = _tickets_in_words(run, run_job, tickets, bounds)
    return (
        term(URGENCY, weights.urgency, urgency, _urgency_in_words(run, run_job, bounds), _urgency_ends(run, bounds)),
        term(TICKETS, weights.ticket, tickets.ntckts, words, ends_of_tickets),
        term(POSIX, weights.priority, priority, _posix_in_words(run, posix, priority), _posix_ends(run)),
    )


def _posix_in_words(run: Run, posix: int, priority: float) -> str:
    if not run.compiled.policy.uses_priority:
        return f"weight_priority is 0 and pending jobs are not reported, so each gets {priority:g}."
    return f"-p {posix} within {_LEAST_POSIX} to {_MOST_POSIX} is {priority:.5f}; 0 lies in the middle."


def _posix_ends(run: Run) -> tuple[Bound | None, Bound | None]:
    if not run.compiled.policy.uses_priority:
        return None, None
    return Bound(_LEAST_POSIX), Bound(_MOST_POSIX)


def _urgency_ends(run: Run, bounds: NormalisationBounds) -> tuple[Bound | None, Bound | None]:
    if not run.compiled.policy.uses_urgency or run.formula.urgencies.is_flat:
        return None, None
    return bounds.least_urgent, bounds.most_urgent


def _counted_jobs(bounds: NormalisationBounds) -> str:
    return "pending and running" if bounds.formulas.counts_running else "pending"


def _urgency_in_words(run: Run, run_job: RunJob, bounds: NormalisationBounds) -> str:
    scale, neutral = run.formula.urgencies, bounds.formulas.neutral
    if not run.compiled.policy.uses_urgency:
        return f"weight_urgency is 0 and pending jobs are not reported, so each gets {neutral:g}."
    urgency, low, high = run_job.urgency.total, bounds.least_urgent, bounds.most_urgent
    if scale.is_flat and (high.job is not None or scale.flat == 0):
        if bounds.counting == 1:
            return f"There is no other {_counted_jobs(bounds).replace(' and ', ' or ')} job, so it gets {scale.flat:g}."
        count = f"All {bounds.counting} {_counted_jobs(bounds)} jobs"
        return f"{count} are equally urgent, so each gets {scale.flat:g}."
    own, lowest, highest = _distinct_texts(urgency_text, urgency, low.value, high.value)
    if high.job is None:
        return (
            f"No job's urgency is above 0, and then 0 counts as the highest: {own} "
            f"lies between {lowest} (job {low.job}) and 0."
        )
    if low.job is None:
        own, most = _distinct_texts(urgency_text, urgency, abs(high.value))
        return f"{own} of {most} (job {high.job}), the most of all {_counted_jobs(bounds)} jobs."
    return (
        f"{own} lies between {lowest} (job {low.job}) and {highest} (job {high.job}), "
        f"the lowest and the highest of all {_counted_jobs(bounds)} jobs."
    )


def _tickets_in_words(run: Run, run_job: RunJob, tickets: Tickets, bounds: NormalisationBounds) -> str:
    if run.formula.tickets.is_flat:
        return f"No task has tickets, so each gets {run.formula.tickets.flat:g}."
    highest = bounds.most_tickets
    if tickets.total == highest.value:
        return f"{tickets_words(tickets.total)} tickets, the most of all {_counted_jobs(bounds)} tasks."
    owner = f"job {highest.job}" + (f" task {highest.task}" if bounds.has_most_in_array else "")
    own, most = _distinct_texts(tickets_words, tickets.total, highest.value)
    return f"{own} of {most} tickets, the most that a task has ({owner})."


def _distinct_texts(text: Callable[[float], str], *values: float) -> list[str]:
    """Format numbers as in qstat's columns; with decimals if different ones would look the same."""
    texts = [text(value) for value in values]
    return texts if len(set(texts)) >= len(set(values)) else [f"{value:.5f}" for value in values]


_FIRST, _LAST = 5, 15
"""Number of jobs shown from the head of the list, and right ahead of the task."""

MAXUJOBS = "maxujobs"
SUBMITTED, NUMBER = "submission time", "job number"

_TOTALS: Mapping[str, tuple[str, ...]] = {URGENCY: ("urg",), TICKETS: ("tckts",), POSIX: ()}
_PARTS = {
    URGENCY: ("rrcontr", "wtcontr", "dlcontr"),
    TICKETS: ("otckt", "ftckt", "stckt"),
    POSIX: ("ppri",),
}


def jobs_ahead(run: Run, run_job: RunJob, tickets: Tickets, rank: int) -> tuple[JobAhead, ...]:
    """Return the first pending jobs and those right ahead; `rank` is the job's place, from 1."""
    jobs = run.pending[: rank - 1]
    if len(jobs) > _FIRST + _LAST:
        jobs = [*jobs[:_FIRST], *jobs[-_LAST:]]
    own = _terms(run, run_job, tickets)
    return tuple(_job_ahead(run, other, run_job, tickets, own) for other in jobs)


def _job_ahead(
    run: Run, other: RunJob, run_job: RunJob, tickets: Tickets, own: Sequence[tuple[str, float]]
) -> JobAhead:
    task = other.queue[0]
    theirs = other.tickets.get(task) or Tickets()
    gaps = tuple((name, value - mine) for (name, value), (_, mine) in zip(_terms(run, other, theirs), own, strict=True))
    by, gap = max(gaps, key=lambda term_and_gap: term_and_gap[1])
    lead = theirs.prior - tickets.prior
    cause = ""
    if lead <= 0 or gap <= 0:
        by = SUBMITTED if other.job.submitted != run_job.job.submitted else NUMBER
    else:
        mine, others = _raw_parts(run_job, tickets), _raw_parts(other, theirs)
        cause = max(_PARTS[by], key=lambda part: others[part] - mine[part])
    starts = list(run.starts_of(other.id).values())
    place = run.resources.instances[starts[0].grants[0][0]].name if starts else ""
    left_out = MAXUJOBS if other.excluded_at is not None and not starts else ""
    return JobAhead(
        other.id, task, other.job.name, other.job.owner, theirs.prior, lead, by, cause, gaps, place, left_out
    )


def _terms(run: Run, run_job: RunJob, tickets: Tickets) -> tuple[tuple[str, float], ...]:
    weights = run.compiled.policy.weights
    urgency, priority = run.formula.ticketless.normalised(run_job)
    return (
        (URGENCY, weights.urgency * urgency),
        (TICKETS, weights.ticket * tickets.ntckts),
        (POSIX, weights.priority * priority),
    )


def _raw_parts(run_job: RunJob, tickets: Tickets) -> dict[str, float]:
    urgency = run_job.urgency
    return {
        "urg": urgency.total, "tckts": tickets.total,
        "rrcontr": urgency.requirements, "wtcontr": urgency.waiting, "dlcontr": urgency.deadline,
        "otckt": tickets.override, "ftckt": tickets.functional, "stckt": tickets.share_tree,
        "ppri": float(run_job.job.request.priority),
    }  # fmt: skip


_LEFT_OUT = "maxujobs leaves it out of this run"
_NOT_REPORTED = "pending jobs are not reported (report_pjob_tickets)"
_RAN_BEFORE = "it shows that of a task of the job that ran before and waits again, and none for the others"
_STARTED = "all pending tasks of a job share one number there, and that goes to the task that starts in this run"
_NEXT = "all pending tasks of a job share one number there, that of the next one to be tried"


def shown_priority(run: Run, run_job: RunJob, task: TaskOutcome, tickets: Tickets) -> ShownPriority | None:
    """Return the priority that qstat shows for a task; None if it equals the task's own."""
    if f"{task.prior:.5f}" == f"{tickets.prior:.5f}":
        return None
    return ShownPriority(task.prior, _reason_of_difference(run, run_job, task))


def _reason_of_difference(run: Run, run_job: RunJob, task: TaskOutcome) -> str:
    if run_job.excluded_at is not None:
        return _LEFT_OUT
    if not run.compiled.policy.report_pending:
        return _NOT_REPORTED
    if run_job.next_task < len(run_job.split.enrolled):
        return _RAN_BEFORE
    return _NEXT if task.prior else _STARTED
