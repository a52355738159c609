"""What is reserved for a task, and the reservations of others that it would run into.

Source: reservation.md#who-gets-a-reservation.
"""

from collections.abc import Iterator, Sequence

from qmon_tui.explain.explanation import ReasonGroup, ReasonKind
from qmon_tui.explain.pe_slots import fits_without_reservations
from qmon_tui.explain.task_rejections import TaskRejections
from qmon_tui.qmaster import Run
from qmon_tui.scheduler.reservation import TaskAllocation, lasting, pending_duration, until
from qmon_tui.values import format_time

_NONE_ALLOWED = "it asks for a reservation (-R y), and the scheduler makes none: max_reservation is 0"


def reservation_reasons(
    run: Run, rejections: TaskRejections, task: int, reasons: Sequence[str]
) -> Iterator[ReasonGroup]:
    """The task's own reservation; and where it would fit now, the reservations that it would run into.

    `reasons` are those that the finished run has told its category.
    """
    number = rejections.run_job.id
    names = run.resources.instances
    own = next(
        (allocation for allocation in run.dispatch.reserved if (allocation.job, allocation.task) == (number, task)),
        None,
    )
    if own is not None:
        places = tuple(names[number].name for number, _ in own.grants)
        yield ReasonGroup(
            ReasonKind.POLICY, "job", f"it has a reservation that begins at {format_time(own.start)}", places
        )
    elif (reservation := rejections.run_job.job.request.advance_reservation) is not None:
        for text in rejections.run_job.category.reasons or reasons:
            yield ReasonGroup(ReasonKind.POLICY, "job", f"in its advance reservation: {text}", ())
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
            ReasonKind.POLICY, "job", f"it would fit now, and run into what is reserved for job {jobs}", fitting
        )
    elif lasting(run.state) and rejections.run_job.remaining and fits_now(rejections):
        numbers = ", ".join(str(reservation.id) for reservation in lasting(run.state))
        yield ReasonGroup(ReasonKind.POLICY, "job", f"it would fit now, and run into advance reservation {numbers}", ())
    elif rejections.run_job.job.request.reserve and run.compiled.policy.max_reservation <= 0:
        yield ReasonGroup(ReasonKind.POLICY, "job", _NONE_ALLOWED, ())


def reservations_in_front(rejections: TaskRejections) -> Sequence[TaskAllocation]:
    """The reservations of other jobs that hold a task back, which would fit now; those where it fits, if any are."""
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
    """Tell whether the task would fit now if nothing were planned."""
    if rejections.everywhere is not None or None not in rejections.of or rejections.run_job.excluded_at is not None:
        return False
    return not rejections.environments or (not rejections.lacks_pe_access and fits_without_reservations(rejections))
