"""When a task would start by itself: run after run, as what runs ends at the latest and calendars open.

Nothing new is submitted in it, loads stay, and what has no end that is known never ends.

Source: lifecycle.md#events-between-runs.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from qmon_tui.explain.explanation import ExpectedStart, ReasonGroup, ReasonKind
from qmon_tui.explain.not_yet import end_of_start, expected_end
from qmon_tui.gc_pause import gc_paused
from qmon_tui.model import State
from qmon_tui.qmaster import Run, simulate
from qmon_tui.qmaster.transition import (
    CalendarSwitched,
    Event,
    ReservationBegan,
    ReservationEnded,
    TaskEnded,
    after_event,
    after_run,
)
from qmon_tui.scheduler.jobs import RunJob, TaskList, has_just_finished
from qmon_tui.values import CalendarState

_MOST_RUNS, _LEAST_RUNS, _WORK = 40, 4, 60_000
"""How many runs are made at most: fewer for a large cluster."""
_EVENT_WORK = 2_000_000
"""How many jobs are looked through for events at most."""
_STANDS_STILL = frozenset("sST")
_NAMED = 2


class _Moment(NamedTuple):
    """Something that happens at a time by itself."""

    at: int
    event: Event | None
    words: str


def can_wait(groups: Iterable[ReasonGroup]) -> bool:
    """True if something keeps a task waiting that may end by itself, and nothing that does not."""
    kinds = {group.why for group in groups}
    return bool(kinds - {ReasonKind.NEVER}) and kinds.isdisjoint({ReasonKind.IMPOSSIBLE, ReasonKind.HELD})


@gc_paused()
def expected_start(run: Run, job: int, task: int) -> ExpectedStart | None:
    """When a task that waits would start, and what it would start after; None where that does not follow."""
    cluster, words = run.compiled.cluster, ""
    size = len(run.jobs) + 5 * len(run.resources.instances)
    work = _EVENT_WORK
    for _ in range(max(_LEAST_RUNS, min(_MOST_RUNS, _WORK // (size + 1)))):
        moments = list(_moments(run, job))
        at = min((moment.at for moment in moments), default=None)
        if at is None:
            return None
        state = after_run(run)
        due = [moment for moment in moments if moment.at == at]
        work -= len(due) * len(state.jobs)
        if work < 0:
            return None
        for moment in due:
            if moment.event is not None:
                state = after_event(cluster, state, moment.event, at=at)
        words = _words(due, job) or words
        run = simulate(cluster, state, at=at, formulas=run.formula.formulas)
        if any(start.task == task and not start.refused for start in run.starts_of(job)):
            return ExpectedStart(at, words)
    return None


def _words(due: Iterable[_Moment], job: int) -> str:
    """Return the events of a moment as one text, the ends of the job's own tasks first; empty if there are none."""
    in_order = sorted(due, key=lambda moment: not (isinstance(moment.event, TaskEnded) and moment.event.job == job))
    named = list(dict.fromkeys(moment.words for moment in in_order if moment.words))
    more = f" and {len(named) - _NAMED} more" if len(named) > _NAMED else ""
    return ", ".join(named[:_NAMED]) + more


def _moments(run: Run, job: int) -> Iterator[_Moment]:
    """Yield what is expected after a run: ends of tasks, calendars, advance reservations, the job's start time."""
    soonest = run.now + 1
    for run_job, task, (at, by) in _ends(run):
        name = f"{run_job.id}" if run_job.job.request.array is None else f"{run_job.id}.{task}"
        yield _Moment(max(at, soonest), TaskEnded(run_job.id, task), f"job {name} has ended ({by})")
    used = {instance.profile.calendar for instance in run.resources.instances}
    for name, calendar in run.compiled.calendars.items():
        change = calendar.next_change(run.now) if name in used else None
        if change is not None:
            does = "opens" if calendar.state_at(change) is CalendarState.ON else "closes"
            yield _Moment(max(change, soonest), CalendarSwitched(name), f"calendar {name} {does}")
    yield from _of_reservations(run.state, run.now)
    start_time = next((candidate.request.start_time for candidate in run.state.jobs if candidate.id == job), None)
    if start_time is not None and start_time > run.now:
        yield _Moment(start_time, None, "its start time (-a) has come")
    if any(map(_counts_finished_tasks, run.jobs)):
        yield _Moment(run.now + max(1, run.compiled.policy.schedule_interval), None, "")


def _counts_finished_tasks(run_job: RunJob) -> bool:
    """Return True if tasks that have just ended keep others of an array from starting: until the run after that."""
    is_limited = TaskList.OVER_TASK_LIMIT in run_job.split.others
    return is_limited and any(has_just_finished(task.state) for task in run_job.job.tasks.values())


def _ends(run: Run) -> Iterator[tuple[RunJob, int, tuple[int, str]]]:
    """Job, task, and when it is over and what says so, of all that runs on after a run."""
    for run_job in run.jobs:
        for number, task in run_job.job.tasks.items():
            state = run.states_after_run.task_state(run_job.id, number, task.granted, task.state)
            end = expected_end(run, run_job, number)
            if end is not None and not _STANDS_STILL & {*state}:
                yield run_job, number, end
    for start in run.dispatch.starts:
        end = None if start.refused else end_of_start(run, start.run_job, start.grants)
        if end is not None:
            yield start.run_job, start.task, end


def _of_reservations(state: State, now: int) -> Iterator[_Moment]:
    for reservation in state.reservations:
        words = f"advance reservation {reservation.id}"
        if reservation.start > now:
            yield _Moment(reservation.start, ReservationBegan(reservation.id), f"{words} has begun")
        elif reservation.end > now:
            yield _Moment(reservation.end, ReservationEnded(reservation.id), f"{words} has ended")
