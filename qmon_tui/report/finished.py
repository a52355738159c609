"""Finished jobs as in qacct: when and where they ran, how they ended, and the resources they used."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from qmon_tui.formats.records import FinishedTask, Recorded
from qmon_tui.model import Job
from qmon_tui.report.spans import Line, Span, TextRole, wrap
from qmon_tui.report.words import count
from qmon_tui.values import format_time, time_text

_FAILED: Final = {
    1: "assumedly before job", 2: "on executing shepherd", 3: "before writing config", 4: "before writing pid",
    5: "on reading config file", 6: "setting processor set", 7: "before prolog", 8: "in prolog", 9: "before pestart",
    10: "in pestart", 11: "before job", 12: "before pestop", 13: "in pestop", 14: "before epilog", 15: "in epilog",
    16: "releasing processor set", 17: "through signal", 18: "shepherd returned error",
    19: "before writing exit_status", 20: "found unexpected error file", 21: "in recognizing job",
    22: "removed manually", 24: "migrating", 25: "rescheduling", 26: "opening input/output file",
    27: "searching requested shell", 28: "changing into working directory", 29: "AFS setup",
    30: "application error returned", 31: "accessing sgepasswd file", 32: "entry is missing in sgepasswd file",
    33: "wrong password", 34: "communicating with Grid Engine Helper Service",
    35: "before job in Grid Engine Helper Service", 36: "checking configured daemons",
    37: "qmaster enforced h_rt, h_cpu, or h_vmem limit", 38: "adding supplementary group",
    100: "assumedly after job",
}  # fmt: skip
"""Number in the field `failed` -> text of `qacct -j`; others mean an invalid execution state."""


def failure_words(task: FinishedTask) -> str:
    """Return the failure and the exit status or signal of a task."""
    words = [f"failed {task.failed}: {_FAILED.get(task.failed, 'invalid execution state')}"] if task.failed else []
    if task.exit_status > 128:
        words.append(f"killed by signal {task.exit_status - 128}")
    elif task.exit_status or not task.failed:
        words.append(f"exit status {task.exit_status}")
    return ", ".join(words)


def finished_lines(recorded: Recorded, cells: int) -> Iterator[Line]:
    """Yield the lines of each finished task in the order of the records, or one line without any."""
    jobs = {job.id: job for job in recorded.state.jobs}
    for task in recorded.finished:
        job = jobs[task.job]
        role = TextRole.FAILED if task.failed or task.exit_status else TextRole.PLAIN
        yield from wrap(f"{_named(job, task)}: {failure_words(task)}", cells, role)
        yield from wrap(f"  {_story(job, task)}", cells, TextRole.DIM, rest="  ")
    if not recorded.finished:
        yield (Span("No record: it may still run, or has ended so lately that it is not written yet.", TextRole.DIM),)


def _named(job: Job, task: FinishedTask) -> str:
    number = f"{job.id}.{task.task}" if job.request.array is not None else str(job.id)
    return f"{number} {job.name} ({job.owner})"


def _story(job: Job, task: FinishedTask) -> str:
    if task.started is None or task.ended is None:
        return f"submitted {format_time(job.submitted)}, never started"
    waited, ran = task.started - job.submitted, task.ended - task.started
    used = f"cpu {task.cpu:.0f} s, memory {task.memory:.3f} GBs, io {task.io:.3f} GB"
    return (
        f"{format_time(task.started)} to {format_time(task.ended)} on {task.granted}, {count(task.slots, 'slot')};"
        f" waited {time_text(max(0, waited))}, ran {time_text(max(0, ran))}; {used}"
    )


def finished_json(recorded: Recorded) -> Mapping[str, object]:
    """Return the finished tasks for JSON; times are local text."""
    jobs = {job.id: job for job in recorded.state.jobs}

    def when(time: int | None) -> str | None:
        return None if time is None else format_time(time)

    tasks: Sequence[Mapping[str, object]] = [
        {
            "id": task.job, "task": task.task, "name": jobs[task.job].name, "owner": jobs[task.job].owner,
            "submitted": when(jobs[task.job].submitted), "started": when(task.started), "ended": when(task.ended),
            "place": task.granted, "slots": task.slots, "failed": task.failed, "exit_status": task.exit_status,
            "reason": failure_words(task), "cpu": task.cpu, "mem": task.memory, "io": task.io,
        }
        for task in recorded.finished
    ]  # fmt: skip
    return {"tasks": tasks}
