"""Reasons of suspension of a task or queue instance, and the meanings of queue states.

Source: lifecycle.md#letters-of-tasks and suspension.md#ways-to-be-suspended.
"""

from collections.abc import Iterator

from qmon_tui.explain.explanation import ReasonGroup, ReasonKind
from qmon_tui.explain.slot_wise_reasons import slot_wise_reasons
from qmon_tui.model import Kind, TaskOutcome, effective_configuration, rescheduling_of
from qmon_tui.qmaster import Run
from qmon_tui.scheduler.configuration import QueueInstance, SubordinateQueue, number
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.suspension import OVER_THRESHOLD, SUBORDINATED, UNREACHABLE, reached

_MEANING = {
    UNREACHABLE: "its host does not report (u): it takes jobs as soon as the execution daemon there reports",
    "E": "a job could not be started there (E): it takes none until the error is cleared",
    "s": "it is suspended by hand (s)",
}


def state_words(run: Run, number: int) -> str:
    """Describe why a queue instance is not available; empty if its state does not show it."""
    letters = run.availability.states[number]
    return "; ".join(
        (*(words for letter, words in _MEANING.items() if letter in letters), *filter(None, (suspenders(run, number),)))
    )


def suspenders(run: Run, number: int) -> str:
    """Describe the superordinate queues that suspend an instance, as in `while 2 …`; empty if none does."""
    return " and ".join(_each(run, number))


def _each(run: Run, number: int) -> Iterator[str]:
    for instance, subordinate in suspending(run, number):
        slots = instance.profile.slots
        least = subordinate.threshold or slots
        few = "a slot" if least == 1 else f"{least} or more slots" if least < slots else "all slots"
        yield f"while {few} of {instance.name} {'is' if least == 1 else 'are'} in use"


def suspending(run: Run, number: int) -> Iterator[tuple[QueueInstance, SubordinateQueue]]:
    """Yield the superordinates that suspend a queue instance now."""
    subordination = run.compiled.subordination
    # The scheduler takes slot-wise subordinates for ones without a threshold
    # (suspension.md#subordination-during-a-run).
    counts_slot_wise = number in run.availability.suspended
    for other, subordinate_queues in subordination.subordinate_queues.items() if subordination is not None else ():
        instance, used = run.resources.instances[other], run.resources.slots_used(other)
        for subordinate in subordinate_queues:
            is_counted = subordinate.instance == number and (counts_slot_wise or not subordinate.slot_wise)
            if not is_counted or not reached(subordinate, used, instance.profile.slots):
                continue
            # A superordinate that was full before the run does not exclude a slot-wise subordinate.
            before = used - _started_in(run, other) if subordinate.slot_wise else 0
            if not subordinate.slot_wise or not reached(subordinate, before, instance.profile.slots):
                yield instance, subordinate


def _started_in(run: Run, number: int) -> int:
    """Return the slots of a queue instance that this run has filled."""
    return sum(slots for start in run.dispatch.starts for place, slots in start.grants if place == number)


_BY_HAND = "s"
_JOB_BY_HAND = "it was suspended by hand (qmod -sj)"
_OVER_THRESHOLD = "suspended by a suspend threshold of its queue instance"
_NOT_IN_RUN = "it takes no part in scheduling while it is suspended by hand or by a threshold, so it has no priority"
_SEEN = (
    "the scheduler last got it (by qalter, qhold or qmod) while it was suspended, and treats it as suspended, without "
    "a priority, until it gets it again"
)
_NOT_NOTICED = (
    "it starts although it is suspended immediately: the scheduler last got queue instance {} while another one "
    "suspended it, and does not notice that it is suspended again until it gets it again (by an edit, qmod or the end "
    "of a job there)"
)
_BEFORE = (
    "the task was suspended earlier, and the cause is unknown; if its queue instance has lost its calendar meanwhile, "
    "qmod -sq and then qmod -usq resume it"
)


def suspension_reasons(run: Run, run_job: RunJob, task: TaskOutcome) -> tuple[ReasonGroup, ...]:
    """Return the reasons why the task is suspended after the run; empty if it runs."""
    return tuple(_reasons(run, run_job, task))


def _reasons(run: Run, run_job: RunJob, task: TaskOutcome) -> Iterator[ReasonGroup]:
    places = tuple(task.granted)
    if _BY_HAND in task.state:
        yield ReasonGroup(ReasonKind.HELD, "job", _JOB_BY_HAND, ())
    if OVER_THRESHOLD in task.state:
        yield ReasonGroup(ReasonKind.STATE, "queue", _OVER_THRESHOLD, places)
    if SUBORDINATED in task.state:
        reasons = list(_of_queues(run, places)) or list(slot_wise_reasons(run, run_job.id, task))
        yield from reasons or (ReasonGroup(ReasonKind.STATE, "queue", _BEFORE, places),)
    if task.task in run.starts_of(run_job.id):
        yield from _not_noticed(run, places)
    if task.task in run_job.split.booked_suspended:
        is_halted = _BY_HAND in task.state or OVER_THRESHOLD in task.state
        yield ReasonGroup(ReasonKind.POLICY, "job", _NOT_IN_RUN if is_halted else _SEEN, ())


