"""The cluster before a run: queue instances, quotas, and the jobs that fit nowhere even when it is empty.

A run begins with exactly these bookings (dispatch.md#steps-of-a-run).
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from qmon_tui.model import InstanceOutcome, QuotaUse
from qmon_tui.qmaster.instance_outcome import instance_outcome
from qmon_tui.qmaster.verification import EmptyCluster
from qmon_tui.scheduler.dispatch import InitialState
from qmon_tui.scheduler.quotas import QuotaUses

if TYPE_CHECKING:
    from qmon_tui.qmaster.run import Run


class BeforeRun:
    """Bookings before a run, made when they are first read."""

    def __init__(self, run: "Run") -> None:
        self._run = run

    @cached_property
    def _initial_state(self) -> InitialState:
        run = self._run
        return InitialState.before_dispatch(
            run.compiled, run.state, run.states, run.jobs, run.now, run.formula.formulas, fast=run.resources.fast
        )

    def instances(self) -> Sequence[InstanceOutcome]:
        """Return the queue instances before the run, by instance number."""
        run = self._run
        states = run.states_after_run.without_run(run.states)
        before = replace(run, resources=self._initial_state.resources, states_after_run=states)
        return [instance_outcome(before, number) for number in range(len(before.resources.instances))]

    def quotas(self) -> Sequence[QuotaUse]:
        """Return the lines of `qquota -u '*'` before the run; empty without quotas."""
        usage = self._initial_state.quota_usage
        return QuotaUses(usage.qmaster_usage) if usage is not None else ()


def impossible_jobs(run: "Run") -> frozenset[int]:
    """Return the numbers of the jobs that still wait after a run and fit nowhere on the empty cluster."""
    waiting = [run_job for run_job in run.pending if run_job.remaining and not run_job.not_simulated]
    if not waiting:
        return frozenset()
    empty, fits = EmptyCluster(run.compiled, run.state), dict[int, bool]()
    for run_job in waiting:
        if (category := id(run_job.category)) not in fits:
            fits[category] = empty.fits(run_job.job)
    return frozenset(run_job.id for run_job in waiting if not fits[id(run_job.category)])
