"""Jobs in the columns that qstat(1) prints when nothing else is asked for."""

from collections.abc import Mapping
from datetime import datetime

from qmon_tui.model.state import Job
from qmon_tui.tui.base.columns import Cell, Column, GridRow
from qmon_tui.tui.present.jobs import JobRow
from qmon_tui.tui.present.spans import Idea
from qmon_tui.tui.present.words import state_idea

QSTAT_COLUMNS = (
    Column("job-ID", "job-ID", "right"),
    Column("prior", "prior", "right"),
    Column("name", "name", minimum=4),
    Column("user", "user", minimum=4),
    Column("state", "state"),
    Column("time", "submit/start at", rank=2),
    Column("queue", "queue", rank=1, minimum=8),
    Column("slots", "slots", "right"),
    Column("ja-task-ID", "ja-task-ID", rank=3),
)


def qstat_row(row: JobRow, jobs: Mapping[int, Job]) -> GridRow:
    """One row of the table; its key is the job's and the first task's number with a full stop between them."""
    job, task = row.job, row.task
    number, _, tasks = row.number.partition(".")
    return GridRow(
        f"{job.id}.{task.task}",
        (
            Cell(number),
            Cell(f"{task.prior:.5f}"),
            Cell(job.name),
            Cell(job.owner, Idea.DIM),
            Cell(task.state, state_idea(task.state)),
            Cell(_time(row, jobs.get(job.id))),
            Cell(row.place),
            Cell(str(job.slots)),
            Cell(tasks),
        ),
    )


def _time(row: JobRow, job: Job | None) -> str:
    """When the task was started, else when the job was submitted; a task that this run starts has the run's time."""
    if job is None:
        return ""
    known = job.tasks.get(row.task.task)
    started = known.started if known is not None and known.started is not None else row.at
    return datetime.fromtimestamp(started if row.task.granted else job.submitted).strftime("%m/%d/%Y %H:%M:%S")