def _not_noticed(run: Run, places: tuple[str, ...]) -> Iterator[ReasonGroup]:
    """Yield the suspended queue instances in which the task was started."""
    numbers = run.resources.instance_numbers
    for name in places:
        if (
            numbers.get(name) in run.availability.known_suspended
            and SUBORDINATED in run.states_after_run.states[numbers[name]]
        ):
            yield ReasonGroup(ReasonKind.STATE, "queue", _NOT_NOTICED.format(name), (name,))


def _of_queues(run: Run, places: tuple[str, ...]) -> Iterator[ReasonGroup]:
    """Yield the task's queue instances that are suspended as a whole."""
    numbers = run.resources.instance_numbers
    for name in places:
        if name in numbers:
            letters = run.states_after_run.states[numbers[name]]
            for letter, words in _words_of_letters(run, numbers[name]):
                if letter in letters:
                    yield ReasonGroup(ReasonKind.STATE, "queue", f"queue instance {name} is suspended {words}", (name,))


def _words_of_letters(run: Run, number: int) -> tuple[tuple[str, str], ...]:
    calendar = run.resources.instances[number].profile.calendar
    return (
        (_BY_HAND, "by hand (qmod -sq)"),
        ("C", f"by its calendar {calendar}"),
        (SUBORDINATED, suspenders(run, number) or "as a subordinate"),
    )


_DELETED, _WHEN_RESCHEDULED = "d", "r"
_FOR_EVER = "the task counts as running until it is deleted or rescheduled, as reschedule_unknown is {}"
_ENDED = "if that lasts for {} (reschedule_unknown) the task is ended (qmaster_params ENABLE_RESCHEDULE_KILL), as {}"
_SENT_BACK = (
    "if that lasts for {} (reschedule_unknown) the task is rescheduled, as if submitted then, and not to "
    "{} until that is cleaned up"
)


def unknown_state_reasons(run: Run, run_job: RunJob, task: TaskOutcome) -> tuple[ReasonGroup, ...]:
    """Return what happens to a running task whose host does not report; empty if its master queue's host does."""
    rules = rescheduling_of(run.compiled.cluster)
    counting = list(task.granted)[: None if rules.minds_slaves else 1]
    numbers_by_name = ((name, run.resources.instance_numbers.get(name)) for name in counting)
    states = run.availability.states
    silent = (
        (name, number) for name, number in numbers_by_name if number is not None and UNREACHABLE in states[number]
    )
    name, instance = next(silent, ("", -1))
    if not name:
        return ()
    host = run.resources.instances[instance].host
    settings = effective_configuration(run.compiled.cluster, host)
    timer = next((setting.text for setting in settings if setting.field == "reschedule_unknown"), "")
    master = run.resources.instance_numbers.get(next(iter(task.granted)), instance)
    reason, ends = _why_it_stays(run, run_job, task, master)
    if not rules.is_automatic:
        words = _FOR_EVER.format("without effect (qmaster_params DISABLE_AUTO_RESCHEDULING)")
    elif not number(timer):
        words = _FOR_EVER.format(timer)
    elif reason is not None and ends and rules.ends_others:
        words = _ENDED.format(timer, reason)
    elif reason is not None:
        words = f"the task stays there however long that lasts, as {reason}"
    else:
        words = _SENT_BACK.format(timer, host)
    return (ReasonGroup(ReasonKind.STATE, "host", f"host {host} does not report (u): {words}", (name,)),)


def _why_it_stays(run: Run, run_job: RunJob, task: TaskOutcome, instance: int) -> tuple[str | None, bool]:
    """Return why a task may not be rerun, in the qmaster's order (None: it may), and whether it may be ended."""
    request, place = run_job.job.request, run.resources.instances[instance]
    if request.rerun == "n":
        return "the job was submitted with -r n", True
    if request.checkpoint is not None:
        checkpointing = run.compiled.cluster.get(Kind.CKPT, request.checkpoint)
        if checkpointing is None or _WHEN_RESCHEDULED not in checkpointing.text("when"):
            return f"when of the checkpointing environment {request.checkpoint} has no r", False
    if _DELETED in task.state:
        return "it is being deleted", False
    if not request.rerun and not place.profile.fields["rerun"].number:
        return f"rerun of queue instance {place.name} is FALSE", True
    return None, False
