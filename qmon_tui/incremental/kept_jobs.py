"""The jobs of a state, kept while the configuration is edited: admitted jobs, their priorities and their order.

The rules are `collect_run_jobs` and the first half of `run_scheduler`. Their result depends on the state, on the
objects that admit jobs and on the scheduler's configuration; no other edit changes it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from qmon_tui.incremental.prepared_jobs import PreparedJobs, can_be_prepared, without_numbers
from qmon_tui.model import Job, Kind, State
from qmon_tui.qmaster import RunJobs, collect_run_jobs
from qmon_tui.scheduler import RunBeforeDispatch, RunUntil, SchedulerSession, SchedulingRun, urgencies_of
from qmon_tui.scheduler.configuration import CompiledCluster, SchedConf
from qmon_tui.scheduler.dispatch import in_list_order
from qmon_tui.scheduler.priority import Formulas
from qmon_tui.scheduler.suspension import queue_states

_MOST = 2
"""Number of states kept at a time: the document's, and the one on which a candidate change is tried."""


@dataclass(slots=True, eq=False)
class _JobsOfState:
    state: State
    now: int
    lets_in: tuple[object, ...]
    """The objects that decide which jobs are admitted, in the order of `KeptJobs.of`."""
    run_jobs: RunJobs | None = None
    """The jobs as admitted; None until the second run on this state, which most states never get."""
    policy: SchedConf | None = None
    """The scheduler's configuration in the last run on this state."""
    prepared: PreparedJobs | None = None
    """The jobs before the first placement; None until a run has kept them."""

    def is_for(self, state: State, now: int, lets_in: Sequence[object]) -> bool:
        return (
            self.state is state
            and self.now == now
            and all(before is after for before, after in zip(self.lets_in, lets_in, strict=True))
        )

    def keep(self, prepared: PreparedJobs) -> None:
        """Keep jobs as they are before the first placement."""
        self.prepared = prepared.anew()


class JobsOfRun(NamedTuple):
    """The jobs that a run begins with."""

    run_jobs: RunJobs
    prepared: PreparedJobs | None = None
    """These jobs with all that is computed before the first placement; None if that must be computed."""
    keep: Callable[[PreparedJobs], None] | None = None
    """Keeps prepared jobs for the next run; None if they are kept already, or would not be used again."""


class KeptJobs:
    """The jobs of the last `_MOST` states on which runs were made."""

    def __init__(self) -> None:
        self._states: list[_JobsOfState] = []

    def of(
        self, session: SchedulerSession, compiled: CompiledCluster, state: State, now: int, formulas: Formulas
    ) -> JobsOfRun:
        """Return the jobs of a run; `compiled` is the configuration of the session with the orphans of the state."""
        objects = compiled.cluster.objects
        lets_in = (session.job_profiles(compiled), objects(Kind.MANAGERS), objects(Kind.OPERATORS))
        kept = next((kept for kept in self._states if kept.is_for(state, now, lets_in)), None)
        if kept is None:
            self._states[:] = (*self._states[1 - _MOST :], _JobsOfState(state, now, lets_in, policy=compiled.policy))
            return JobsOfRun(collect_run_jobs(session, compiled, state, now))
        if kept.run_jobs is None:
            if any(map(_depends_on_places, state.jobs)):
                return JobsOfRun(collect_run_jobs(session, compiled, state, now))
            kept.run_jobs = collect_run_jobs(session, compiled, state, now)
        rejected = kept.run_jobs.rejected
        prepared = kept.prepared
        if prepared is not None and prepared.is_for(compiled, formulas):
            prepared = prepared.anew(shares_others=_leaves_started_alone(compiled))
            return JobsOfRun(RunJobs(prepared.listed, rejected), prepared)
        is_same_policy, kept.policy = kept.policy is compiled.policy, compiled.policy
        keep = kept.keep if is_same_policy and can_be_prepared(compiled) else None
        return JobsOfRun(RunJobs(without_numbers(kept.run_jobs.jobs), rejected), None, keep)


def run_with(
    jobs: JobsOfRun, session: SchedulerSession, state: State, now: int, formulas: Formulas, until: RunUntil | None
) -> SchedulingRun:
    """Return the run of `run_scheduler` on these jobs, without computing known numbers and order again."""
    listed, prepared, keep = jobs.run_jobs.jobs, jobs.prepared, jobs.keep
    if prepared is None and keep is None:
        return session.run(state, listed, now, formulas, until)
    compiled = session.compiled(state)
    if prepared is None:
        urgencies, listed = urgencies_of(compiled, listed, now, formulas), in_list_order(listed, compiled.policy)
    else:
        urgencies = prepared.formula.urgencies
    states = queue_states(compiled, state, now)
    before = RunBeforeDispatch.of(compiled, state, states, listed, now, formulas, fast=True)
    if prepared is not None:
        if prepared.tickets_per_job == before.tickets_per_job and not before.moves_tasks:
            return before.dispatched(prepared.formula, prepared.pending, until)
        prepared.forget_tickets()
    formula, pending = before.prioritised(urgencies)
    if keep is not None and not before.moves_tasks:
        keep(PreparedJobs(listed, pending, formula, before.tickets_per_job))
    return before.dispatched(formula, pending, until)


def _leaves_started_alone(compiled: CompiledCluster) -> bool:
    """True if a run changes nothing of jobs without pending tasks."""
    suspends = any(instance.profile.suspend_thresholds for instance in compiled.instances)
    return not suspends and compiled.policy.max_reservation == 0


def _depends_on_places(job: Job) -> bool:
    """True if the admission of a job, or the suspension of its tasks, may depend on hosts and queue instances."""
    request = job.request
    if request.verify or request.advance_reservation:
        return True
    return bool(job.tasks) and any(task.seen_suspended or "S" in task.state for task in job.tasks.values())
