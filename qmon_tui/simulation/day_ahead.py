"""The day simulated ahead from a moment for some seconds of CPU time, and the changes that an edit makes to it.

All times are seconds since the epoch.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import thread_time
from typing import Final, NamedTuple

from qmon_tui.qmaster import RunFacts
from qmon_tui.qmaster.transition import TaskEnded
from qmon_tui.simulation.execution import TaskKey
from qmon_tui.simulation.measures import wait
from qmon_tui.simulation.scenario import LONGEST_WAIT, is_over
from qmon_tui.simulation.simulator import Simulator
from qmon_tui.values import sum_in_order

SECONDS_OF_WORK: Final = 4.0
"""Seconds of work for one day ahead: the user waits for it after an edit."""


class Future(NamedTuple):
    """Start of a task that has not started yet or is still to be submitted."""

    submitted: int
    start: int | None
    """Its last start; None if it does not start before `DayAhead.reached`."""


@dataclass(frozen=True, slots=True)
class DayAhead:
    """The tasks of a day from `beginning` to `reached`."""

    beginning: int
    reached: int
    is_whole: bool
    """True if no job changes after `reached`."""
    tasks: Mapping[TaskKey, Future]
    waits: tuple[float, ...] = ()
    """Seconds of waiting of each task that had already started at `beginning`."""


@dataclass(frozen=True, slots=True)
class DayAheadSummary:
    """Summary of the day ahead, and of the changes that an edit makes to it."""

    beginning: int
    reached: int
    """Time up to which both days are known."""
    is_whole: bool
    jobs: int
    """Number of jobs with tasks that have not started yet."""
    wait: float
    """Mean wait in seconds over all tasks that start on the day or started before it (measures.md#waiting-time)."""
    waiting: int
    """Number of jobs without any task that starts by `reached`."""
    last_start: int | None
    """Time of the last start; None if no task starts."""
    wait_before: float | None = None
    """Mean wait without the edit; None if there is no edit."""
    earlier: int = 0
    later: int = 0
    """Number of jobs that start earlier (`earlier`) or later because of the edit, summed over their tasks."""
    added: int = 0
    """Number of jobs that exist only with the edit; `removed` counts those that exist only without it."""
    removed: int = 0
    starting: int = 0
    """Number of tasks that start."""


def look_ahead(
    simulator: Simulator, seconds: float = SECONDS_OF_WORK, look: Callable[[], None] | None = None
) -> DayAhead:
    """Simulate to the end, or for `seconds` of CPU time of this thread. `look` is called after every step."""
    beginning = last_change = simulator.now
    begun = {key for key, record in simulator.records.items() if record.started is not None}
    starts: dict[TaskKey, int] = {}
    end = thread_time() + seconds
    is_whole = True
    while not is_over(simulator, last_change) and (simulator.next_time or 0) <= last_change + LONGEST_WAIT:
        happened = simulator.advance()
        if isinstance(happened, TaskEnded):
            last_change = simulator.now
        elif isinstance(happened, RunFacts):
            for key in happened.started:
                starts[key] = simulator.now
                last_change = simulator.now
        if look is not None:
            look()
        if thread_time() >= end:
            is_whole = False
            break
    tasks = {
        key: Future(record.submitted, starts.get(key))
        for key, record in simulator.records.items()
        if key not in begun
        and (record.started is not None or key[0] not in simulator.refused)
        and (record.deleted is None or key in starts)  # a task deleted while it waited does not wait to the end
    }
    reached = simulator.now
    if is_whole and simulator.settings.until is None and simulator.next_time is not None:
        # The remaining tasks never start; the time without them says nothing about waits.
        reached = max((last_change, *(task.submitted for task in tasks.values())))
    started = (record for key, record in simulator.records.items() if key in begun)
    waits = tuple(waited for record in started if (waited := wait(record)) is not None)
    return DayAhead(beginning, reached, is_whole, tasks, waits)


def summary_of_days(after: DayAhead, before: DayAhead | None = None) -> DayAheadSummary:
    """Summarize the day ahead; compare with the day without the edit, up to the end of the shorter one."""
    is_whole = after.is_whole and (before is None or before.is_whole)
    reached = max(after.reached, before.reached if before is not None else 0)
    if not is_whole:
        days = [day for day in (after, before) if day is not None and not day.is_whole]
        reached = min(day.reached for day in days)
    starts = {key: _start(task, reached) for key, task in after.tasks.items() if task.submitted <= reached}
    moved: dict[int, int] = {}
    wait_before = None
    jobs_before: set[int] = set()
    if before is not None:
        known = {key: _start(task, reached) for key, task in before.tasks.items() if task.submitted <= reached}
        jobs_before = {job for job, _ in known}
        wait_before = _mean_wait(before, known) or 0.0
        for key, start in starts.items():
            if key in known:
                first, second = (reached if time is None else time for time in (known[key], start))
                moved[key[0]] = moved.get(key[0], 0) + second - first
    jobs = {job for job, _ in starts}
    started = [start for start in starts.values() if start is not None]
    return DayAheadSummary(
        after.beginning,
        reached,
        is_whole,
        len(jobs),
        _mean_wait(after, starts) or 0.0,
        len(jobs - {job for (job, _), start in starts.items() if start is not None}),
        max(started, default=None),
        wait_before,
        sum(change < 0 for change in moved.values()),
        sum(change > 0 for change in moved.values()),
        len(jobs - jobs_before) if before is not None else 0,
        len(jobs_before - jobs),
        len(started),
    )


def _start(task: Future, reached: int) -> int | None:
    return task.start if task.start is not None and task.start <= reached else None


def _mean_wait(day: DayAhead, starts: Mapping[TaskKey, int | None]) -> float | None:
    """Return the mean wait in seconds of the tasks that started before the day or start on it; None without any."""
    waits = [
        *day.waits,
        *(float(start - day.tasks[key].submitted) for key, start in starts.items() if start is not None),
    ]
    return sum_in_order(waits) / len(waits) if waits else None
