"""Candidate changes if reservations block a task: end before it, run outside, or cancel it.

Source: reservation.md#when-the-scheduler-plans.
"""

from collections.abc import Collection, Iterator
from functools import partial
from itertools import islice
from shlex import quote

from qmon_tui.explain import edits
from qmon_tui.explain.amounts import amount_text
from qmon_tui.explain.edits import CandidateChange, EditedCluster, Impact
from qmon_tui.explain.request_changes import more_slots, request_of
from qmon_tui.explain.reservation_reasons import fits_now, reservations_in_front
from qmon_tui.explain.task_rejections import TaskRejections
from qmon_tui.scheduler.reservation import lasting

_RUN_TIME = "h_rt"


def candidates_for_reservations(rejections: TaskRejections) -> Iterator[CandidateChange]:
    """Yield a shorter run time for the task, and the cancellation of blocking reservations."""
    plans = reservations_in_front(rejections)
    if not plans:
        yield from _outside(rejections)
        return
    yield from _over_before(rejections, min(plan.start for plan in plans))
    for other in dict.fromkeys(plan.job for plan in plans):

        def given_up(edited: EditedCluster, _: int, other: int = other) -> EditedCluster:
            sentence = f"cancel the reservation of job {other}"
            return edits.job_request(edited, other, "-R n", sentence, "-R", "y", "n")

        yield CandidateChange(f"-R {other}", Impact.GROUP, 0.5, given_up)


def _over_before(rejections: TaskRejections, begins: int) -> Iterator[CandidateChange]:
    """Yield the request of a run time that ends before a reservation begins."""
    run, number = rejections.run, rejections.run_job.id
    attribute = run.compiled.attributes.by_name.get(_RUN_TIME)
    seconds = begins - run.now - run.compiled.policy.duration_offset
    if attribute is not None and attribute.requestable != "NO" and seconds > 0:
        text = amount_text(attribute, seconds)
        before = next(
            (request.text for request in rejections.run_job.demand.hard if request.attribute is attribute), "nothing"
        )

        def shorter(edited: EditedCluster, _: int) -> EditedCluster:
            hard = request_of(rejections, edited, attribute, text)
            sentence = f"let job {number} ask for {_RUN_TIME}={text} instead of {before}: over before the reservation"
            return edits.resource_request(edited, number, hard, sentence, _RUN_TIME, before, text)

        yield CandidateChange("shorter", Impact.JOB, 0.4, shorter)


def _beside(rejections: TaskRejections, granted: Collection[str]) -> Iterator[CandidateChange]:
    """Yield one more slot in a queue instance with reserved slots."""
    instances = rejections.run.resources.instances
    fitting = (instances[number] for number, rejection in enumerate(rejections.of) if rejection is None)
    yield from (
        more_slots(instance, 1)
        for instance in islice((queue_instance for queue_instance in fitting if queue_instance.name in granted), 1)
    )


def _outside(rejections: TaskRejections) -> Iterator[CandidateChange]:
    """Yield changes that leave the task's own advance reservation, or delete one without jobs."""
    run, number = rejections.run, rejections.run_job.id
    own = rejections.run_job.job.request.advance_reservation
    if own is not None:

        def out(edited: EditedCluster, _: int, *, finds_category: bool = False) -> EditedCluster:
            sentence, options = f"let job {number} run outside of advance reservation {own}", "-ar 0"
            if finds_category:
                # Only with -N, even with the same name, does the scheduler move the job into its category.
                sentence, options = (
                    f"{sentence}, and set its name again",
                    f"-ar 0 -N {quote(rejections.run_job.job.name)}",
                )
            return edits.job_request(edited, number, options, sentence, "-ar", own, "")

        yield CandidateChange("-ar", Impact.PURPOSE, 0.5, out)
        yield CandidateChange("-ar", Impact.PURPOSE, 0.6, partial(out, finds_category=True))
    elif fits_now(rejections):
        ahead = [
            advance_reservation for advance_reservation in lasting(run.state) if advance_reservation.start > run.now
        ]
        for begins in sorted({advance_reservation.start for advance_reservation in ahead}):
            yield from _over_before(rejections, begins)
        yield from _beside(rejections, {name for advance_reservation in ahead for name in advance_reservation.granted})
        used = {job.request.advance_reservation for job in run.state.jobs}
        for reservation in lasting(run.state):
            if str(reservation.id) not in used:
                yield _given_back(reservation.id)


def _given_back(number: int) -> CandidateChange:
    sentence = f"give back advance reservation {number}, which no job uses"
    return CandidateChange(
        f"qrdel {number}", Impact.GROUP, 0.7, lambda edited, _: edits.without_reservation(edited, number, sentence)
    )
