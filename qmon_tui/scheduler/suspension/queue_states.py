"""qstat's states of queue instances before a run, by recorded state, configuration, time and jobs.

The states c, C, D and o, and the absence of S if no queue may suspend the instance, are calculated from the
configuration instead of taken from the recorded state, so that an edit changes them immediately.

Source: lifecycle.md#states-of-queue-instances and suspension.md#queue-wise-subordination.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set

from qmon_tui.model import CalendarClosing, Job, State
from qmon_tui.scheduler.configuration import CompiledCluster, QueueInstance
from qmon_tui.scheduler.jobs import TaskList, task_list_of
from qmon_tui.scheduler.suspension.queuewise_suspension import suspended
from qmon_tui.scheduler.suspension.state_letters import SUBORDINATED
from qmon_tui.values import CalendarState

LETTERS = "CDduESsco"
"""The states that the qmaster keeps, in qstat's order; alarms are calculated from load values."""

DISABLED = "d"
AMBIGUOUS = "c"
ORPHANED = "o"
STOPPED = frozenset("sSC")
UNREACHABLE = "u"
"""State of an instance whose execution daemon does not report."""
UNAVAILABLE = frozenset("sSEuc")
"""States in which the scheduler reports an instance as temporarily not available."""
LEFT_OUT = UNAVAILABLE | {"C"}
"""States in which a queue instance is not in the scheduler's list."""
_OF_CALENDARS = frozenset("CD")
CONFIGURED = _OF_CALENDARS | {AMBIGUOUS, ORPHANED}
"""States that follow from the configuration."""
CALENDAR_LETTERS = {CalendarState.ON: "", CalendarState.SUSPENDED: "C", CalendarState.OFF: "D"}


def queue_states(compiled: CompiledCluster, state: State, now: float) -> list[str]:
    """Return qstat's states of each queue instance (such as `dS`, empty for none), by instance number."""
    jobs = state.jobs
    return queue_states_with(
        compiled, state, now, subordinated(compiled, jobs), lambda: any(True for _ in _placed(jobs))
    )


def queue_states_with(
    compiled: CompiledCluster, state: State, now: float, stopped: Set[int], has_placed: Callable[[], bool]
) -> list[str]:
    """Return the states as `queue_states`.

    `stopped`: instances suspended by started tasks; `has_placed` returns True if there are started tasks.
    """
    calendars = {name: CALENDAR_LETTERS[calendar.state_at(now)] for name, calendar in compiled.calendars.items()}
    recorded = state.queue_states
    states = [_state(instance, recorded.get(instance.name), calendars) for instance in compiled.instances]
    if compiled.orphans:
        pairs = zip(compiled.instances, states, strict=True)
        states = [
            in_order(letters + ORPHANED) if instance.name in compiled.orphans else letters
            for instance, letters in pairs
        ]
    if suspended_before := frozenset(number for number, letters in enumerate(states) if SUBORDINATED in letters):
        # An edited subordinate list resumes instances immediately, but edited slots do not: for a subordinate without a
        # threshold (suspended when all slots are used) the recorded S decides, as tried with 8.1.9. It also decides for
        # all subordinates if the state has no started tasks.
        is_known = has_placed()
        kept = stopped | _subordinates(compiled, suspended_when_full=True) if is_known else _subordinates(compiled)
        for number in suspended_before - kept:
            states[number] = states[number].replace(SUBORDINATED, "")
    for number in stopped:
        states[number] = in_order(states[number] + SUBORDINATED)
    return states


def _subordinates(compiled: CompiledCluster, *, suspended_when_full: bool = False) -> frozenset[int]:
    """Return the instances that others may suspend as a whole; `suspended_when_full`: those without a threshold."""
    if compiled.subordination is None:
        return frozenset()
    return (
        compiled.subordination.suspended_when_full()
        if suspended_when_full
        else compiled.subordination.subordinates(only_whole=True)
    )


def subordinated(compiled: CompiledCluster, jobs: Iterable[Job]) -> frozenset[int]:
    """Return the queue instances that these jobs' tasks in superordinates suspend."""
    if compiled.subordination is None:
        return frozenset()
    return frozenset(suspended(compiled, used_slots(jobs)))


def in_order(letters: str) -> str:
    """Return the letters in qstat's order, each once; unknown letters are left out."""
    return "".join(letter for letter in LETTERS if letter in letters)


def used_slots(jobs: Iterable[Job]) -> dict[str, int]:
    """Return queue instance -> slots held by started tasks."""
    used: dict[str, int] = {}
    for granted in _placed(jobs):
        for name, slots in granted.items():
            used[name] = used.get(name, 0) + slots
    return used


def _placed(jobs: Iterable[Job]) -> Iterator[Mapping[str, int]]:
    """Yield the grants of each started task."""
    for job in jobs:
        for task in job.tasks.values():
            if task.granted and task_list_of(task.state) in (TaskList.RUNNING, TaskList.SUSPENDED):
                yield task.granted


def stopped_queues(compiled: CompiledCluster, states: Sequence[str]) -> frozenset[str]:
    """Return the names of suspended instances: by hand, by subordination or by a calendar."""
    pairs = zip(compiled.instances, states, strict=True)
    return frozenset(instance.name for instance, letters in pairs if letters and STOPPED & set(letters))


def left_out(compiled: CompiledCluster, states: Sequence[str]) -> frozenset[str]:
    """Return the names of the instances that are not in the scheduler's list."""
    pairs = zip(compiled.instances, states, strict=True)
    return frozenset(instance.name for instance, letters in pairs if letters and LEFT_OUT & set(letters))


def _state(instance: QueueInstance, recorded: str | None, calendars: Mapping[str, str]) -> str:
    profile = instance.profile
    if not recorded and profile.is_plain:
        return ""
    letters = "".join(letter for letter in recorded or "" if letter not in CONFIGURED)
    if recorded is None and profile.starts_disabled:
        letters += DISABLED
    if profile.ambiguous:
        letters += AMBIGUOUS
    if profile.calendar is not None:
        # For a calendar that is unknown or unreadable, keep the recorded C or D.
        unread = "".join(letter for letter in recorded or "" if letter in _OF_CALENDARS)
        letters += calendars.get(profile.calendar, unread)
    return in_order(letters)


def closing_of(compiled: CompiledCluster, number: int, letters: str, now: int) -> CalendarClosing | None:
    """Return the calendar that causes state C or D of a queue instance; None if there is none, or it is unknown."""
    name = compiled.instances[number].profile.calendar
    calendar = compiled.calendars.get(name) if name is not None else None
    if name is None or calendar is None or not {"C", "D"} & set(letters):
        return None
    state = calendar.state_at(now)
    if state is CalendarState.ON:
        return None
    return CalendarClosing(name, state is CalendarState.SUSPENDED, calendar.next_change(now))
