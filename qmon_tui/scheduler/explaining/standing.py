"""Why a task that has been started stands still: by hand, over a threshold, or because of others on its host.

Source: lifecycle.md sections 1.1 (letters of tasks), 4 and 5 (queue instances that stop, subordination).
"""

from collections.abc import Iterator

from qmon_tui.qmaster.run import Run
from qmon_tui.scheduler.explaining.state_words import suspenders
from qmon_tui.scheduler.explanation import ReasonGroup, Why
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.outcome import TaskOutcome
from qmon_tui.scheduler.suspending.letters import OVER_THRESHOLD, SUBORDINATED

_BY_HAND = "s"
_JOB_BY_HAND = "it was suspended by hand (qmod -sj)"
_OVER_THRESHOLD = "halted by a suspend threshold of its queue instance"
_NOT_IN_RUN = "it takes no part in scheduling while it is suspended by hand or by a threshold, and so has no priority"
_SEEN = (
    "the scheduler was last told of it (by qalter, qhold or qmod) while it stood still, and takes it for suspended, "
    "without a priority, until it is told again"
)
_NOT_NOTICED = (
    "it starts although it has to stand still at once: the scheduler was told of queue instance {} while that was "
    "suspended by another one, and does not notice that it is suspended again until it is told anew (by an edit, qmod "
    "or the end of a job there)"
)
_SLOT_WISE = "suspended so that no more tasks run than the slot-wise subordinate_list of queue instance {} allows"
_BEFORE = (
    "the task was suspended earlier, and nothing in the cluster tells by what; where its queue instance has lost its "
    "calendar meanwhile, qmod -sq and then qmod -usq let it go on"
)


def standing_reasons(run: Run, run_job: RunJob, task: TaskOutcome) -> tuple[ReasonGroup, ...]:
    """What makes the task stand still after the run; nothing where it runs."""
    return tuple(_reasons(run, run_job, task))


def _reasons(run: Run, run_job: RunJob, task: TaskOutcome) -> Iterator[ReasonGroup]:
    places = tuple(task.granted)
    if _BY_HAND in task.state:
        yield ReasonGroup(Why.HELD, "job", _JOB_BY_HAND, ())
    if OVER_THRESHOLD in task.state:
        yield ReasonGroup(Why.STATE, "queue", _OVER_THRESHOLD, places)
    if SUBORDINATED in task.state:
        reasons = list(_of_queues(run, places)) or list(_slot_wise(run, places))
        yield from reasons or (ReasonGroup(Why.STATE, "queue", _BEFORE, places),)
    if any(start.task == task.task for start in run.starts_of(run_job.id)):
        yield from _not_noticed(run, places)
    if task.task in run_job.split.booked_suspended:
        is_halted = _BY_HAND in task.state or OVER_THRESHOLD in task.state
        yield ReasonGroup(Why.POLICY, "job", _NOT_IN_RUN if is_halted else _SEEN, ())


def _not_noticed(run: Run, places: tuple[str, ...]) -> Iterator[ReasonGroup]:
    """The queue instances into which the task was started although they stand still."""
    numbers = run.resources.instance_numbers
    for name in places:
        if numbers.get(name) in run.availability.unstoppable and SUBORDINATED in run.aftermath.states[numbers[name]]:
            yield ReasonGroup(Why.STATE, "queue", _NOT_NOTICED.format(name), (name,))


def _of_queues(run: Run, places: tuple[str, ...]) -> Iterator[ReasonGroup]:
    """The queue instances of the task that are suspended themselves, with all that runs in them."""
    numbers = run.resources.instance_numbers
    for name in places:
        if name in numbers:
            letters = run.aftermath.states[numbers[name]]
            for letter, words in _words_of_letters(run, numbers[name]):
                if letter in letters:
                    yield ReasonGroup(Why.STATE, "queue", f"queue instance {name} is suspended {words}", (name,))


def _words_of_letters(run: Run, number: int) -> tuple[tuple[str, str], ...]:
    calendar = run.resources.instances[number].profile.calendar
    return (
        (_BY_HAND, "by hand (qmod -sq)"),
        ("C", f"by its calendar {calendar}"),
        (SUBORDINATED, suspenders(run, number) or "as a subordinate"),
    )


def _slot_wise(run: Run, places: tuple[str, ...]) -> Iterator[ReasonGroup]:
    numbers, subordination = run.resources.instance_numbers, run.compiled.subordination
    parents = subordination.parents if subordination is not None else {}
    for name in places:
        number = numbers.get(name)
        if number is not None and number in parents:
            root = run.resources.instances[parents[number]].name
            yield ReasonGroup(Why.STATE, "queue", _SLOT_WISE.format(root), (name,))
