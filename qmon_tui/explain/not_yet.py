"""Tasks that take no part: held, waiting, in error, over a limit or in a wrong category; reasons and candidate changes.

Source: lifecycle.md#dependencies and reservation.md#duration-of-a-job.
"""

from collections.abc import Iterable, Iterator
from shlex import quote

from qmon_tui.explain import edits
from qmon_tui.explain.edits import JOB, MOST_STEPS, CandidateChange, EditedCluster, Impact, alteration
from qmon_tui.explain.explanation import Change, ReasonGroup, ReasonKind
from qmon_tui.model import HOLD_LETTERS, Job, Kind, messages
from qmon_tui.qmaster import JobCommand, QmodJobs, Qrls, Run, Target, wallclock_limit
from qmon_tui.scheduler.configuration import global_configuration
from qmon_tui.scheduler.jobs import RunJob, TaskList, dependencies_of, is_finished
from qmon_tui.scheduler.matching import StartOrder
from qmon_tui.scheduler.reservation import wallclock_limit_of
from qmon_tui.values import INFINITE, format_qsub_date, format_time

_HOLDS = {
    "u": "user hold (u): {owner}, an operator or a manager releases it",
    "o": "operator hold (o): an operator or a manager releases it",
    "s": "system hold (s): a manager releases it",
}
_ARRAY = "each task waits for its counterpart (-hold_jid_ad)"
_MOST = 5
"""Maximum number of predecessors named."""


def place_of_task(run_job: RunJob, task: int) -> TaskList | None:
    """Return the list of a task that takes no part; None if it takes part."""
    return next((place for place, tasks in run_job.split.others.items() if task in tasks), None)


def starts_later(run: Run, run_job: RunJob) -> bool:
    """True if the job requests a later start time (-a)."""
    start = run_job.job.request.start_time
    return start is not None and start > run.now


def hold_reason(run: Run, run_job: RunJob, task: int) -> ReasonGroup:
    """Return the holds of a task and who may release each, or the arrays of its predecessors (-hold_jid_ad)."""
    job = run_job.job
    holds = job.own_holds(task)
    details = [_HOLDS[letter].format(owner=job.owner) for letter in HOLD_LETTERS if letter in holds]
    if not holds and job.request.hold_jid_ad:
        details = [_ARRAY, *_predecessors_in_words(run, job, job.request.hold_jid_ad)]
    # A task with an unfinished counterpart needs no release.
    why = ReasonKind.HELD if holds or not job.request.hold_jid_ad else ReasonKind.NOT_YET
    return ReasonGroup(why, "job", messages.message(messages.HOLD_STATE), details=tuple(details))


def dependency_reason(run: Run, job: Job) -> ReasonGroup:
    """Return the predecessors of a whole job (-hold_jid), with their state and latest end."""
    return ReasonGroup(
        ReasonKind.NOT_YET,
        "job",
        messages.message(messages.DEPENDENCIES),
        details=tuple(_predecessors_in_words(run, job, job.request.hold_jid)),
    )


def start_time_reason(job: Job) -> ReasonGroup:
    """Return the start time that a job requests (-a)."""
    at = format_time(job.request.start_time or 0)
    message = messages.message(messages.START_TIME)
    return ReasonGroup(ReasonKind.NOT_YET, "job", message, details=(f"not before {at} (-a)",))


def _predecessors_in_words(run: Run, job: Job, named: Iterable[str]) -> Iterator[str]:
    others = {other.id: other for other in dependencies_of(run.state).predecessors(job, named)}
    unfinished = [other for other in others.values() if not is_finished(other)]
    known = {run_job.id: run_job for run_job in run.jobs}
    for other in unfinished[:_MOST]:
        yield f"waits for job {other.id} {other.name} of {other.owner}: {_progress_words(run, known.get(other.id))}"
    if len(unfinished) > _MOST:
        yield f"and for {len(unfinished) - _MOST} more"


def _progress_words(run: Run, run_job: RunJob | None) -> str:
    """Describe the progress of a predecessor: running (with its latest end), pending, held; None means not let in."""
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
    is_suspended = {*"sST"} & {*run.states_after_run.task_state(run_job.id, number, task.granted, task.state)}
    runtime = None if is_suspended else run_job.job.runtime_of(number)
    return _latest_end(task.started, runtime, wallclock_limit_of(run_job, number, run.resources))


def end_of_start(run: Run, start: StartOrder) -> tuple[int, str] | None:
    """Return the latest end of a task that the run has just started, and its source."""
    return _latest_end(run.now, start.run_job.job.runtime_of(start.task), wallclock_limit(start, run.resources))


def _latest_end(started: float, runtime: int | None, limit: float) -> tuple[int, str] | None:
    ends = [(int(started) + runtime, "its run time")] if runtime is not None else []
    if limit < INFINITE:
        ends.append((int(started + limit), "h_rt"))
    return min(ends, default=None)


_SMALL = 0.2
_DAY = 86_400


