"""What is reserved for a task, and the reservations of others that it would run into (dispatch.md section 9)."""

from collections.abc import Iterator

from qmon_tui.scheduler.advance.reserved import lasting
from qmon_tui.scheduler.explaining.obstacles import Obstacles
from qmon_tui.scheduler.explanation import ReasonGroup, Why
from qmon_tui.values.times import format_time

_NONE_ALLOWED = "it asks for a reservation (-R y), and the scheduler makes none: max_reservation is 0"


def reservation_reasons(found: Obstacles, task: int) -> Iterator[ReasonGroup]:
    """The task's own reservation; and where it would fit now, the reservations that it would run into."""
    run, job = found.run, found.run_job.id
    names = run.resources.instances
    own = next((plan for plan in run.dispatch.reserved if (plan.job, plan.task) == (job, task)), None)
    if own is not None:
        places = tuple(names[number].name for number, _ in own.grants)
        yield ReasonGroup(Why.POLICY, "job", f"it has a reservation that begins at {format_time(own.start)}", places)
    elif found.run_job.job.request.advance_reservation is not None:
        for text in found.run_job.category.reasons:
            yield ReasonGroup(Why.POLICY, "job", f"in its advance reservation: {text}", ())
    elif in_front(found):
        jobs = ", ".join(str(number) for number in in_front(found))
        fitting = tuple(names[number].name for number, obstacle in enumerate(found.of) if obstacle is None)
        yield ReasonGroup(Why.POLICY, "job", f"it would fit now, and run into what is reserved for job {jobs}", fitting)
    elif lasting(run.state) and fits_now(found):
        numbers = ", ".join(str(one.id) for one in lasting(run.state))
        yield ReasonGroup(Why.POLICY, "job", f"it would fit now, and run into advance reservation {numbers}", ())
    elif found.run_job.job.request.reserve and run.compiled.policy.max_reservation <= 0:
        yield ReasonGroup(Why.POLICY, "job", _NONE_ALLOWED, ())


def in_front(found: Obstacles) -> tuple[int, ...]:
    """The jobs whose reservations hold a task back that would fit now."""
    if not fits_now(found):
        return ()
    numbers = (plan.job for plan in found.run.dispatch.reserved if plan.job != found.run_job.id)
    return tuple(dict.fromkeys(numbers))


def fits_now(found: Obstacles) -> bool:
    """Tell whether the task would fit now if nothing were planned."""
    return found.everywhere is None and None in found.of and found.run_job.excluded_at is None
