"""Run time limits of started tasks (lifecycle.md#start-of-a-task)."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from types import MappingProxyType

from qmon_tui.model import Cluster, Job, Request
from qmon_tui.scheduler.configuration import QueueProfile, compile_cluster
from qmon_tui.scheduler.jobs import compile_demand
from qmon_tui.scheduler.matching import Resources, StartOrder
from qmon_tui.scheduler.reservation import duration_limit
from qmon_tui.values import INFINITE, INFINITY


def wallclock_limit(start: StartOrder, resources: Resources) -> float:
    """Return the seconds that the job requests, else those that its queue instances allow; infinity without a limit.

    The remaining time of an advance reservation is no limit here; only the execution host gets it.
    """
    profiles = (resources.instances[place].profile for place, _ in start.grants)
    return _seconds(duration_limit(start.run_job.demand, profiles))


def with_wallclock_limits(cluster: Cluster, jobs: Iterable[Job], request: Request | None = None) -> Iterator[Job]:
    """Yield the jobs with a limit for each started task without a recorded one, from the job's request.

    `request`: the request at the start if the job has a different one now; queue limits are the present ones.
    Unchanged jobs are yielded themselves.
    """
    profiles: dict[str, QueueProfile] = {}
    for job in jobs:
        missing = [
            number
            for number, task in job.tasks.items()
            if task.granted and "q" not in task.state and task.wallclock_limit is None
        ]
        if not missing:
            yield job
            continue
        compiled = compile_cluster(cluster)
        profiles = profiles or {instance.name: instance.profile for instance in compiled.instances}
        demand = compile_demand(request or job.request, compiled.attributes)
        tasks = dict(job.tasks)
        for number in missing:
            task = tasks[number]
            limit = duration_limit(demand, (profiles[name] for name in task.granted if name in profiles))
            tasks[number] = replace(task, wallclock_limit=_seconds(limit))
        yield replace(job, tasks=MappingProxyType(tasks))


def _seconds(limit: int) -> float:
    return INFINITY if limit == INFINITE else float(limit)
