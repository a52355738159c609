"""The three terms of a priority with their raw parts, and who sets the ends of each scale (priority.md 1 to 5)."""

from collections.abc import Callable
from functools import cached_property

from qmon_tui.qmaster.run import Run
from qmon_tui.scheduler.explanation import Bound, Term
from qmon_tui.scheduler.formulas import Formulas
from qmon_tui.scheduler.jobs import RunJob, Tickets
from qmon_tui.values.printing import tickets_words, urgency_text

URGENCY, TICKETS, POSIX = "urgency", "tickets", "POSIX priority"
_LEAST_POSIX, _MOST_POSIX = -1024, 1024


class Standards:
    """Who sets the ends of the scales of one run; found once for all its tasks."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self.formulas: Formulas = run.formula.formulas
        scale = run.formula.urgencies
        self.least_urgent = self._urgency(scale.lowest)
        self.most_urgent = self._urgency(scale.highest)
        self.has_most_in_array = False
        """It is a task of an array that has the most tickets."""
        self.most_tickets = self._most_tickets()

    @cached_property
    def counting(self) -> int:
        """How many jobs' urgencies are compared."""
        return sum(map(self._counts, self._run.jobs))

    def _counts(self, run_job: RunJob) -> bool:
        return run_job.split.takes_part and bool(self.formulas.counting([run_job]))

    def _urgency(self, end: float) -> Bound:
        """The job whose urgency is an end of the scale; nobody's where the formula fixes that end."""
        for value in (end, -end):
            for run_job in self._run.jobs:
                if run_job.urgency.total == value and self._counts(run_job):
                    return Bound(value, run_job.id, None, _letter(run_job))
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


def _letter(run_job: RunJob) -> str:
    return "qw" if run_job.queue else "r"


def terms_of(run: Run, run_job: RunJob, tickets: Tickets, standards: Standards) -> tuple[Term, ...]:
    """Urgency, tickets and POSIX priority of one task."""
    weights = run.compiled.policy.weights
    urgency, priority = run.formula.standing.normalised(run_job)
    own = run_job.urgency
    posix = run_job.job.request.priority
    return (
        Term(
            URGENCY,
            weights.urgency,
            urgency,
            weights.urgency * urgency,
            (
                ("urg", own.total),
                ("rrcontr", own.requirements),
                ("wtcontr", own.waiting),
                ("dlcontr", own.deadline),
            ),
            _urgency_in_words(run, run_job, standards),
            *_urgency_ends(run, standards),
        ),
        Term(
            TICKETS,
            weights.ticket,
            tickets.ntckts,
            weights.ticket * tickets.ntckts,
            (
                ("tckts", tickets.total),
                ("otckt", tickets.override),
                ("ftckt", tickets.functional),
                ("stckt", tickets.share_tree),
            ),
            _tickets_in_words(run, run_job, tickets, standards),
            *((None, None) if run.formula.tickets.is_flat else (Bound(0.0), standards.most_tickets)),
        ),
        Term(
            POSIX,
            weights.priority,
            priority,
            weights.priority * priority,
            (("ppri", float(posix)),),
            _posix_in_words(run, posix, priority),
            *_posix_ends(run),
        ),
    )


def _posix_in_words(run: Run, posix: int, priority: float) -> str:
    if not run.compiled.policy.uses_priority:
        return f"weight_priority is 0 and pending jobs are not reported, so that everybody gets {priority:g}."
    return f"-p {posix} within {_LEAST_POSIX} to {_MOST_POSIX} is {priority:.5f}; 0 lies in the middle."


def _posix_ends(run: Run) -> tuple[Bound | None, Bound | None]:
    """-p is normalised between fixed ends."""
    if not run.compiled.policy.uses_priority:
        return None, None
    return Bound(_LEAST_POSIX), Bound(_MOST_POSIX)


def _urgency_ends(run: Run, standards: Standards) -> tuple[Bound | None, Bound | None]:
    if not run.compiled.policy.uses_urgency or run.formula.urgencies.is_flat:
        return None, None
    return standards.least_urgent, standards.most_urgent


def _who(standards: Standards) -> str:
    return "pending and running" if standards.formulas.counts_running else "pending"


def _urgency_in_words(run: Run, run_job: RunJob, standards: Standards) -> str:
    scale, neutral = run.formula.urgencies, standards.formulas.neutral
    if not run.compiled.policy.uses_urgency:
        return f"weight_urgency is 0 and pending jobs are not reported, so that everybody gets {neutral:g}."
    urgency, low, high = run_job.urgency.total, standards.least_urgent, standards.most_urgent
    if scale.is_flat and (high.job is not None or scale.flat == 0):
        if standards.counting == 1:
            return f"There is no other {_who(standards).replace(' and ', ' or ')} job, so that it gets {scale.flat:g}."
        count = f"All {standards.counting} {_who(standards)} jobs"
        return f"{count} are equally urgent, so that everybody gets {scale.flat:g}."
    own, lowest, highest = _told(urgency_text, urgency, low.value, high.value)
    if high.job is None:
        return (
            f"No job's urgency is above 0, and then 0 counts as the highest: {own} "
            f"lies between {lowest} (job {low.job}) and 0."
        )
    if low.job is None:
        own, most = _told(urgency_text, urgency, abs(high.value))
        return f"{own} of {most} (job {high.job}), the most of all {_who(standards)} jobs."
    return (
        f"{own} lies between {lowest} (job {low.job}) and {highest} (job {high.job}), "
        f"the lowest and the highest of all {_who(standards)} jobs."
    )


def _tickets_in_words(run: Run, run_job: RunJob, tickets: Tickets, standards: Standards) -> str:
    if run.formula.tickets.is_flat:
        return f"Nobody has tickets, so that everybody gets {run.formula.tickets.flat:g}."
    highest = standards.most_tickets
    if tickets.total == highest.value:
        return f"{tickets_words(tickets.total)} tickets, the most of all {_who(standards)} tasks."
    owner = f"job {highest.job}" + (f" task {highest.task}" if standards.has_most_in_array else "")
    own, most = _told(tickets_words, tickets.total, highest.value)
    return f"{own} of {most} tickets, the most that a task has ({owner})."


def _told(text: Callable[[float], str], *values: float) -> list[str]:
    """Numbers as qstat's columns have them; with decimals where these would make different ones look the same."""
    texts = [text(value) for value in values]
    return texts if len(set(texts)) >= len(set(values)) else [f"{value:.5f}" for value in values]