def candidates_for_task(run: Run, run_job: RunJob, task: int) -> Iterator[CandidateChange]:
    """Yield changes for obstacles of the task itself; none if it takes part and no limit on jobs excludes it."""
    place = place_of_task(run_job, task)
    if place is None:
        if run_job.excluded_at is not None:
            yield _more_jobs(run)
        elif run_job.job.category_ar is not None:
            yield _into_category(run_job)
    elif place is TaskList.ERROR:
        yield _error_cleared(run_job, task)
    elif place is TaskList.OVER_TASK_LIMIT:
        yield _more_tasks(run, run_job, task)
    else:
        if place is TaskList.HOLD:
            yield _released(run_job, task)
        if run_job.waits:
            yield _without_dependency(run_job, "hold_jid")
        if starts_later(run, run_job):
            yield _start_now(run_job, run.now)


def _released(run_job: RunJob, task: int) -> CandidateChange:
    if not run_job.job.own_holds(task):
        return _without_dependency(run_job, "hold_jid_ad")
    number, sentence = run_job.id, f"release the hold of job {run_job.id}"
    request, known = run_job.job.request, run_job.job.tasks.get(task)
    # If the state does not show which holds a task has, all are released.
    holds = (known.hold if known is not None else "") or request.hold or HOLD_LETTERS
    if known is None:
        return alteration("hold", Impact.JOB, _SMALL, number, f"-h {holds.upper()}", sentence, holds, "")
    change = Change(sentence, JOB, str(number), "state", known.state, known.state.replace("h", ""))
    command = Qrls((_target(run_job, task),), holds)
    return CandidateChange("hold", Impact.JOB, _SMALL, lambda w, _: w.after_command(change, command))


def _without_dependency(run_job: RunJob, option: str) -> CandidateChange:
    named = ",".join(getattr(run_job.job.request, option))
    sentence = f"do not let job {run_job.id} wait for {named}"
    return alteration(option, Impact.JOB, _SMALL, run_job.id, f"-{option} 0", sentence, named, "")


def _start_now(run_job: RunJob, now: int) -> CandidateChange:
    number, before = run_job.id, str(run_job.job.request.start_time)
    # The time one day ago has passed in every time zone.
    after = format_qsub_date(now - _DAY)
    return alteration("-a", Impact.JOB, _SMALL, number, f"-a {after}", f"let job {number} start at once", before, after)


def _target(run_job: RunJob, task: int) -> Target:
    return Target(run_job.id, (task,) if run_job.job.request.array is not None else None)


def _error_cleared(run_job: RunJob, task: int) -> CandidateChange:
    number, before = run_job.id, run_job.job.tasks[task].state
    change = Change(f"clear the error of job {number}", JOB, str(number), "state", before, before.replace("E", ""))
    command = QmodJobs((_target(run_job, task),), JobCommand.CLEAR_ERROR)
    return CandidateChange("error", Impact.JOB, _SMALL, lambda w, _: w.after_command(change, command))


def _more_tasks(run: Run, run_job: RunJob, task: int) -> CandidateChange:
    number = run_job.id
    # Tasks of the job with lower numbers come first.
    least = run_job.split.others[TaskList.OVER_TASK_LIMIT].index(task) + 1
    own, overall = run_job.job.request.max_running_tasks, run.compiled.max_aj_instances
    if own and (own < overall or not overall):

        def raised(edited: EditedCluster, steps: int) -> EditedCluster:
            sentence, after = f"let job {number} run {own + steps} tasks at a time", str(own + steps)
            return edits.job_request(edited, number, f"-tc {after}", sentence, "-tc", str(own), after)

        most = max(1, min(MOST_STEPS, len(run_job.job.task_ids) - own))
        return CandidateChange("-tc", Impact.JOB, _SMALL, raised, max(most, least), least)
    return CandidateChange(
        "max_aj_instances",
        Impact.CLUSTER,
        _SMALL,
        lambda w, n: _raised(w, "max_aj_instances", overall, n),
        max(MOST_STEPS, least),
        least,
    )


def _into_category(run_job: RunJob) -> CandidateChange:
    number, name = run_job.id, run_job.job.name
    sentence = f"put job {number} into its own category: alter it in any way, for instance with its own name"
    return alteration("category", Impact.JOB, _SMALL, number, f"-N {quote(name)}", sentence, name, name)


def _more_jobs(run: Run) -> CandidateChange:
    limit = run.compiled.policy.maxujobs
    return CandidateChange(
        "maxujobs", Impact.CLUSTER, _SMALL, lambda w, n: _raised(w, "maxujobs", limit, n), MOST_STEPS
    )


def _raised(edited: EditedCluster, field: str, limit: int, steps: int) -> EditedCluster:
    obj = edited.cluster.single(Kind.SCHEDULER) if field == "maxujobs" else global_configuration(edited.cluster)
    return edits.object_field(edited, obj, field, str(limit + steps), f"raise {field} from {limit} to {limit + steps}")
