"""A finished run, reused for a configuration under which it decides the same: nothing is booked or placed again."""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace

from qmon_tui.incremental.same_decisions import GLOBAL_NUMBER, OtherTotal, decides_the_same, free_slots_with
from qmon_tui.qmaster import Run
from qmon_tui.scheduler.configuration import CompiledCluster
from qmon_tui.scheduler.dispatch import InitialState, prepare_dispatch
from qmon_tui.scheduler.matching import Level, Resources


def reused_run(run: Run, compiled: CompiledCluster, others: Sequence[OtherTotal]) -> Run | None:
    """Return the run with the totals of `others`, all else being equal; None if its decisions might differ."""
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


def with_other_totals(
    resources: Resources, compiled: CompiledCluster, hosts: Mapping[int, Level], queues: Mapping[int, Level]
) -> Resources:
    """Return the same bookings under another configuration, with the given levels replaced."""
    other = copy(resources)
    other.compiled, other.instances = compiled, compiled.instances
    other.global_level = hosts.get(GLOBAL_NUMBER, resources.global_level)
    other.hosts = [hosts.get(number, level) for number, level in enumerate(resources.hosts)]
    other.queues = [queues.get(number, level) for number, level in enumerate(resources.queues)]
    other.totals = [instance.profile.slots for instance in compiled.instances]
    names = {level.name for level in hosts.values()} & resources.uncorrected.keys()
    other.uncorrected = {**resources.uncorrected, **{name: compiled.hosts[name].configured for name in names}}
    return other
