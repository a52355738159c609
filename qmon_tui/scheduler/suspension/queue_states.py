"""State letters of queue instances before a run, by state, configuration, time and jobs; what calendars close.

Source: lifecycle.md#states-of-queue-instances and suspension.md#queue-wise-subordination. What follows from the
configuration (c, C, D, o, and S where nobody may suspend the instance) is worked out and not taken from the state: an
edit changes it at once.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set

from qmon_tui.model import CalendarClosing, Job, State
from qmon_tui.scheduler.configuration import CompiledCluster, QueueInstance
from qmon_tui.scheduler.jobs import TaskList, task_list_of
from qmon_tui.scheduler.suspension.queuewise_suspension import suspended
from qmon_tui.scheduler.suspension.state_letters import SUBORDINATED
from qmon_tui.values import CalendarState

LETTERS = "CDduESsco"
"""What the qmaster keeps, in qstat's order; the alarms before and between them are worked out from loads."""

DISABLED = "d"
AMBIGUOUS = "c"
ORPHANED = "o"
STOPPED = frozenset("sSC")
UNREACHABLE = "u"
"""The execution daemon of the host does not report."""
UNAVAILABLE = frozenset("sSEuc")
"""States of which a queue instance is reported as temporarily not available."""
LEFT_OUT = UNAVAILABLE | {"C"}
"""States in which a queue instance is not in the scheduler's list."""
_OF_CALENDARS = frozenset("CD")
CONFIGURED = _OF_CALENDARS | {AMBIGUOUS, ORPHANED}
"""Letters that follow from the configuration."""
CALENDAR_LETTERS = {CalendarState.ON: "", CalendarState.SUSPENDED: "C", CalendarState.OFF: "D"}


def queue_states(compiled: CompiledCluster, state: State, now: float) -> list[str]:
    """The letters of each queue instance, in the order of the instances."""
    jobs = state.jobs
    return queue_states_with(
        compiled, state, now, subordinated(compiled, jobs), lambda: any(True for _ in _placed(jobs))
    )


def queue_states_with(
    compiled: CompiledCluster, state: State, now: float, stopped: Set[int], has_placed: Callable[[], bool]
) -> list[str]:
    """The same where it is known already who stands still because of what is started, and whether anything is."""
    calendars = {name: CALENDAR_LETTERS[calendar.state_at(now)] for name, calendar in compiled.calendars.items()}
    told_states = state.queue_states
    states = [_state(instance, told_states.get(instance.name), calendars) for instance in compiled.instances]
    if compiled.orphans:
        pairs = zip(compiled.instances, states, strict=True)
        states = [
            in_order(letters + ORPHANED) if instance.name in compiled.orphans else letters
            for instance, letters in pairs
        ]
    if standing := _standing(states):
        # An edit of the subordinate list has let them go on at once, one of the slots has not: where being full
        # decides, only the letter tells (tried with 8.1.9). So it does where nobody has told what runs.
        is_known = has_placed()
        kept = stopped | _subordinates(compiled, suspended_when_full=True) if is_known else _subordinates(compiled)
        for number in standing - kept:
            states[number] = states[number].replace(SUBORDINATED, "")
    for number in stopped:
        states[number] = in_order(states[number] + SUBORDINATED)
    return states


def _standing(states: Iterable[str]) -> frozenset[int]:
    return frozenset(number for number, letters in enumerate(states) if SUBORDINATED in letters)


def _subordinates(compiled: CompiledCluster, *, suspended_when_full: bool = False) -> frozenset[int]:
    """The queue instances that others may suspend as a whole; or those that only full ones do."""
    if compiled.subordination is None:
        return frozenset()
    return (
        compiled.subordination.suspended_when_full()
        if suspended_when_full
        else compiled.subordination.subordinates(only_whole=True)
    )


def subordinated(compiled: CompiledCluster, jobs: Iterable[Job]) -> frozenset[int]:
    """The queue instances that stand still because of what these jobs have started in others."""
    if compiled.subordination is None:
        return frozenset()
    return frozenset(suspended(compiled, used_slots(jobs)))


def in_order(letters: str) -> str:
    """Letters as qstat shows them, each once; what is no letter of a state is left out."""
    return "".join(letter for letter in LETTERS if letter in letters)


def used_slots(jobs: Iterable[Job]) -> dict[str, int]:
    """How many slots of each queue instance its tasks hold."""
    used: dict[str, int] = {}
    for granted in _placed(jobs):
        for name, slots in granted.items():
            used[name] = used.get(name, 0) + slots
    return used


def _placed(jobs: Iterable[Job]) -> Iterator[Mapping[str, int]]:
    """What each task holds that has been started."""
    for job in jobs:
        for task in job.tasks.values():
            if task.granted and task_list_of(task.state) in (TaskList.RUNNING, TaskList.SUSPENDED):
                yield task.granted


def stopped_queues(compiled: CompiledCluster, states: Sequence[str]) -> frozenset[str]:
    """The names of the instances in which nothing runs on: suspended by hand, by subordination or by a calendar."""
    pairs = zip(compiled.instances, states, strict=True)
    return frozenset(instance.name for instance, letters in pairs if letters and STOPPED & set(letters))


def left_out(compiled: CompiledCluster, states: Sequence[str]) -> frozenset[str]:
    """The names of the instances that are not in the scheduler's list."""
    pairs = zip(compiled.instances, states, strict=True)
    return frozenset(instance.name for instance, letters in pairs if letters and LEFT_OUT & set(letters))


def _state(instance: QueueInstance, told: str | None, calendars: Mapping[str, str]) -> str:
    profile = instance.profile
    if not told and profile.is_plain:
        return ""
    letters = "".join(letter for letter in told or "" if letter not in CONFIGURED)
    if told is None and profile.starts_disabled:
        letters += DISABLED
    if profile.ambiguous:
        letters += AMBIGUOUS
    if profile.calendar is not None:
        # Of a calendar that is not there only the state tells what it does.
        unread = "".join(letter for letter in told or "" if letter in _OF_CALENDARS)
        letters += calendars.get(profile.calendar, unread)
    return in_order(letters)


def closing_of(compiled: CompiledCluster, number: int, letters: str, now: int) -> CalendarClosing | None:
    """The calendar behind the letter C or D of a queue instance; None where nobody can tell which that is."""
    name = compiled.instances[number].profile.calendar
    calendar = compiled.calendars.get(name) if name is not None else None
    if name is None or calendar is None or not {"C", "D"} & set(letters):
        return None
    state = calendar.state_at(now)
    if state is CalendarState.ON:
        return None
    return CalendarClosing(name, state is CalendarState.SUSPENDED, calendar.next_change(now))
