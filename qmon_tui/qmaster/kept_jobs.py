"""The jobs of a state, kept while the configuration is edited: who is let in, their numbers and their order.

The rules are `collect_run_jobs` and the first half of `run_scheduler`. What they say of a state depends on what lets
jobs in, and on the scheduler's configuration; an edit of anything else leaves it as it was.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from qmon_tui.model import Job, Kind, State
from qmon_tui.qmaster.run_jobs import RunJobs, collect_run_jobs
from qmon_tui.scheduler import PreparedJobs, SchedulerSession, can_be_prepared, without_numbers
from qmon_tui.scheduler.configuration import CompiledCluster, SchedConf
from qmon_tui.scheduler.priority import Formulas

_MOST = 2
"""For so many states at a time, as changes are tried out on states of their own."""


@dataclass(slots=True, eq=False)
class _KeptJobs:
    state: State
    now: int
    lets_in: tuple[object, ...]
    """What they are let in by."""
    run_jobs: RunJobs | None = None
    """None as long as there has been one run only: most states are never looked at again."""
    policy: SchedConf | None = None
    """The scheduler's configuration in the latest of these runs."""
    prepared: PreparedJobs | None = None

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
    """What a run is given."""

    run_jobs: RunJobs
    prepared: PreparedJobs | None = None
    """The same jobs, where all is known that is worked out before the first placement."""
    keep: Callable[[PreparedJobs], None] | None = None
    """Keeps them for the next run; None where that is not worth while, or they are kept already."""


def jobs_of_run(
    session: SchedulerSession, compiled: CompiledCluster, state: State, now: int, formulas: Formulas
) -> JobsOfRun:
    """The jobs of a state as a run finds them; `compiled` is the configuration of the session as the state sees it."""
    if not session.fast:
        return JobsOfRun(collect_run_jobs(session, compiled, state, now))
    objects = compiled.cluster.objects
    lets_in = (session.job_profiles(compiled), objects(Kind.MANAGERS), objects(Kind.OPERATORS))
    kept = next((kept for kept in _latest if kept.is_for(state, now, lets_in)), None)
    if kept is None:
        _latest[:] = (*_latest[1 - _MOST :], _KeptJobs(state, now, lets_in, policy=compiled.policy))
        return JobsOfRun(collect_run_jobs(session, compiled, state, now))
    if kept.run_jobs is None:
        if any(map(_looks_at_places, state.jobs)):
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


_latest: list[_KeptJobs] = []


def _leaves_started_alone(compiled: CompiledCluster) -> bool:
    """True if a run changes nothing of jobs without pending tasks."""
    suspends = any(instance.profile.suspend_thresholds for instance in compiled.instances)
    return not suspends and compiled.policy.max_reservation == 0


def _looks_at_places(job: Job) -> bool:
    """True if it may depend on hosts and queue instances if a job is let in, or which of its tasks stand still."""
    request = job.request
    if request.verify or request.advance_reservation:
        return True
    return bool(job.tasks) and any(task.seen_suspended or "S" in task.state for task in job.tasks.values())
