"""The work of a simulation: a state with the jobs of its workload, findings about them, and variants for like days.

Source: workloads.md#seeds-and-days.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from qmon_tui.formats import problem
from qmon_tui.formats.records import FinishedTask, Recorded
from qmon_tui.model import (
    HIGHEST_NUMBER,
    Cluster,
    Finding,
    Job,
    Severity,
    State,
    Workload,
    strongly_connected_components,
)
from qmon_tui.simulation.assumed_run_times import has_run_time, with_run_times
from qmon_tui.simulation.settings import plan_findings
from qmon_tui.simulation.workload.arrivals import WEEK
from qmon_tui.simulation.workload.dice import Dice
from qmon_tui.simulation.workload.generation import MOST, generated, workload_findings
from qmon_tui.simulation.workload.resampling import resampled
from qmon_tui.simulation.workload.scaling import moved_to, with_run_times_changed
from qmon_tui.simulation.workload.traces import (
    at_time,
    hole_findings,
    renumbered,
    scaled,
    trace_jobs,
    weeks_ahead,
)
from qmon_tui.values import LATEST

MOST_TASKS_OF_ALL: Final = 2_000_000
"""Most simulated tasks: their records take a gigabyte."""
_LISTED: Final = 3
"""Most jobs with a finding each; if there are more, only the first is named and the others are counted."""


@dataclass(frozen=True, slots=True)
class Work:
    """Jobs of a simulation with findings about them."""

    state: State
    findings: tuple[Finding, ...] = ()
    recorded: Mapping[tuple[int, int], FinishedTask] = field(default_factory=lambda: MappingProxyType({}))
    """(job, task) -> its record in the trace, with times moved like those of the job; for comparison."""


def with_work(cluster: Cluster, state: State, *, seed: int | None = None, trace: Recorded | None = None) -> Work:
    """Return the state with the jobs of its workload (`State.simulation.workload`) added, numbered after its own.

    `seed` replaces the plan's seed (None: keep it); `trace` is the content of the file that the workload names.
    """
    unknown = tuple(_finding(job, "unknown run time: h_rt assumed, one hour without it")
                    for job in state.jobs if job.runtime is None and not has_run_time(job))  # fmt: skip
    unknown = (*plan_findings(cluster, state), *unknown)
    state, _ = with_run_times(state)
    workload = state.simulation.workload
    if workload is None:
        work = Work(state)
        return _bounded(replace(work, findings=(*unknown, *work_findings(state))))
    used = state.simulation.seed if seed is None else seed
    if trace is not None:
        work = _of_trace(state, workload, used, trace)
    else:
        made = generated(cluster, state, workload, used, _first(state))
        joined, lost = _joined(state, made.jobs)
        work = Work(joined, (*workload_findings(cluster, workload), *made.findings, *lost))
    return _bounded(replace(work, findings=(*unknown, *work.findings, *work_findings(work.state))))


def _bounded(work: Work) -> Work:
    """Return the work without the jobs whose tasks exceed `MOST_TASKS_OF_ALL`, and a finding for each of these."""
    kept: list[Job] = []
    findings: list[Finding] = []
    tasks = 0
    for job in work.state.jobs:
        count = len(job.task_ids)
        if tasks + count > MOST_TASKS_OF_ALL:
            message = f"it is left out: with its {count} tasks there would be more than {MOST_TASKS_OF_ALL}"
            findings.append(_finding(job, message, Severity.ERROR))
        else:
            tasks += count
            kept.append(job)
    if not findings:
        return work
    return replace(work, state=replace(work.state, jobs=tuple(kept)), findings=(*work.findings, *findings))


def _first(state: State) -> int:
    return max((job.id for job in state.jobs), default=state.jobseqnum) + 1


def _joined(state: State, jobs: tuple[Job, ...]) -> tuple[State, tuple[Finding, ...]]:
    """Return the state with the jobs, and findings about those without a valid number, which are left out."""
    kept = tuple(job for job in jobs if job.id <= HIGHEST_NUMBER)
    lost = len(jobs) - len(kept)
    message = f"{lost} jobs do not come: their numbers would be above {HIGHEST_NUMBER}"
    findings = (problem("format.workload", message),) if lost else ()
    return replace(state, jobs=(*state.jobs, *kept)), findings


def _of_trace(state: State, workload: Workload, seed: int, trace: Recorded) -> Work:
    moved = trace_jobs(trace, workload)
    file = workload.trace
    findings = [*trace.findings, *hole_findings(trace, file)]
    moved = resampled(moved, seed, workload.scale) if workload.resample else scaled(moved, workload.scale)
    if workload.resample and len(moved) >= MOST:
        message = f"{len(moved)} jobs are drawn from this trace, no more: with scale {workload.scale:g} more would come"
        findings.append(problem("format.workload", message, file=file))
    in_time = [job_and_tasks for job_and_tasks in moved if job_and_tasks[0].submitted <= LATEST]
    if len(in_time) < len(moved):
        message = f"{len(moved) - len(in_time)} jobs of this trace do not come: it would be after the year 9000"
        findings.append(problem("format.workload", message, file=file))
    moved = in_time
    if not moved:
        return Work(state, (*findings, problem("format.record", "no job of this trace can be taken", file=file)))
    if not state.jobs and not state.reservations:
        state = begun_at(state, moved[0][0].submitted)
    elif weeks := weeks_ahead(moved, state.now):
        moved = [at_time(job_and_tasks, job_and_tasks[0].submitted + weeks * WEEK) for job_and_tasks in moved]
    if state.jobs or workload.resample:
        moved = renumbered(moved, _first(state))
    recorded = {(task.job, task.task): task for _, ended in moved for task in ended}
    joined, lost = _joined(state, tuple(job for job, _ in moved))
    return Work(joined, (*findings, *lost), MappingProxyType(recorded))


def begun_at(state: State, time: int) -> State:
    """Return the state at another time; the plan is moved by the same seconds."""
    shift = time - state.now
    plan = state.simulation
    return replace(
        state,
        now=time,
        simulation=replace(
            plan,
            until=None if plan.until is None else plan.until + shift,
            commands=tuple(replace(line, at=line.at + shift) for line in plan.commands),
            failures=tuple(
                replace(
                    failure, at=failure.at + shift, returns=None if failure.returns is None else failure.returns + shift
                )
                for failure in plan.failures
            ),
        ),
    )


def work_findings(state: State) -> Iterator[Finding]:
    """Yield warnings about jobs that never start or end in the simulation."""
    yield from _after_end(state, state.simulation.until)
    yield from _cycles(state)


def ending_at(work: Work, until: int | None) -> Work:
    """Return the work with the findings for a day that ends at `until`; None for the end in its plan."""
    if until is None:
        return work
    planned = tuple(_after_end(work.state, work.state.simulation.until))
    others = (finding for finding in work.findings if finding not in planned)
    return replace(work, findings=(*others, *_after_end(work.state, until)))


def _after_end(state: State, until: int | None) -> Iterator[Finding]:
    """Yield findings about jobs that are submitted or end after the day: the first ones, and a count."""
    if until is None:
        return
    late = [job for job in state.jobs if job.submitted > until]
    long = [
        job
        for job in state.jobs
        if job.submitted <= until < max(job.submitted, state.now) + (job.runtime or 0)
    ]  # fmt: skip
    for jobs, words in (
        (late, "it comes after the end of the simulation"),
        (long, "it runs for {} s, which is longer than the simulation lasts"),
    ):
        more = f" (and {len(jobs) - 1} more)" if len(jobs) > _LISTED else ""
        for job in jobs[: 1 if more else None]:
            yield _finding(job, words.format(job.runtime) + more)


def _cycles(state: State) -> Iterator[Finding]:
    """Yield findings about jobs that wait for each other: the first submitted one starts without waiting."""
    by_name: dict[str, list[str]] = {}
    for job in state.jobs:
        by_name.setdefault(job.name, []).append(str(job.id))
        by_name.setdefault(str(job.id), [str(job.id)])
    waits = {
        str(job.id): [other for name in (*job.request.hold_jid, *job.request.hold_jid_ad)
                      for other in by_name.get(name, ())]
        for job in state.jobs
    }  # fmt: skip
    if not any(waits.values()):
        return
    groups: dict[int, list[str]] = {}
    for number, group in strongly_connected_components(waits).items():
        groups.setdefault(group, []).append(number)
    jobs = {str(job.id): job for job in state.jobs}
    for members in groups.values():
        if len(members) > 1 or members[0] in waits[members[0]]:
            names = ", ".join(sorted(members, key=int))
            first = jobs[min(members, key=int)]
            yield _finding(first, f"jobs {names} wait for each other" if members[1:] else "it waits for itself")


def _finding(job: Job, message: str, severity: Severity = Severity.WARNING) -> Finding:
    origin = job.origin
    return problem(
        "format.workload", f"job {job.id}: {message}", file=origin.file if origin else None,
        line=origin.line if origin else None, kind="job", name=str(job.id), severity=severity,
    )  # fmt: skip


SHAKEN_SECONDS: Final = 600
"""Largest shift of a submission, in seconds."""
SHAKEN_RUN_TIME: Final = 0.1
"""Largest change of a run time, as a fraction of it."""


def work_of_day(cluster: Cluster, state: State, day: int = 0, trace: Recorded | None = None) -> Work:
    """Return the work of one of several like days, drawn with the plan's seed plus the number of the day.

    Generated jobs are generated again, users of a trace are drawn again, given jobs are shaken. Day 0 is unchanged.
    """
    if day == 0:
        return with_work(cluster, state, trace=trace)
    plan = replace(state.simulation, seed=state.simulation.seed + day)
    if trace is not None and plan.workload is not None:
        plan = replace(plan, workload=replace(plan.workload, resample=True))
    work = with_work(cluster, replace(state, simulation=plan), trace=trace)
    own, made = work.state.jobs[: len(state.jobs)], work.state.jobs[len(state.jobs) :]
    return replace(work, state=replace(work.state, jobs=(*shaken(own, work.state.now, plan.seed), *made)))


def shaken(jobs: tuple[Job, ...], now: int, seed: int) -> tuple[Job, ...]:
    """Return the jobs with small random changes of submission and run time. Source: measures.md#shaken-work."""
    dice = Dice(seed, "shaking")
    return tuple(_shaken(job, now, dice) for job in jobs)


def _shaken(job: Job, now: int, dice: Dice) -> Job:
    seconds, part = (limit * (2 * dice.uniform() - 1) for limit in (SHAKEN_SECONDS, SHAKEN_RUN_TIME))
    if not job.is_untouched:
        return job
    if job.is_to_come(now):
        job = moved_to(job, max(now + 1, job.submitted + round(seconds)))
    return with_run_times_changed(job, lambda seconds: max(1, round(seconds * (1 + part))) if seconds else seconds)
