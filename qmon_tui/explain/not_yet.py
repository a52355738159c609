"""Obstacles before a task's turn: predecessors, start time, holds.

Source: lifecycle.md#dependencies and reservation.md#duration-of-a-job.
"""

from collections.abc import Iterable, Iterator

from qmon_tui.explain.explanation import ReasonGroup, ReasonKind
from qmon_tui.model import HOLD_LETTERS, Job, messages
from qmon_tui.qmaster import JobCommand, QmodJobs, Run, Target, wallclock_limit
from qmon_tui.scheduler.jobs import RunJob, TaskList, dependencies_of, is_finished
from qmon_tui.scheduler.matching import StartOrder
from qmon_tui.scheduler.reservation import wallclock_limit_of
from qmon_tui.values import INFINITE, format_time

_HOLDS = {
    "u": "user hold (u): {owner}, an operator or a manager releases it",
    "o": "operator hold (o): an operator or a manager releases it",
    "s": "system hold (s): a manager releases it",
}
_ARRAY = "each task waits for its counterpart (-hold_jid_ad)"
_MOST = 5
"""Maximum number of predecessors named."""


def hold_reason(run: Run, run_job: RunJob, task: int) -> ReasonGroup:
    """Return the holds of a task and who may release each, or the arrays of its predecessors (-hold_jid_ad)."""
    job = run_job.job
    holds = job.own_holds(task)
    details = [_HOLDS[letter].format(owner=job.owner) for letter in HOLD_LETTERS if letter in holds]
    if not holds and job.request.hold_jid_ad:
        details = [_ARRAY, *_jobs(run, job, job.request.hold_jid_ad)]
    # A task with an unfinished counterpart needs no release.
    why = ReasonKind.HELD if holds or not job.request.hold_jid_ad else ReasonKind.NOT_YET
    return ReasonGroup(why, "job", messages.message(messages.HOLD_STATE), details=tuple(details))


def dependency_reason(run: Run, job: Job) -> ReasonGroup:
    """Return the predecessors of a whole job (-hold_jid), with their state and latest end."""
    return ReasonGroup(
        ReasonKind.NOT_YET,
        "job",
        messages.message(messages.DEPENDENCIES),
        details=tuple(_jobs(run, job, job.request.hold_jid)),
    )


def start_time_reason(job: Job) -> ReasonGroup:
    """Return the start time that a job requests (-a)."""
    at = format_time(job.request.start_time or 0)
    message = messages.message(messages.START_TIME)
    return ReasonGroup(ReasonKind.NOT_YET, "job", message, details=(f"not before {at} (-a)",))


def _jobs(run: Run, job: Job, named: Iterable[str]) -> Iterator[str]:
    others = {other.id: other for other in dependencies_of(run.state).predecessors(job, named)}
    unfinished = [other for other in others.values() if not is_finished(other)]
    known = {run_job.id: run_job for run_job in run.jobs}
    for other in unfinished[:_MOST]:
        yield f"waits for job {other.id} {other.name} of {other.owner}: {_stage(run, known.get(other.id))}"
    if len(unfinished) > _MOST:
        yield f"and for {len(unfinished) - _MOST} more"


def _stage(run: Run, run_job: RunJob | None) -> str:
    """Describe the progress of a job: running until when, pending, held."""
    if run_job is None:
        return "not let in"
    waiting = [number for number in run_job.job.task_ids if not _has_started(run_job, number)]
    if not waiting:
        ends = [expected_end(run, run_job, number) for number in run_job.job.tasks if _has_started(run_job, number)]
        known = [end for end in ends if end is not None]
        if not known or len(known) < len(ends):
            return "running, with no limit to its run time"
        at, by = max(known)
        return f"running, over by {format_time(at)} ({by})"
    starts = run.starts_of(run_job.id)
    left = len(waiting) - len(starts)
    if left <= 0:
        return "starts in this run"
    others, is_array = run_job.split.others, run_job.job.request.array is not None
    in_error = len({*waiting}.intersection(others.get(TaskList.ERROR, ())))
    if in_error:
        counted = f"{in_error} task{'s' if in_error > 1 else ''} in error" if is_array else "in error"
        rest = f", {left - in_error} pending" if left > in_error else ""
        clear = QmodJobs((Target(run_job.id),), JobCommand.CLEAR_ERROR).line
        return f"{counted}{rest}: {clear} clears it"
    state = "held" if {*waiting} <= {*others.get(TaskList.HOLD, ())} else "pending"
    return f"{left} task{'s' if left > 1 else ''} {state}" if is_array else state


def _has_started(run_job: RunJob, number: int) -> bool:
    task = run_job.job.tasks.get(number)
    return task is not None and (bool(task.granted) or "q" not in task.state)


def expected_end(run: Run, run_job: RunJob, number: int) -> tuple[int, str] | None:
    """Return the latest end of a started task, seconds since the epoch, and its source: h_rt, or the known run time.

    None without a limit; the run time of a suspended task does not advance.
    """
    task = run_job.job.tasks[number]
    if task.started is None or not task.granted:
        return None
    stands_still = {*"sST"} & {*run.states_after_run.task_state(run_job.id, number, task.granted, task.state)}
    runtime = None if stands_still else run_job.job.runtime_of(number)
    return _end(task.started, runtime, wallclock_limit_of(run_job, number, run.resources))


def end_of_start(run: Run, start: StartOrder) -> tuple[int, str] | None:
    """Return the latest end of a task that the run has just started, and its source."""
    return _end(run.now, start.run_job.job.runtime_of(start.task), wallclock_limit(start, run.resources))


def _end(started: float, runtime: int | None, limit: float) -> tuple[int, str] | None:
    ends = [(int(started) + runtime, "its run time")] if runtime is not None else []
    if limit < INFINITE:
        ends.append((int(started + limit), "h_rt"))
    return min(ends, default=None)
