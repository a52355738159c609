"""Reasons of suspension of a task or queue instance, and the meanings of queue states.

A task may be below several slot-wise superordinates: the reason names those without whose limits it would run.

Source: lifecycle.md#letters-of-tasks, suspension.md#ways-to-be-suspended and suspension.md#slot-wise-subordination.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from qmon_tui.explain.explanation import ReasonGroup, ReasonKind
from qmon_tui.model import Cluster, Kind, Task, TaskOutcome, effective_configuration, overrides_of, rescheduling_of
from qmon_tui.qmaster import Run
from qmon_tui.scheduler.configuration import QueueInstance, SubordinateQueue, Subordination, number
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.suspension import (
    OVER_THRESHOLD,
    SUBORDINATED,
    UNREACHABLE,
    SlotwisePreemption,
    enter_task,
    reached,
)

_SLOT_WISE = "suspended so that no more tasks run than the slot-wise subordinate_list of queue instance {} allows"
_SEVERAL = "suspended so that no more tasks run than the slot-wise subordinate_lists of queue instances {} allow"
_NO_LIMIT = 1_000_000


def slot_wise_reasons(run: Run, job: int, task: TaskOutcome) -> Iterator[ReasonGroup]:
    """Yield the reason that names the slot-wise superordinates that suspend a started task; nothing if none does."""
    subordination = run.compiled.subordination
    if subordination is None:
        return
    numbers = [run.resources.instance_numbers[name] for name in task.granted if name in run.resources.instance_numbers]
    places = [number for number in numbers if number in subordination.parents]
    above = tuple(
        dict.fromkeys(superordinate for number in places for superordinate in _upwards(subordination, number))
    )
    key = (job, task.task)
    starts_now = task.task in run.starts_of(job)
    is_new = starts_now or SUBORDINATED in run.states_after_run.added.get(key, "")
    lets_run = partial(_would_run, run, key) if is_new else partial(_would_resume, run, subordination, key)
    named = _smallest_sufficient(above, lets_run)
    if named:
        instances = run.resources.instances
        names = [instances[number].name for number in named]
        words = _SLOT_WISE.format(names[0]) if len(names) == 1 else _SEVERAL.format(" and ".join(names))
        yield ReasonGroup(ReasonKind.STATE, "queue", words, tuple(instances[number].name for number in places))


def _upwards(subordination: Subordination, number: int) -> Iterator[int]:
    """Yield the slot-wise superordinates of a queue instance, the nearest first."""
    seen = {number}
    parent = subordination.parents.get(number)
    while parent is not None and parent not in seen:
        seen.add(parent)
        yield parent
        parent = subordination.parents.get(parent)


def _smallest_sufficient(superordinates: Sequence[int], lets_run: Callable[[Sequence[int]], bool]) -> Sequence[int]:
    """Return the nearest superordinate that alone satisfies `lets_run`, else a minimal subset; empty if not all do."""
    alone = next((superordinate for superordinate in superordinates if lets_run((superordinate,))), None)
    if alone is not None:
        return (alone,)
    if len(superordinates) < 2 or not lets_run(superordinates):
        return ()
    for superordinate in superordinates:
        fewer = [other for other in superordinates if other != superordinate]
        if lets_run(fewer):
            superordinates = fewer
    return superordinates


def _would_run(run: Run, key: tuple[int, int], superordinates: Sequence[int]) -> bool:
    """True if a task suspended in this run would run if some limits were higher."""
    cluster = run.compiled.cluster
    for superordinate in superordinates:
        cluster = without_limit(cluster, run.resources.instances[superordinate])
    states = [task.state for job, number, task in started_tasks(run.again(cluster, run.state)) if (job, number) == key]
    return bool(states) and SUBORDINATED not in states[0]


def started_tasks(run: Run) -> Iterator[tuple[int, int, Task]]:
    """Yield (job, task, its state and grants) of all started tasks after a run."""
    names = [instance.name for instance in run.resources.instances]
    for start in run.dispatch.starts:
        if not start.refused:
            granted = {names[number]: slots for number, slots in start.grants}
            state = run.states_after_run.task_state(start.run_job.id, start.task, granted, "t")
            yield start.run_job.id, start.task, Task(state, granted, run.now)
    for run_job in run.jobs:
        for task_number, task in run_job.job.tasks.items():
            if task.granted:
                state = run.states_after_run.task_state(run_job.id, task_number, task.granted, task.state)
                yield run_job.id, task_number, replace(task, state=state)


def without_limit(cluster: Cluster, superordinate: QueueInstance) -> Cluster:
    """Return a cluster in which a slot-wise superordinate has no limit on its host."""
    queue = cluster.objects(Kind.QUEUE)[superordinate.queue]
    subordinates = superordinate.profile.subordinates
    assert subordinates is not None
    field = "subordinate_list"
    value = overrides_of(queue.text(field)).with_key(superordinate.host, subordinates._replace(slots=_NO_LIMIT).text())
    return cluster.with_object(queue.with_value(field, value.text()))


def _would_resume(run: Run, subordination: Subordination, key: tuple[int, int], superordinates: Sequence[int]) -> bool:
    """True if a suspended task would be resumed at the next end in its tree if some limits were higher."""
    trees = {
        number: replace(tree, slots=_NO_LIMIT) if number in superordinates else tree
        for number, tree in subordination.trees.items()
    }
    preemption = SlotwisePreemption(replace(subordination, trees=trees))
    for job, task_number, task in sorted(started_tasks(run), key=lambda known: known[:2]):
        task_key = (job, task_number)
        enter_task(preemption, run.resources.instance_numbers, run.states_after_run.states, task_key, task)
    places = [place for place, tasks in preemption.started_tasks.items() for task in tasks if task.order == key]
    for place in places:
        preemption.resume_after_end(place)
    return any(task.order == key and not task.halted for task in preemption.changed)


_MEANING = {
    UNREACHABLE: "its host does not report (u): it takes jobs as soon as the execution daemon there reports",
    "E": "a job could not be started there (E): it takes none until the error is cleared",
    "s": "it is suspended by hand (s)",
}


def state_words(run: Run, number: int) -> str:
    """Describe why a queue instance is not available; empty if its state does not show the reason."""
    letters = run.availability.states[number]
    return "; ".join(
        (*(words for letter, words in _MEANING.items() if letter in letters), *filter(None, (suspenders(run, number),)))
    )


def suspenders(run: Run, number: int) -> str:
    """Describe when superordinate queues suspend an instance (`while 2 …`); empty if none does now."""
    return " and ".join(_suspender_words(run, number))


def _suspender_words(run: Run, number: int) -> Iterator[str]:
    for instance, subordinate in suspending(run, number):
        slots = instance.profile.slots
        least = subordinate.threshold or slots
        several = f"{least} or more slots" if least < slots else "all slots"
        few = "a slot" if least == 1 else several
        yield f"while {few} of {instance.name} {'is' if least == 1 else 'are'} in use"


def suspending(run: Run, number: int) -> Iterator[tuple[QueueInstance, SubordinateQueue]]:
    """Yield the superordinates that suspend a queue instance now."""
    subordination = run.compiled.subordination
    # The scheduler treats slot-wise subordinates as subordinates without a threshold
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
        yield ReasonGroup(ReasonKind.HELD, "job", _JOB_BY_HAND)
    if OVER_THRESHOLD in task.state:
        yield ReasonGroup(ReasonKind.STATE, "queue", _OVER_THRESHOLD, places)
    if SUBORDINATED in task.state:
        reasons = list(_queue_reasons(run, places)) or list(slot_wise_reasons(run, run_job.id, task))
        yield from reasons or (ReasonGroup(ReasonKind.STATE, "queue", _BEFORE, places),)
    if task.task in run.starts_of(run_job.id):
        yield from _not_noticed(run, places)
    if task.task in run_job.split.booked_suspended:
        is_halted = _BY_HAND in task.state or OVER_THRESHOLD in task.state
        yield ReasonGroup(ReasonKind.POLICY, "job", _NOT_IN_RUN if is_halted else _SEEN)


def _not_noticed(run: Run, places: tuple[str, ...]) -> Iterator[ReasonGroup]:
    """Yield a reason for each suspended queue instance in which the task was started."""
    numbers = run.resources.instance_numbers
    for name in places:
        if (
            numbers.get(name) in run.availability.known_suspended
            and SUBORDINATED in run.states_after_run.states[numbers[name]]
        ):
            yield ReasonGroup(ReasonKind.STATE, "queue", _NOT_NOTICED.format(name), (name,))


def _queue_reasons(run: Run, places: tuple[str, ...]) -> Iterator[ReasonGroup]:
    """Yield the reasons for which the task's queue instances are suspended as a whole."""
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
    """Return what happens to a running task whose host does not report; empty if the hosts that count report."""
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
