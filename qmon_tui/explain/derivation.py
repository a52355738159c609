"""Derivation of each number of a task's priority, down to configuration and jobs.

Every value is calculated from its parts, not copied from the run; tests check that both are equal.

Source: priority.md#the-formula.
"""

from collections.abc import Iterator

from qmon_tui.explain.explanation import Bound, Derivation, given, number_text, total
from qmon_tui.explain.priority import NormalisationBounds
from qmon_tui.explain.ticket_derivations import tickets_derivation
from qmon_tui.qmaster import Run
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.priority import Scale, waiting_time
from qmon_tui.values import format_time

_LEAST_POSIX, _POSIX_RANGE = 1024, 2048


def derivation_of(run: Run, run_job: RunJob, task: int, bounds: NormalisationBounds) -> Derivation | None:
    """Return the priority of a task with its parts; None if the task takes no part in the run."""
    tickets = run_job.tickets.get(task)
    if tickets is None or not run_job.split.takes_part:
        return None
    formulas = run.formula.formulas
    if task in run_job.split.running and not formulas.counts_running:
        return given("prior", 0.0, f"running tasks have none by the formulas {formulas.name}")
    weights = run.compiled.policy.weights
    terms = (
        _weighted("weight_urgency", weights.urgency, _urgency(run, run_job, bounds)),
        _weighted("weight_ticket", weights.ticket, _ntckts(run, run_job, task, bounds)),
        _weighted("weight_priority", weights.priority, _npprior(run, run_job)),
    )
    value = terms[0].value + terms[1].value + terms[2].value
    return Derivation("prior", value, " + ".join(term.arithmetic for term in terms), "", terms)


def _weighted(field: str, weight: float, normalised: Derivation) -> Derivation:
    arithmetic = f"{number_text(weight)} × {number_text(normalised.value)}"
    name = f"{field} × {normalised.name}"
    return Derivation(name, weight * normalised.value, arithmetic, "", (given(field, weight, "scheduler"), normalised))


def _scaled(name: str, raw: Derivation, scale: Scale, lowest: Bound, highest: Bound) -> Derivation:
    if scale.is_flat:
        return given(name, scale.flat, "all are equal, so each gets this")
    low, high, own = number_text(scale.lowest), number_text(scale.highest), number_text(raw.value)
    value = (raw.value - scale.lowest) / (scale.highest - scale.lowest)
    ends = (given("highest", scale.highest, highest.words),)
    if not scale.lowest:
        return Derivation(name, value, f"{own} / {high}", "", (raw, *ends))
    arithmetic = f"({own} - {low}) / ({high} - {low})".replace("- -", "+ ")
    return Derivation(name, value, arithmetic, "", (raw, given("lowest", scale.lowest, lowest.words), *ends))


def _urgency(run: Run, run_job: RunJob, bounds: NormalisationBounds) -> Derivation:
    """Return nurg (priority.md#normalised-urgency)."""
    if not run.compiled.policy.uses_urgency:
        return given("nurg", run.formula.formulas.neutral, "weight_urgency is 0 and pending jobs are not reported")
    own = total("urg", (_waiting(run, run_job), _deadline(run, run_job), _requirements(run, run_job)))
    return _scaled("nurg", own, run.formula.urgencies, bounds.least_urgent, bounds.most_urgent)


def _waiting(run: Run, run_job: RunJob) -> Derivation:
    """Return wtcontr (priority.md#waiting-time-contribution)."""
    weight, seconds = run.compiled.policy.weights.waiting_time, waiting_time(run.now, run_job.job.submitted)
    return Derivation(
        "wtcontr", weight * seconds, f"{number_text(weight)} × {seconds}", "",
        (
            given("weight_waiting_time", weight, "scheduler"),
            given("seconds waited", seconds, f"submitted {format_time(run_job.job.submitted)}"),
        ),
    )  # fmt: skip


def _deadline(run: Run, run_job: RunJob) -> Derivation:
    """Return dlcontr (priority.md#deadline-contribution)."""
    deadline, weight = run_job.job.request.deadline, run.compiled.policy.weights.deadline
    if not deadline:
        return given("dlcontr", 0.0, "no -dl")
    left = max(waiting_time(deadline + 2**31, run.now) - 2**31, 1)
    return Derivation(
        "dlcontr", weight / left, f"{number_text(weight)} / {left}", "",
        (
            given("weight_deadline", weight, "scheduler"),
            given("seconds left, 1 at least", left, f"-dl {format_time(deadline)}"),
        ),
    )  # fmt: skip


def _requirements(run: Run, run_job: RunJob) -> Derivation:
    """Return rrcontr (priority.md#resource-contribution)."""
    slots_attribute = run.compiled.attributes.by_name.get("slots")
    if slots_attribute is None:
        return given("rrcontr", 0.0, "there is no attribute slots")
    return total("rrcontr", _requests(run_job, slots_attribute.urgency))


def _requests(run_job: RunJob, urgency_of_slots: float) -> Iterator[Derivation]:
    slots = run_job.slots
    yield Derivation(
        "slots", urgency_of_slots * slots, f"{number_text(urgency_of_slots)} × {slots}", f"urgency × {slots} slots"
    )
    for wanted in run_job.demand.hard:
        urgency, name = wanted.attribute.urgency, wanted.attribute.name
        if not urgency:
            continue
        if wanted.attribute.numeric:
            arithmetic = f"{number_text(wanted.typed_amount)} × {number_text(urgency)} × {slots}"
            value = wanted.typed_amount * urgency * slots
            yield Derivation(f"-l {name}={wanted.text}", value, arithmetic, "amount × urgency × slots")
        else:
            yield Derivation(f"-l {name}={wanted.text}", urgency, number_text(urgency), "urgency")


def _ntckts(run: Run, run_job: RunJob, task: int, bounds: NormalisationBounds) -> Derivation:
    """Return ntckts (priority.md#normalised-tickets)."""
    own = tickets_derivation(run, run_job, task)
    return _scaled("ntckts", own, run.formula.tickets, Bound(0.0), bounds.most_tickets)


def _npprior(run: Run, run_job: RunJob) -> Derivation:
    """Return npprior (priority.md#posix-priority)."""
    formulas, posix = run.formula.formulas, run_job.job.request.priority
    if not run.compiled.policy.uses_priority:
        return given("npprior", formulas.neutral, "weight_priority is 0 and pending jobs are not reported")
    own = given("ppri", posix, f"-p {posix}")
    value = (posix + _LEAST_POSIX) / _POSIX_RANGE
    if formulas.posix(posix) != value:
        return Derivation("npprior", formulas.posix(posix), "", f"by the formulas {formulas.name}", (own,))
    return Derivation("npprior", value, f"({posix} + {_LEAST_POSIX}) / {_POSIX_RANGE}", "", (own,))
