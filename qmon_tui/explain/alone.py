"""The state with one job alone, on an empty cluster that reports loads as good as can be."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from qmon_tui.explain.level_fit import LASTING
from qmon_tui.model import Cluster, Job, Kind, State
from qmon_tui.qmaster import Run
from qmon_tui.scheduler import RunUntil
from qmon_tui.scheduler.configuration import GLOBAL

_IDLE, _PLENTY, _PLENTY_OF_MEMORY = "-1000", "1000000", "1000T"
_LESS_IS_BETTER, _MORE_IS_BETTER = (">=", ">"), ("<=", "<")


def alone(run: Run, job: Job, *, is_open: bool, keeps_running: bool = False, keeps_loads: bool = False) -> State:
    """A state with a job of a single task and nothing reserved; nothing keeps the job itself from taking part.

    With `is_open` nobody has disabled or suspended a queue instance, and hosts that are silent report. Unless they are
    kept, nothing runs, and loads keep nothing out.
    """
    state = replace(run.state, reservations=())
    if not keeps_loads:
        loads = {host: _at_best(run, values) for host, values in run.state.loads.items()}
        if is_open:
            loads |= _of_silent_hosts(run, loads)
        state = replace(state, loads=MappingProxyType(loads))
    running = [_only_running(other) for other in run.state.jobs if other.id != job.id] if keeps_running else ()
    jobs = (*(other for other in running if other.tasks), _released(job))
    state = replace(state, jobs=tuple(sorted(jobs, key=lambda other: other.id)))
    return replace(state, queue_states=MappingProxyType({})) if is_open else state


def starts_alone(run: Run, job: Job, *, is_open: bool) -> bool:
    """True if a job starts without the others that wait: on the empty cluster, or beside what runs.

    8.1.9 finds some places for parallel jobs only beside other jobs, and some only by the loads that are reported.
    """
    cluster = opened(run) if is_open else run.compiled.cluster
    beside = ((True, True), (True, False)) if job.request.pe is not None else ()
    for keeps_running, keeps_loads in ((False, False), (False, True), *beside):
        state = alone(run, job, is_open=is_open, keeps_running=keeps_running, keeps_loads=keeps_loads)
        if run.again(cluster, state, RunUntil(job.id, 1)).starts_of(job.id):
            return True
    return False


def opened(run: Run) -> Cluster:
    """Return the cluster without the calendars of queues of which one closes an instance now."""
    cluster, instances = run.compiled.cluster, run.resources.instances
    closed = {
        instances[number].queue
        for number, letters in enumerate(run.availability.states)
        if letters and run.availability.is_closed_by_calendar(number)
    }
    queues = (cluster.objects(Kind.QUEUE)[name].with_value("calendar", "NONE") for name in sorted(closed))
    return cluster.with_objects(tuple(queues)) if closed else cluster


def _released(job: Job) -> Job:
    """The other tasks of an array would come before, and take what it needs."""
    request = replace(job.request, array=None, hold="", hold_jid=(), hold_jid_ad=(), start_time=None)
    return replace(job, request=request, tasks=MappingProxyType({}))


def _only_running(job: Job) -> Job:
    """A job of which no further task starts."""
    tasks = {number: task for number, task in job.tasks.items() if task.granted}
    return replace(job, request=replace(job.request, hold="u"), tasks=MappingProxyType(tasks))


def _of_silent_hosts(run: Run, loads: Mapping[str, Mapping[str, str]]) -> Mapping[str, Mapping[str, str]]:
    """Return the loads of hosts that lack what the thresholds of their queue instances compare, as good as can be.

    A threshold without a load value closes its queue instance as one that is crossed does.
    """
    best: dict[str, dict[str, str]] = {}
    for instance in run.resources.instances:
        thresholds = (*instance.profile.load_thresholds, *instance.profile.suspend_thresholds)
        for name, _ in thresholds:
            attribute = run.compiled.attributes.find(name)
            known = best.get(instance.host) or loads.get(instance.host) or {}
            everywhere = loads.get(GLOBAL) or {}
            if attribute is None or attribute.is_consumable or name in known or name in everywhere:
                continue
            if name not in instance.profile.configured:
                best[instance.host] = {**known, **_at_best(run, {name: "0"})}
    return best


def _at_best(run: Run, loads: Mapping[str, str]) -> Mapping[str, str]:
    """The load values of a host, those that change such as no job could want them better."""
    best = dict(loads)
    for name in loads:
        attribute = run.compiled.attributes.by_name.get(name)
        if attribute is None or name in LASTING or not attribute.numeric:
            continue
        if attribute.relop in _LESS_IS_BETTER:
            best[name] = _IDLE
        elif attribute.relop in _MORE_IS_BETTER:
            best[name] = _PLENTY_OF_MEMORY if attribute.type == "MEMORY" else _PLENTY
    return best
