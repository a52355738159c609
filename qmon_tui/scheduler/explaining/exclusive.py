"""Ways out where something is in exclusive use: the place no longer has it, or the job that has it to itself ends."""

from collections.abc import Iterable, Iterator

from qmon_tui.scheduler.compiled.attributes import Attribute
from qmon_tui.scheduler.explaining import edits
from qmon_tui.scheduler.explaining.amounts import complex_values
from qmon_tui.scheduler.explaining.lacks import Lack
from qmon_tui.scheduler.explaining.obstacles import Obstacles
from qmon_tui.scheduler.explaining.remedy import Reach, Remedy
from qmon_tui.scheduler.explanation import Why
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.placement.sequential import GLOBAL_SCOPE, HOST_SCOPE

_MOST_USERS = 3
"""Jobs that have to end together are no small change."""


def remedies_for_exclusive(found: Obstacles, lack: Lack) -> Iterator[Remedy]:
    """For a request, or a default request, of what somebody has to himself, or what others use."""
    attribute = lack.attribute or found.run.compiled.attributes.by_name.get(lack.obstacle.attribute or "")
    if attribute is None or not attribute.exclusive or lack.obstacle.why is not Why.BUSY or lack.level is None:
        return
    asked = _asks(found.run_job, attribute)
    if not asked:
        yield _taken_away(found, lack, attribute)
    users = [one for one in found.run.jobs if (asked or _asks(one, attribute)) and _is_there(found, lack, one)]
    numbers = [one.id for one in users]
    # Its own tasks that run do not end for one that waits.
    if 0 < len(users) <= _MOST_USERS and found.run_job.id not in numbers:
        yield Remedy(f"qdel {numbers}", Reach.OTHERS, float(len(numbers)), lambda w, _: edits.without_jobs(w, numbers))


def _taken_away(found: Obstacles, lack: Lack, attribute: Attribute) -> Remedy:
    kind = f"no {attribute.name} {lack.obstacle.scope}"
    if lack.obstacle.scope in (GLOBAL_SCOPE, HOST_SCOPE):
        reach = Reach.CLUSTER if lack.obstacle.scope == GLOBAL_SCOPE else Reach.PLACE
        return Remedy(kind, reach, 1.0, lambda w, _: edits.host_without(w, lack.place, attribute))
    instance = found.run.resources.instances[lack.number]
    values = complex_values(found, lack.number)
    return Remedy(
        kind, Reach.PLACE, 1.0, lambda w, _: edits.queue_without(w, instance.queue, instance.host, values, attribute)
    )


def _asks(run_job: RunJob, attribute: Attribute) -> bool:
    return any(one.attribute is attribute for one in run_job.demand.hard)


def _is_there(found: Obstacles, lack: Lack, run_job: RunJob) -> bool:
    """Tell whether a job has started tasks where the lack is."""
    resources, job, split = found.run.resources, run_job.job, run_job.split
    numbers: Iterable[int] = (lack.number,)
    if lack.obstacle.scope == GLOBAL_SCOPE:
        numbers = range(len(resources.instances))
    elif lack.obstacle.scope == HOST_SCOPE:
        numbers = resources.instances_of[resources.host_of[lack.number]]
    names = {resources.instances[number].name for number in numbers}
    return any(names & job.tasks[task].granted.keys() for task in (*split.running, *split.suspended))
