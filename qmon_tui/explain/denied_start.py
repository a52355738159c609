"""Start orders that the qmaster denies: the reason in words, and candidate changes.

Source: dispatch.md#acceptance-of-a-start-order.
"""

from collections.abc import Iterator

from qmon_tui.explain.configuration_changes import candidates_for_rejection
from qmon_tui.explain.edits import CandidateChange
from qmon_tui.explain.equivalent_places import EquivalentPlaces
from qmon_tui.explain.explanation import ReasonKind
from qmon_tui.explain.rejection import PlaceRejection, UnmetRequirement
from qmon_tui.explain.request_changes import more_of, more_slots
from qmon_tui.explain.task_rejections import TaskRejections
from qmon_tui.model import messages
from qmon_tui.qmaster import Run
from qmon_tui.scheduler.configuration import GLOBAL
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.matching import Denial, DenialReason, StartOrder
from qmon_tui.scheduler.placement import GLOBAL_SCOPE, HOST_SCOPE, INSTANCE_SCOPE

_ORDERED = "the scheduler orders its start, and the qmaster "
_STOPPING = (DenialReason.USER, DenialReason.SLOTS, DenialReason.CLOSED)
"""Denials after which the qmaster reads no further order of the run."""


def denied_start(run: Run, run_job: RunJob, task: int) -> StartOrder | None:
    """Return the start order of a task that the qmaster denied; None if it denied none."""
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
"""Reason -> words, with {0} for the place, {1} for the consumable, {2} for the owner of the job."""


def _place(denial: Denial) -> str:
    if denial.place == GLOBAL:
        return "the global host"
    return f"host {denial.place}" if denial.why is DenialReason.CONSUMABLE else f"queue instance {denial.place}"


def first_denied(run: Run) -> StartOrder | None:
    """Return the denied start order after which the qmaster stopped reading; None if there is none."""
    return next(
        (order for order in run.dispatch.starts if order.denial is not None and order.denial.why in _STOPPING), None
    )


def candidates_for_denied_start(rejections: TaskRejections, start: StartOrder) -> Iterator[CandidateChange]:
    """Yield changes that let the qmaster accept an order; for an unread order, those for the order that stopped it."""
    denial, run = start.denial, rejections.run
    if denial is not None and denial.why is DenialReason.UNREAD:
        first = first_denied(run)
        denial = first.denial if first is not None else None
        if first is not None and first.run_job is not rejections.run_job:
            run.dispatch.prepare_checks(first.run_job)
            rejections = TaskRejections(run, first.run_job, EquivalentPlaces(run))
    if denial is None:
        return
    if denial.why is DenialReason.CONSUMABLE:
        yield from _more_of_consumable(rejections, denial)
        return
    number = next(
        (index for index, instance in enumerate(run.resources.instances) if instance.name == denial.place), None
    )
    if number is None:
        return
    if denial.why is DenialReason.SLOTS:
        yield more_slots(run.resources.instances[number], 1)
    elif denial.why is DenialReason.CLOSED:
        closed = rejections.state_rejection(number)
        if closed is not None:
            yield from candidates_for_rejection(rejections, UnmetRequirement(number, closed, denial.place))
    else:
        barred = _rejection(messages.NO_PERMISSION, INSTANCE_SCOPE)
        yield from candidates_for_rejection(rejections, UnmetRequirement(number, barred, denial.place))


def _more_of_consumable(rejections: TaskRejections, denial: Denial) -> Iterator[CandidateChange]:
    resources = rejections.run.resources
    everywhere = denial.place == GLOBAL
    level = (
        resources.global_level if everywhere else next(level for level in resources.hosts if level.name == denial.place)
    )
    if denial.missing > 0:
        rejection = _rejection(messages.AT_HOST, GLOBAL_SCOPE if everywhere else HOST_SCOPE)
        attribute = rejections.run.compiled.attributes.by_name[denial.attribute]
        yield more_of(
            rejections, UnmetRequirement(-1, rejection, denial.place, level), attribute, denial.missing, denial.missing
        )


def _rejection(number: int, scope: str) -> PlaceRejection:
    return PlaceRejection(ReasonKind.BUSY, scope, number, ())
