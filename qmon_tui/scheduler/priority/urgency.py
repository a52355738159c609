"""Urgency: waiting time, deadline and resource contributions, and normalisation (priority.md#urgency)."""

from collections.abc import Callable, Iterable, Sequence

from qmon_tui.scheduler.configuration import AttributeTable, Weights
from qmon_tui.scheduler.jobs import Demand, RunJob
from qmon_tui.scheduler.priority.formulas import Scale, urgency_scale

_UINT32 = 2**32


def waiting_time(now: int, submitted: int) -> int:
    """Return the seconds since submission, calculated with unsigned 32-bit numbers, as in the qmaster."""
    return (now - submitted) % _UINT32


def deadline_contribution(weight: float, deadline: int | None, now: int) -> float:
    """Return weight_deadline / seconds to the deadline (None: 0); the whole weight from one second before it.

    The time left is a signed 32-bit number, so a deadline more than 68 years ahead counts as passed.
    """
    if not deadline:
        return 0.0
    seconds_left = (deadline - now + _UINT32 // 2) % _UINT32 - _UINT32 // 2
    return weight / max(seconds_left, 1)


def requirement_contribution(demand: Demand, slots: int, attributes: AttributeTable) -> float | None:
    """Return the resource contribution of hard requests and slots; None if there is no attribute `slots`."""
    slots_attribute = attributes.by_name.get("slots")
    if slots_attribute is None:
        return None
    total = 0.0 + 1.0 * slots_attribute.urgency * slots  # never -0
    for wanted in demand.hard:
        if wanted.attribute.numeric:
            total += wanted.typed_amount * wanted.attribute.urgency * slots
        else:
            total += wanted.attribute.urgency
    return total


def work_out_urgency(jobs: Iterable[RunJob], weights: Weights, attributes: AttributeTable, now: int) -> None:
    """Set the urgency columns, not yet normalised, of all jobs that take part, running ones included."""
    known: dict[int, float | None] = {}
    per_second = weights.waiting_time
    for run_job in jobs:
        category = id(run_job.category)
        if category not in known:
            known[category] = requirement_contribution(run_job.demand, run_job.slots, attributes)
        requirements = known[category]
        if requirements is None:
            continue
        urgency, job = run_job.urgency, run_job.job
        urgency.requirements = requirements
        urgency.waiting = waiting = per_second * waiting_time(now, job.submitted)
        urgency.deadline = deadline = deadline_contribution(weights.deadline, job.request.deadline, now)
        urgency.total = waiting + deadline + requirements


def normalise_urgency(jobs: Sequence[RunJob], scale_of: Callable[[Iterable[float]], Scale] = urgency_scale) -> Scale:
    """Set the normalised urgencies; return their scale."""
    scale = scale_of([run_job.urgency.total for run_job in jobs])
    normalise = scale.normalise
    for run_job in jobs:
        urgency = run_job.urgency
        urgency.normalised = normalise(urgency.total)
    return scale
