"""Start orders that the qmaster denies: the reason in words.

Source: dispatch.md#acceptance-of-a-start-order.
"""

from qmon_tui.qmaster import Run
from qmon_tui.scheduler.configuration import GLOBAL
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.matching import Denial, DenialReason, StartOrder

_ORDERED = "the scheduler orders its start, and the qmaster "
_READS_ON = (DenialReason.UNREAD, DenialReason.CONSUMABLE, DenialReason.NOT_AT_ONCE)


def denied_start(run: Run, run_job: RunJob, task: int) -> StartOrder | None:
    """Return the denied start order of a task; None if there is none."""
    start = run.starts_of(run_job.id).get(task)
    return start if start is not None and start.refused else None


def denial_words(run: Run, start: StartOrder) -> str:
    """Return the reason of a denial in words."""
    denial = start.denial
    assert denial is not None
    if denial.why is DenialReason.UNREAD:
        first = first_denied(run)
        before = f"that of job {first.run_job.id}" if first is not None else "one"
        return f"{_ORDERED}does not read the order, as it could not carry out {before} before it"
    return (
        f"{_ORDERED}refuses it: {_WORDS[denial.why].format(_place(denial), denial.attribute, start.run_job.job.owner)}"
    )


_WORDS = {
    DenialReason.USER: "user {2} may not use {0}, where departments are access lists, too",
    DenialReason.SLOTS: "{0} has too few slots",
    DenialReason.CLOSED: "a calendar has closed {0}",
    DenialReason.CONSUMABLE: "{0} has too little of {1}",
    DenialReason.NOT_AT_ONCE: "other tasks of the job could not start immediately",
}


def _place(denial: Denial) -> str:
    if denial.place == GLOBAL:
        return "the global host"
    return f"host {denial.place}" if denial.why is DenialReason.CONSUMABLE else f"queue instance {denial.place}"


def first_denied(run: Run) -> StartOrder | None:
    """Return the denied start order after which the qmaster stopped reading; None if there is none."""
    return next(
        (order for order in run.dispatch.starts if order.denial is not None and order.denial.why not in _READS_ON), None
    )
