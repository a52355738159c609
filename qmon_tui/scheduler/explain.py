"""Everything about one task: its priority term by term, its place, why it waits and what would let it run."""

from qmon_tui.model.cluster import Cluster
from qmon_tui.model.state import State
from qmon_tui.scheduler.explaining.changes import changes_for
from qmon_tui.scheduler.explaining.instances import instance_reasons
from qmon_tui.scheduler.explaining.terms import terms_of
from qmon_tui.scheduler.jobs import RunJob, Tickets
from qmon_tui.scheduler.outcome import Explanation, JobOutcome, Outcome, TaskOutcome
from qmon_tui.scheduler.report import build_outcome
from qmon_tui.scheduler.run import Run, simulate


def explain(
    cluster: Cluster, state: State, job_id: int, task: int | None = None, outcome: Outcome | None = None
) -> Explanation:
    """Explain one task, by default the first one that the run has something to decide about.

    `outcome` is a run of the same cluster and state at the time wanted, where one is at hand. Raises LookupError
    where there is no such job or task.
    """
    at = None if outcome is None else outcome.at
    run = simulate(cluster, state, at=at)
    result = build_outcome(run)
    job = result.job(job_id)
    if job is None:
        raise LookupError(f"there is no job {job_id}, or all its tasks are finished")
    if job.rejected is not None:
        return _rejected(job, run)
    run_job = next(one for one in run.jobs if one.id == job_id)
    chosen = _chosen_task(job, run_job, task)
    tickets = run_job.tickets.get(chosen.task) or Tickets()
    takes_part = run_job.split.takes_part and chosen.task in run_job.tickets
    waits = not chosen.granted
    return Explanation(
        job=job_id,
        task=chosen.task,
        state=chosen.state,
        prior=tickets.prior if takes_part else 0.0,
        terms=terms_of(run, run_job, tickets) if takes_part else (),
        rank=run.pending.index(run_job) + 1 if run_job in run.pending else None,
        pending=len(run.pending),
        reasons=(*job.reasons, *result.messages),
        instances=instance_reasons(run, run_job) if waits else (),
        changes=changes_for(run, run_job, chosen.task) if waits else (),
        not_simulated=job.not_simulated,
    )


def _chosen_task(job: JobOutcome, run_job: RunJob, task: int | None) -> TaskOutcome:
    """The task asked for; else the next one to be started, else the first."""
    wanted = task
    if wanted is None and run_job.remaining:
        wanted = run_job.queue[run_job.next_task]
    for one in job.tasks:
        if wanted is None or one.task == wanted:
            return one
    raise LookupError(f"job {job.id} has no task {wanted}, or it is finished")


def _rejected(job: JobOutcome, run: Run) -> Explanation:
    return Explanation(
        job=job.id,
        task=1,
        state="",
        prior=0.0,
        terms=(),
        rank=None,
        pending=len(run.pending),
        reasons=(),
        instances=(),
        changes=(),
        rejected=job.rejected,
    )
