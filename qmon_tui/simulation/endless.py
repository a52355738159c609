"""The ends of a day with events still planned: no event changes anything any more, or the clock does not advance."""

from re import sub
from typing import TYPE_CHECKING, Final

from qmon_tui.qmaster import RunFacts
from qmon_tui.qmaster.transition import TaskArrived, TaskEnded
from qmon_tui.simulation.policy_edits import EditError
from qmon_tui.values import format_time

if TYPE_CHECKING:
    from qmon_tui.simulation.simulator import Simulator

_HOUR, _YEAR = 3600, 366 * 86400
"""Seconds for which calendars continue to switch after the last task of a day without an end."""
_AT_LEAST: Final = 1000
_EACH: Final = 20
"""The bound on the events of one second: `_AT_LEAST`, and `_EACH` more for every task and every planned event."""
_KEPT: Final = 40
"""Number of the last events that the error message describes."""


class EndlessDay(EditError):
    """The error of a day that never ends because its clock does not advance; the text is a sentence for the user."""


def waits_in_vain(simulator: "Simulator", next_time: int) -> bool:
    """True if only calendars continue: no job is left, or no task has started or ended for a year."""
    idle = next_time - simulator.last_progress
    if simulator.coming or idle <= _HOUR or (idle <= _YEAR and simulator.state.jobs):
        return False
    return not any(
        (job.request.start_time or 0) >= simulator.now
        or any(_is_planned(simulator, job.id, task) for task in job.tasks)
        for job in simulator.state.jobs
    )


def _is_planned(simulator: "Simulator", job: int, task: int) -> bool:
    """True if an arrival or an end of a task is planned; a suspended task may have neither."""
    return TaskEnded(job, task) in simulator.queue or TaskArrived(job, task) in simulator.queue


class EventBound:
    """A bound on the number of events in one second, far above the need of any work: beyond it they repeat forever."""

    def __init__(self) -> None:
        self.error = ""
        """A sentence that names the repeated events; empty below the bound."""
        self._now: int | None = None
        self._left = 0
        self._last: list[object] = []

    def count(self, simulator: "Simulator", happened: object) -> None:
        """Count one event, and set `error` at the bound."""
        if simulator.now != self._now:
            self._now = simulator.now
            self._left = _AT_LEAST + _EACH * (len(simulator.records) + len(simulator.queue))
            self._last = []
        self._left -= 1
        if self._left < _KEPT:
            self._last.append(happened)
        if self._left <= 0:
            self.error = self._message(simulator)

    def check(self) -> None:
        """Raise EndlessDay beyond the bound."""
        if self.error:
            raise EndlessDay(self.error)

    def _message(self, simulator: "Simulator") -> str:
        """Return a sentence with the last events, their jobs, and the queue instances of these jobs."""
        kinds = dict.fromkeys(_kind(happened) for happened in self._last)
        jobs = {number: None for happened in self._last if (number := _job(happened)) is not None}
        known = [job for number in jobs if (job := simulator.find_job(number)) is not None]
        instances = dict.fromkeys(name for job in known for task in job.tasks.values() for name in task.granted)
        about = [f"{word} {', '.join(map(str, names))}" for word, names in (("jobs", jobs), ("in", instances)) if names]
        return (
            f"the day does not get beyond {format_time(simulator.now)}: the same events repeat without end "
            f"({'; '.join([', '.join(kinds), *about])}); please report this with the cluster folder"
        )


def _kind(happened: object) -> str:
    name = "SchedulingRun" if isinstance(happened, RunFacts) else type(happened).__name__
    return sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()


def _job(happened: object) -> int | None:
    job = getattr(happened, "job", None)
    return job if isinstance(job, int) else getattr(job, "id", None)
