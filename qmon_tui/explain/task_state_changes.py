"""Candidate changes for a task that takes no part: held, in error, waiting, over a limit, in a wrong category."""

from collections.abc import Iterator
from shlex import quote

from qmon_tui.explain import edits
from qmon_tui.explain.edits import JOB, MOST_STEPS, CandidateChange, EditedCluster, Impact, alteration
from qmon_tui.explain.explanation import Change
from qmon_tui.explain.reason_groups import place_of_task, starts_later
from qmon_tui.model import HOLD_LETTERS, Kind
from qmon_tui.qmaster import JobCommand, QmodJobs, Qrls, Run, Target
from qmon_tui.scheduler.configuration import global_configuration
from qmon_tui.scheduler.jobs import RunJob, TaskList
from qmon_tui.values import format_qsub_date

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
        yield _cleared(run_job, task)
    elif place is TaskList.OVER_TASK_LIMIT:
        yield _more_tasks(run, run_job, task)
    else:
        if place is TaskList.HOLD:
            yield _released(run_job, task)
        if run_job.waits:
            yield _without_dependency(run_job, "hold_jid")
        if starts_later(run, run_job):
            yield _at_once(run_job, run.now)


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


def _at_once(run_job: RunJob, now: int) -> CandidateChange:
    number, before = run_job.id, str(run_job.job.request.start_time)
    # A day ago has passed in every time zone.
    after = format_qsub_date(now - _DAY)
    return alteration("-a", Impact.JOB, _SMALL, number, f"-a {after}", f"let job {number} start at once", before, after)


def _target(run_job: RunJob, task: int) -> Target:
    return Target(run_job.id, (task,) if run_job.job.request.array is not None else None)


def _cleared(run_job: RunJob, task: int) -> CandidateChange:
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
