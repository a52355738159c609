"""Tasks after a run that has not computed their tickets and priorities; the rule is `after_run`."""

from typing import Final

from qmon_tui.incremental.known_jobs import KnownJob
from qmon_tui.incremental.prerequisites import NotIncremental
from qmon_tui.model import GONE, LaterNumbers, Task, renewed
from qmon_tui.scheduler.jobs import TaskList, has_just_finished, task_list_of

LATER: Final = LaterNumbers()
"""Ticket numbers of a task that are computed when they are read."""


def is_to_change(task: Task) -> bool:
    """True if a run books usage of a task, removes it, or defers its numbers (`LaterNumbers`)."""
    if has_just_finished(task.state):
        return True
    return task_list_of(task.state) is TaskList.RUNNING and not (
        isinstance(task.tickets, LaterNumbers) and task.used is None
    )


def task_after_run(known: KnownJob, number: int, task: Task) -> Task:
    """Return a task that the run has not started as it is after the run. Raises NotIncremental without its tickets."""
    if has_just_finished(task.state):
        return Task(GONE, started=task.started)
    if not is_to_change(task):
        return task
    numbers = task.tickets if isinstance(task.tickets, LaterNumbers) else LATER
    if not isinstance(task.tickets, LaterNumbers) and known.job.request.pe is not None:
        if not task.tickets or not task.tickets.keys() >= KEPT_FROM_START:
            raise NotIncremental
        numbers = LaterNumbers(task.tickets)
    return renewed(task, used=None, tickets=numbers)


KEPT_FROM_START: Final = frozenset(("tckts", "otckt", "ftckt", "stckt"))
