"""The tasks of a job as they are shown: a job that qsub refuses has none, but must not be overlooked."""

from typing import Final

from qmon_tui.scheduler.outcome import JobOutcome, TaskOutcome
from qmon_tui.tui.present.words import REFUSED

_REFUSED_TASK: Final = TaskOutcome(1, REFUSED, {}, {})


def shown_tasks(job: JobOutcome) -> tuple[TaskOutcome, ...]:
    """The tasks of a job; of one that qsub refuses, one that stands for the whole job."""
    return (_REFUSED_TASK,) if job.rejected and not job.tasks else job.tasks
