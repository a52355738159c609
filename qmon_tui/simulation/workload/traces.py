"""Jobs of a trace: mapped to names of this cluster and moved in time; incomplete ones are left out (workloads.md)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import ceil

from qmon_tui.formats import problem, qsub_line
from qmon_tui.formats.records import FinishedTask, Recorded
from qmon_tui.model import Finding, Job, PeRequest, Request, Severity, Workload
from qmon_tui.simulation.workload.arrivals import WEEK
from qmon_tui.simulation.workload.scaling import moved_to, sooner
from qmon_tui.values import whole_number

Moved = tuple[Job, Sequence[FinishedTask]]
"""A job, and the records of its tasks."""


def hole_findings(recorded: Recorded, file: str) -> Iterator[Finding]:
    """Yield a finding for each job that lacks a value in the trace."""
    for hole in recorded.holes:
        yield problem(
            "format.record", f"job {hole.job} is left out: it is not known {hole.missing}", file=file,
            line=hole.line, kind="job", name=str(hole.job), severity=Severity.WARNING,
        )  # fmt: skip


def trace_jobs(recorded: Recorded, workload: Workload) -> list[Moved]:
    """Return the jobs without missing values, mapped to names of this cluster, in the order of submission."""
    gone = {hole.job for hole in recorded.holes}
    ended: dict[int, list[FinishedTask]] = {}
    for task in recorded.finished:
        ended.setdefault(task.job, []).append(task)
    kept = [job for job in recorded.state.jobs if job.id not in gone]
    jobs = (_mapped(job, ended.get(job.id, ()), workload, is_trace=recorded.is_trace) for job in kept)
    return sorted(((job, ended.get(job.id, ())) for job in jobs), key=lambda moved: (moved[0].submitted, moved[0].id))


def _mapped(job: Job, ended: Sequence[FinishedTask], workload: Workload, *, is_trace: bool) -> Job:
    request = job.request
    queues = request.hard_queues
    if is_trace and ended and ended[0].granted:
        queues = (ended[0].granted,)
    renamed = (workload.map_queues.get(queue, "" if is_trace else queue) for queue in queues)
    project = request.project
    if is_trace:
        project = workload.map_projects.get(job.group)
    elif project is not None:
        project = workload.map_projects.get(project, project)
    request = replace(
        request,
        hard=tuple(_with_mapped_memory(request.hard, workload)) if is_trace else request.hard,
        hard_queues=tuple(name for name in renamed if name),
        project=project,
        pe=_environment(request.pe, workload.map_pes),
    )
    return _with_request(replace(job, owner=workload.map_users.get(job.owner, job.owner)), request)


def _with_request(job: Job, request: Request) -> Job:
    """Return the job with a request; the command is `sleep RUNTIME` if it has none."""
    request = replace(request, command=request.command or ("sleep", str(job.runtime or 0)))
    return replace(job, request=request, qsub=qsub_line(request, job.name))


def _with_mapped_memory(hard: Iterable[tuple[str, str | None]], workload: Workload) -> Iterator[tuple[str, str | None]]:
    attribute = workload.kinds[0].memory_attribute
    for name, text in hard:
        if name != "h_vmem":
            yield name, text
        elif attribute != "NONE":
            yield attribute, text


def _environment(asked: PeRequest | None, names: Mapping[str, str]) -> PeRequest | None:
    return None if asked is None else replace(asked, name=names.get(asked.name, asked.name))


def scaled(moved: Sequence[Moved], scale: float) -> list[Moved]:
    """Return the jobs with the times between them divided by `scale` (workloads.md#load-scaling)."""
    if not moved or scale == 1:
        return list(moved)
    start = moved[0][0].submitted
    return [at_time(job_and_tasks, sooner(job_and_tasks[0].submitted, start, scale)) for job_and_tasks in moved]


def at_time(moved: Moved, time: int) -> Moved:
    """Return the job with another submission time; its recorded tasks are moved by the same seconds."""
    job, ended = moved
    shift = time - job.submitted
    if not shift:
        return moved
    return moved_to(job, time), tuple(
        replace(
            task,
            started=None if task.started is None else task.started + shift,
            ended=None if task.ended is None else task.ended + shift,
        )
        for task in ended
    )


def renumbered(moved: Sequence[Moved], first: int) -> list[Moved]:
    """Return the jobs numbered from `first` on, in their order; -hold_jid names the new numbers."""
    numbers = {job.id: first + place for place, (job, _) in enumerate(moved)}
    return [(_renumbered(job, numbers), [replace(task, job=numbers[job.id]) for task in ended])
            for job, ended in moved]  # fmt: skip


def _renumbered(job: Job, numbers: Mapping[int, int]) -> Job:
    request = job.request
    if request.hold_jid:
        known = (text if (number := whole_number(text)) is None else numbers.get(number) for text in request.hold_jid)
        request = replace(request, hold_jid=tuple(str(number) for number in known if number is not None))
        job = _with_request(job, request)
    return replace(job, id=numbers[job.id])


def weeks_ahead(moved: Sequence[Moved], now: int) -> int:
    """Return the whole weeks by which a trace must be moved so that no job is submitted before `now`."""
    return max(0, ceil((now - moved[0][0].submitted) / WEEK)) if moved else 0
