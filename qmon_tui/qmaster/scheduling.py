"""Scheduling runs as the qmaster makes them: jobs are admitted before, orders carried out or denied afterwards."""

from dataclasses import fields

from qmon_tui.gc_pause import gc_paused
from qmon_tui.model import Cluster, Job, Outcome, State, existing_at
from qmon_tui.qmaster.outcome_builder import build_outcome
from qmon_tui.qmaster.run import Run, Simulate
from qmon_tui.qmaster.run_jobs import collect_run_jobs
from qmon_tui.qmaster.start_order_check import refuse_starts
from qmon_tui.qmaster.states_after_run import states_after_run
from qmon_tui.qmaster.suspended_numbers import SuspendedNumbers
from qmon_tui.scheduler import RunUntil, SchedulerSession, SchedulingRun, session_of
from qmon_tui.scheduler.dispatch import remove_immediate
from qmon_tui.scheduler.priority import GRID_ENGINE, Formulas


def schedule(
    cluster: Cluster, state: State, *, at: int | None = None, formulas: Formulas = GRID_ENGINE, fast: bool = True
) -> Outcome:
    """Make one scheduling run, by default at the time of the state (seconds since the epoch); return its outcome."""
    with gc_paused():
        return build_outcome(simulate(cluster, state, at=at, formulas=formulas, fast=fast))


def simulate(
    cluster: Cluster,
    state: State,
    *,
    at: int | None = None,
    formulas: Formulas = GRID_ENGINE,
    until: RunUntil | None = None,
    fast: bool = True,
) -> Run:
    """Make a run. Formulas other than the default are not Grid Engine's.

    With `until` it ends early; without `fast` plain rules are applied, see `SchedulerSession`.
    """
    session = session_of(cluster) if fast else SchedulerSession(cluster, fast=False)
    now = state.now if at is None else at
    state = existing_at(state, now)
    run_jobs = collect_run_jobs(session, session.compiled(state), state, now)
    decided = session.run(state, run_jobs.jobs, now, formulas, until)
    return carried_out(session, decided, run_jobs.rejected, simulate)


def carried_out(
    session: SchedulerSession, decided: SchedulingRun, rejected: list[tuple[Job, str]], made_by: Simulate
) -> Run:
    """Carry out or deny the scheduler's orders; `rejected` are the jobs refused before."""
    starts, resources, state = decided.dispatch.starts, decided.resources, decided.state
    refuse_starts(starts, resources, decided.availability, decided.quota_usage)
    removed = remove_immediate(decided.pending, starts, resources)
    return Run(
        **{part.name: getattr(decided, part.name) for part in fields(decided)},
        rejected=rejected + removed,
        simulate=made_by,
        states_after_run=states_after_run(
            decided.compiled,
            decided.states,
            resources,
            decided.jobs,
            starts,
            decided.threshold_suspensions,
            decided.now,
            state.queue_states,
        ),
        suspended_numbers=SuspendedNumbers(session, state, decided.now, decided.formula.formulas),
    )
