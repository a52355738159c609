"""The time limits of what runs: those with which it was started, whatever its job asks for since (dispatch.md 9.1)."""

from dataclasses import replace
from types import MappingProxyType

from qmon_tui.model.cluster import Cluster
from qmon_tui.model.state import Job
from qmon_tui.scheduler.compiled.cluster import compile_cluster
from qmon_tui.scheduler.requests import compile_demand
from qmon_tui.scheduler.timeline.durations import limit_of
from qmon_tui.values.number import INFINITY
from qmon_tui.values.times import INFINITE


def with_kept_limits(cluster: Cluster, before: Job, after: Job) -> Job:
    """The altered job whose running tasks keep the limits that they have by what it asked for before."""
    if before.request.hard == after.request.hard:
        return after
    compiled = compile_cluster(cluster)
    demand = compile_demand(before.request, compiled.attributes)
    profiles = {instance.name: instance.profile for instance in compiled.instances}
    tasks = dict(after.tasks)
    for number, task in after.tasks.items():
        if task.granted and "q" not in task.state and task.wallclock_limit is None:
            limit = limit_of(demand, (profiles[name] for name in task.granted if name in profiles))
            tasks[number] = replace(task, wallclock_limit=INFINITY if limit == INFINITE else limit)
    return replace(after, tasks=MappingProxyType(tasks))
