"""The day simulated ahead from a moment, as far as some seconds of work reach, and what an edit changes over it.

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
    """Start of a task that is still waiting or to come."""

    submitted: int
    start: int | None
    """Its last start; None if it does not start before `DayAhead.reached`."""


@dataclass(frozen=True, slots=True)
class DayAhead:
    """A day from some moment on."""

    beginning: int
    reached: int
    is_whole: bool
    """True if no job changes after `reached`."""
    tasks: Mapping[TaskKey, Future]
    waits: tuple[float, ...] = ()
    """Seconds that tasks waited which had started at the beginning."""


@dataclass(frozen=True, slots=True)
class DayAheadSummary:
    """Summary of the day ahead, and of the changes that an edit makes to it."""

    beginning: int
    reached: int
    """Up to when both days are known."""
    is_whole: bool
    jobs: int
    """Number of jobs with tasks that have not started yet."""
    wait: float
    """Mean over all tasks of the day that have started or will, seconds (measures.md#waiting-time)."""
    waiting: int
    """Jobs of which no task starts as far as is known."""
    last_start: int | None
    wait_before: float | None = None
    """Mean wait without the edit; None if there is no edit."""
    earlier: int = 0
    later: int = 0
    """Jobs that start earlier and later by the edit, over all their tasks."""
    added: int = 0
    """Jobs that only come with the edit."""
    removed: int = 0
    starting: int = 0
    """Tasks that start, of all jobs."""


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
        and (record.deleted is None or key in starts)  # what was deleted while it waited does not wait to the end
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
    """The mean wait of the tasks that have started or will, in seconds; None without any."""
    waits = [
        *day.waits,
        *(float(start - day.tasks[key].submitted) for key, start in starts.items() if start is not None),
    ]
    return sum_in_order(waits) / len(waits) if waits else None
