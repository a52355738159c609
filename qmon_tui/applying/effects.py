"""Effects of a plan on running tasks and on the starts of pending ones."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from qmon_tui.applying.plan import Plan
from qmon_tui.model import Cluster, ConfigObject, Kind, Outcome, State, instances_of, overrides_of, queue_instances
from qmon_tui.qmaster import schedule
from qmon_tui.simulation import DayAhead, Settings, Simulator, look_ahead, with_run_times
from qmon_tui.workspace import JobKey, changes_of_schedule

SECONDS_OF_WORK = 1.5
"""Computing time for each of the two simulated days, with and without the plan."""


@dataclass(frozen=True, slots=True)
class Effects:
    """Effects of a plan on the tasks of the cluster; a task is (job number, task number)."""

    instances: tuple[str, ...] = ()
    """Queue instances of queues, hosts, hostgroups and calendars that the plan changes, adds or removes."""
    running: tuple[JobKey, ...] = ()
    """Tasks that run in these instances."""
    users: tuple[str, ...] = ()
    """Owners of these tasks."""
    slots: tuple[int, int] = (0, 0)
    """Slots of all queue instances of the cluster, before and after the plan."""
    quotas: tuple[str, ...] = ()
    """Resource quota sets that the plan changes."""
    starts: tuple[JobKey, ...] = ()
    """Tasks that the next run starts only with the plan."""
    waits: tuple[JobKey, ...] = ()
    """Tasks that the next run starts only without the plan."""
    elsewhere: tuple[JobKey, ...] = ()
    """Tasks that the next run starts on other queue instances with the plan than without it."""
    earlier: Mapping[JobKey, int] = field(default_factory=dict)
    """Task -> seconds by which it starts earlier with the plan, if both starts are until `reached`."""
    later: Mapping[JobKey, int] = field(default_factory=dict)
    """Task -> seconds by which it starts later, likewise."""
    at_all: tuple[JobKey, ...] = ()
    """Tasks that start until `reached` only with the plan."""
    never: tuple[JobKey, ...] = ()
    """Tasks that start until `reached` only without the plan."""
    reached: int = 0
    """End of the simulated time, seconds since the epoch."""


def effects_of(plan: Plan, before: Cluster, state: State) -> Effects:
    """Return the effects of a plan on a running cluster with the jobs of `state`."""
    after = plan.result(before)
    instances = tuple(dict.fromkeys((*_instances(plan, before), *_instances(plan, after))))
    running = [
        (job.id, number, job.owner)
        for job in state.jobs
        for number, task in job.tasks.items()
        if not set(task.granted).isdisjoint(instances)
    ]
    old, new = (schedule(cluster, state) for cluster in (before, after))
    moves = changes_of_schedule(old, new)
    effects = Effects(
        instances,
        tuple((job, task) for job, task, _ in running),
        tuple(dict.fromkeys(owner for _, _, owner in running)),
        (_slots(old), _slots(new)),
        tuple(name for kind, name in plan.keys if kind is Kind.QUOTA),
        tuple(key for key, move in moves.items() if move.starts),
        tuple(key for key, move in moves.items() if move.no_longer_starts),
        tuple(key for key, move in moves.items() if move.elsewhere),
    )
    return _with_times(effects, *(_ahead(cluster, state) for cluster in (before, after)))


def _ahead(cluster: Cluster, state: State) -> DayAhead:
    timed, _ = with_run_times(state)
    return look_ahead(Simulator(cluster, timed, Settings.of(cluster, timed)), SECONDS_OF_WORK)


def _with_times(effects: Effects, before: DayAhead, after: DayAhead) -> Effects:
    broken_off = [day.reached for day in (before, after) if not day.is_whole]
    reached = min(broken_off) if broken_off else max(before.reached, after.reached)
    earlier: dict[JobKey, int] = {}
    later: dict[JobKey, int] = {}
    never: list[JobKey] = []
    for key, task in before.tasks.items():
        if task.start is None or task.start > reached or key not in after.tasks:
            continue
        start = after.tasks[key].start
        if start is None or start > reached:
            never.append(key)
        elif start != task.start:
            (earlier if start < task.start else later)[key] = abs(start - task.start)
    at_all = tuple(
        key
        for key, task in after.tasks.items()
        if task.start is not None and task.start <= reached and key in before.tasks and before.tasks[key].start is None
    )
    return replace(effects, earlier=earlier, later=later, never=tuple(never), at_all=at_all, reached=reached)


def _instances(plan: Plan, cluster: Cluster) -> Iterable[str]:
    calendars = {name for kind, name in plan.keys if kind is Kind.CALENDAR}
    by_calendar = [queue.name for queue in cluster.objects(Kind.QUEUE).values() if calendars & _calendars(queue)]
    if by_calendar:
        yield from instances_of(cluster, Kind.QUEUE, by_calendar)
    for kind in (Kind.QUEUE, Kind.HOST, Kind.HOSTGROUP):
        names = [name for known, name in plan.keys if known is kind and cluster.get(kind, name) is not None]
        if (kind, "global") in plan.keys and kind is Kind.HOST:
            yield from (f"{queue}@{host}" for queue, host in queue_instances(cluster))
        elif names:
            yield from instances_of(cluster, kind, names)


def _calendars(queue: ConfigObject) -> set[str | None]:
    """Return the calendars that a queue names, for all or some of its hosts."""
    settings = overrides_of(queue.text("calendar"))
    return {settings.default, *(value for _, value in settings.keyed)}


def _slots(outcome: Outcome) -> int:
    return sum(instance.total for instance in outcome.queue_instances)
