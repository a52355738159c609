"""Reservations, the task's own and those of others that it would overlap: reasons and candidate changes.

Source: reservation.md#who-gets-a-reservation and reservation.md#when-the-scheduler-plans.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from shlex import quote

from qmon_tui.explain import edits
from qmon_tui.explain.edits import CandidateChange, EditedCluster, Impact, alteration
from qmon_tui.explain.explanation import ReasonGroup, ReasonKind
from qmon_tui.explain.pe_slots import fits_without_reservations
from qmon_tui.explain.rejection import amount_text
from qmon_tui.explain.request_changes import more_slots, request_of
from qmon_tui.explain.task_rejections import TaskRejections
from qmon_tui.qmaster import Run
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.matching import Grants, StartOrder
from qmon_tui.scheduler.reservation import (
    TaskAllocation,
    duration_limit,
    lasting,
    pending_duration,
    started_duration,
    until,
)
from qmon_tui.values import INFINITE, format_time

_NAMED = 3
"""Maximum number of ending tasks named."""
_NONE_ALLOWED = "it asks for a reservation (-R y), and the scheduler makes none: max_reservation is 0"


def reservation_reasons(
    run: Run, rejections: TaskRejections, task: int, reasons: Sequence[str]
) -> Iterator[ReasonGroup]:
    """Yield the task's own reservation, or the reservations that it would overlap if it started now.

    `reasons`: the messages of the finished run for its category.
    """
    number = rejections.run_job.id
    names = run.resources.instances
    own = next(
        (allocation for allocation in run.dispatch.reserved if (allocation.job, allocation.task) == (number, task)),
        None,
    )
    if own is not None:
        places = tuple(names[number].name for number, _ in own.grants)
        words = f"it has a reservation that begins at {format_time(own.start)}"
        yield ReasonGroup(ReasonKind.POLICY, "job", words, places, details=tuple(_reservation_time_words(run, own)))
    elif (reservation := rejections.run_job.job.request.advance_reservation) is not None:
        for text in rejections.run_job.category.reasons or reasons:
            yield ReasonGroup(ReasonKind.POLICY, "job", f"in its advance reservation: {text}")
        begins = next(
            (
                advance_reservation.start
                for advance_reservation in lasting(run.state)
                if str(advance_reservation.id) == reservation
            ),
            run.now,
        )
        if begins > run.now:
            yield ReasonGroup(
                ReasonKind.POLICY, "job", f"advance reservation {reservation} begins at {format_time(begins)}", ()
            )
    elif plans := reservations_in_front(rejections):
        jobs = ", ".join(dict.fromkeys(str(allocation.job) for allocation in plans))
        fitting = tuple(names[number].name for number, rejection in enumerate(rejections.of) if rejection is None)
        yield ReasonGroup(
            ReasonKind.POLICY, "job", f"it fits now, but would overlap the reservation of job {jobs}", fitting
        )
    elif lasting(run.state) and rejections.run_job.remaining and fits_now(rejections):
        numbers = ", ".join(str(reservation.id) for reservation in lasting(run.state))
        yield ReasonGroup(ReasonKind.POLICY, "job", f"it fits now, but would overlap advance reservation {numbers}")
    elif rejections.run_job.job.request.reserve and run.compiled.policy.max_reservation <= 0:
        yield ReasonGroup(ReasonKind.POLICY, "job", _NONE_ALLOWED)


def _reservation_time_words(run: Run, own: TaskAllocation) -> Iterator[str]:
    """Yield sentences about the planned ends of tasks, or the calendar, that determine the time of a reservation.

    Tasks are planned for their run time plus DURATION_OFFSET (reservation.md#duration-of-a-job).
    """
    offset = run.compiled.policy.duration_offset
    hosts = {run.resources.host_of[number] for number, _ in own.grants}
    ends = [(name, end, grants) for name, end, grants in _planned_ends(run) if end == own.start]
    ends_there = [end for end in ends if any(run.resources.host_of[number] in hosts for number, _ in end[2])]
    for name in dict.fromkeys(run.resources.instances[number].profile.calendar for number, _ in own.grants):
        calendar = run.compiled.calendars.get(name or "")
        if calendar is not None and own.start > run.now and calendar.next_change(own.start - 1) == own.start:
            yield f"that follows from calendar {name}, which opens then"
    named = list(dict.fromkeys(name for name, _, _ in ends_there or ends))
    if named:
        more = f" and {len(named) - _NAMED} more" if len(named) > _NAMED else ""
        margin = f", {offset} s of DURATION_OFFSET included" if offset else ""
        yield f"that follows from the planned end of job {', '.join(named[:_NAMED])}{more}{margin}"


def _planned_ends(run: Run) -> Iterator[tuple[str, int, Grants]]:
    """Yield (task, planned end, grants) of all running, starting and reserved tasks."""
    for run_job in run.jobs:
        for number, task in run_job.job.tasks.items():
            if task.granted and task.started is not None:
                end = until(int(task.started), started_duration(run_job, number, run.resources))
                yield _task_name(run_job, number), end, run.resources.grants_of(task)
    for start in run.dispatch.starts:
        yield _task_name(start.run_job, start.task), until(run.now, _planned_duration(run, start)), start.grants
    for plan in run.dispatch.reserved:
        yield f"{plan.job} (reserved)", until(plan.start, plan.duration), plan.grants


def _task_name(run_job: RunJob, task: int) -> str:
    return str(run_job.id) if run_job.job.request.array is None else f"{run_job.id}.{task}"


def backfilled_past(run: Run, run_job: RunJob, task: int) -> Iterator[str]:
    """Yield a sentence for each job with a reservation that was tried before a task which this run starts.

    The task ends before the reservation or uses other resources (reservation.md#when-the-scheduler-plans).
    """
    start = run.starts_of(run_job.id).get(task)
    if start is None or start.refused or not run.dispatch.reserved:
        return
    ranks = {job.id: place for place, job in enumerate(run.pending)}
    end = until(run.now, _planned_duration(run, start))
    for plan in run.dispatch.reserved:
        if plan.job != run_job.id and plan.start > run.now and ranks[plan.job] < ranks[run_job.id]:
            how = "is over before" if end <= plan.start else "takes nothing that is reserved"
            begins = format_time(plan.start)
            yield f"backfilled: it starts past job {plan.job}, which has a reservation from {begins}, and {how}"


def _planned_duration(run: Run, start: StartOrder) -> int:
    """Return the planned run time in seconds of a task that the run starts."""
    policy, profiles = run.compiled.policy, [run.resources.instances[number].profile for number, _ in start.grants]
    limit = duration_limit(start.run_job.demand, profiles)
    return (policy.default_duration if limit >= INFINITE else limit) + policy.duration_offset


def reservations_in_front(rejections: TaskRejections) -> Sequence[TaskAllocation]:
    """Return other jobs' reservations that block a task which would fit now; those on fitting hosts if any."""
    run, run_job = rejections.run, rejections.run_job
    if not run.dispatch.reserved or not run_job.remaining or not fits_now(rejections):
        return ()
    policy, host_of = run.compiled.policy, run.resources.host_of
    end = until(run.now, pending_duration(run_job.demand, policy.default_duration, policy.duration_offset))
    before = [
        allocation for allocation in run.dispatch.reserved if allocation.job != run_job.id and allocation.start < end
    ]
    hosts = {host_of[number] for number, rejection in enumerate(rejections.of) if rejection is None}
    return [
        allocation for allocation in before if any(host_of[number] in hosts for number, _ in allocation.grants)
    ] or before


def fits_now(rejections: TaskRejections) -> bool:
    """True if the task would fit now without reservations."""
    if rejections.everywhere is not None or None not in rejections.of or rejections.run_job.excluded_at is not None:
        return False
    return not rejections.environments or (not rejections.lacks_pe_access and fits_without_reservations(rejections))


_RUN_TIME = "h_rt"


def candidates_for_reservations(rejections: TaskRejections) -> Iterator[CandidateChange]:
    """Yield a shorter run time for the task, and the cancellation of blocking reservations."""
    plans = reservations_in_front(rejections)
    if not plans:
        yield from _outside_advance_reservations(rejections)
        return
    yield from _ending_before(rejections, min(plan.start for plan in plans))
    for other in dict.fromkeys(plan.job for plan in plans):
        sentence = f"cancel the reservation of job {other}"
        yield alteration(f"-R {other}", Impact.GROUP, 0.5, other, "-R n", sentence, "y", "n")


def _ending_before(rejections: TaskRejections, begins: int) -> Iterator[CandidateChange]:
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


def _slot_beside_reserved(rejections: TaskRejections, granted: Collection[str]) -> Iterator[CandidateChange]:
    """Yield one more slot in a queue instance with reserved slots."""
    instances = rejections.run.resources.instances
    fitting = (instances[number] for number, rejection in enumerate(rejections.of) if rejection is None)
    yield from (
        more_slots(instance, 1)
        for instance in islice((queue_instance for queue_instance in fitting if queue_instance.name in granted), 1)
    )


def _outside_advance_reservations(rejections: TaskRejections) -> Iterator[CandidateChange]:
    """Yield changes that leave the task's own advance reservation, or delete one without jobs."""
    run, number = rejections.run, rejections.run_job.id
    own = rejections.run_job.job.request.advance_reservation
    if own is not None:
        sentence = f"let job {number} run outside of advance reservation {own}"
        yield alteration("-ar", Impact.PURPOSE, 0.5, number, "-ar 0", sentence, own, "")
        # Only with -N, even with the same name, does the scheduler move the job into its category.
        options, named = f"-ar 0 -N {quote(rejections.run_job.job.name)}", f"{sentence}, and set its name again"
        yield alteration("-ar", Impact.PURPOSE, 0.6, number, options, named, own, "")
    elif fits_now(rejections):
        ahead = [
            advance_reservation for advance_reservation in lasting(run.state) if advance_reservation.start > run.now
        ]
        for begins in sorted({advance_reservation.start for advance_reservation in ahead}):
            yield from _ending_before(rejections, begins)
        yield from _slot_beside_reserved(
            rejections, {name for advance_reservation in ahead for name in advance_reservation.granted}
        )
        used = {job.request.advance_reservation for job in run.state.jobs}
        for reservation in lasting(run.state):
            if str(reservation.id) not in used:
                yield _given_back(reservation.id)


def _given_back(number: int) -> CandidateChange:
    sentence = f"give back advance reservation {number}, which no job uses"
    return CandidateChange(
        f"qrdel {number}", Impact.GROUP, 0.7, lambda edited, _: edits.without_reservation(edited, number, sentence)
    )
