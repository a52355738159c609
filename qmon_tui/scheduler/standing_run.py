"""A finished run under another configuration with which it decides the same: nothing is booked or placed again."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from qmon_tui.scheduler.configuration import CompiledCluster
from qmon_tui.scheduler.dispatch import InitialState, prepare_dispatch
from qmon_tui.scheduler.matching import with_other_totals
from qmon_tui.scheduler.same_decisions import OtherTotal, decides_the_same, free_slots_with
from qmon_tui.scheduler.scheduling_run import SchedulingRun

Run = TypeVar("Run", bound=SchedulingRun)


def standing_run(run: Run, compiled: CompiledCluster, others: Sequence[OtherTotal]) -> Run | None:
    """The run as it would have been with other totals; None where that is not certain. All else must be the same."""
    if not decides_the_same(run, others):
        return None
    hosts = {other.number: replace(other.level, configured=other.configured) for other in others if other.is_host}
    queues = {
        other.number: replace(other.level, configured=other.configured, fields=compiled.instances[other.number].fields)
        for other in others
        if not other.is_host
    }
    resources = with_other_totals(run.resources, compiled, hosts, queues)
    availability = run.availability.on(resources)
    initial_state = InitialState(
        resources, resources.adjustments, run.thresholds, availability, run.quota_usage, started=()
    )
    dispatch = prepare_dispatch(initial_state, run.state, run.jobs, run.pending, run.formula, run.now)
    dispatch.take_over(run.dispatch)
    return replace(
        run,
        compiled=compiled,
        resources=resources,
        availability=availability,
        search=dispatch.search,
        dispatch=dispatch,
        free_slots=free_slots_with(run, others),
    )
