"""qsub: a new job submitted by its owner."""

from qmon_tui.formats import parse_qsub
from qmon_tui.model import Cluster, Job, State, renewed
from qmon_tui.qmaster.commands.command import Reply
from qmon_tui.qmaster.commands.hold_jid import with_resolved_hold_jid
from qmon_tui.qmaster.commands.job_numbers import next_job, with_last
from qmon_tui.qmaster.option_texts import unnumbered_objection
from qmon_tui.qmaster.scheduler_events import resent
from qmon_tui.qmaster.submission_check import refusal
from qmon_tui.qmaster.verification import FOUND, warning
from qmon_tui.scheduler.configuration import compile_cluster


def new_job(state: State, owner: str, qsub: str, *, group: str = "staff", number: int | None = None) -> Job:
    """Return a job submitted now, with the next number; invalid parts of the line are left out."""
    parsed = parse_qsub(qsub, now=state.now)
    identifier = number if number is not None else next_job(state)
    return Job(identifier, owner, state.now, parsed.request, parsed.name, group, runtime=parsed.runtime, qsub=qsub)


def submit(cluster: Cluster, state: State, job: Job) -> Reply:
    """Admit a job, or reply with qsub's refusal."""
    return _submitted(cluster, state, job).after_warnings("qsub", job.qsub)


def _submitted(cluster: Cluster, state: State, job: Job) -> Reply:
    problems = parse_qsub(job.qsub, now=job.submitted).problems
    if problems:
        return Reply(state, tuple(f"qsub: {problem}" for problem in problems))
    text = refusal(cluster, state, job)
    if text is not None:
        numbered = state if unnumbered_objection(job) else with_last(state, job=job.id)
        return Reply(numbered, (text if text == FOUND else f"Unable to run job: {text}",))
    warned = warning(compile_cluster(cluster), state, job)
    job = with_resolved_hold_jid(state, job)
    printed = (_welcome(job),) if warned is None else (warned, _welcome(job))
    # If another job was changed in this second, the order must be recorded.
    known = any([other.changed >= job.submitted for other in state.jobs if other.changed is not None])
    submitted = with_last(renewed(state, jobs=(*state.jobs, job)), job=job.id)
    return Reply(resent(submitted, job.id) if known else submitted, printed)


def _welcome(job: Job) -> str:
    array = job.request.array
    if array is None:
        return f'Your job {job.id} ("{job.name}") has been submitted'
    return f'Your job-array {job.id}.{array.first}-{array.last}:{array.step} ("{job.name}") has been submitted'
