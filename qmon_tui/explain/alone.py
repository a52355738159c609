"""The state with one job alone, on an empty cluster with the best possible load values."""

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
    """Return the run's state with `job` as a single task without holds, no other pending jobs and no reservations.

    With `is_open` no queue instance is disabled or suspended by hand, and silent hosts report load values. No jobs run
    unless `keeps_running`; load values are the best possible unless `keeps_loads`.
    """
    state = replace(run.state, reservations=())
    if not keeps_loads:
        loads = {host: _at_best(run, values) for host, values in run.state.loads.items()}
        if is_open:
            loads |= _loads_of_silent_hosts(run, loads)
        state = replace(state, loads=MappingProxyType(loads))
    running = [_only_running(other) for other in run.state.jobs if other.id != job.id] if keeps_running else ()
    jobs = (*(other for other in running if other.tasks), _released(job))
    state = replace(state, jobs=tuple(sorted(jobs, key=lambda other: other.id)))
    return replace(state, queue_states=MappingProxyType({})) if is_open else state


def starts_alone(run: Run, job: Job, *, is_open: bool) -> bool:
    """True if a job starts without other pending jobs: on the empty cluster, or beside the running jobs.

    8.1.9 finds some places for parallel jobs only beside other jobs, and some only with the reported load values.
    """
    cluster = opened(run) if is_open else run.compiled.cluster
    beside_running = ((True, True), (True, False)) if job.request.pe is not None else ()
    for keeps_running, keeps_loads in ((False, False), (False, True), *beside_running):
        state = alone(run, job, is_open=is_open, keeps_running=keeps_running, keeps_loads=keeps_loads)
        if run.again(cluster, state, RunUntil(job.id, 1)).starts_of(job.id):
            return True
    return False


def opened(run: Run) -> Cluster:
    """Return the cluster in which queues whose calendar closes an instance now have no calendar."""
    cluster, instances = run.compiled.cluster, run.resources.instances
    closed = {
        instances[number].queue
        for number, letters in enumerate(run.availability.states)
        if letters and run.availability.is_closed_by_calendar(number)
    }
    queues = (cluster.objects(Kind.QUEUE)[name].with_value("calendar", "NONE") for name in sorted(closed))
    return cluster.with_objects(tuple(queues)) if closed else cluster


def _released(job: Job) -> Job:
    """Return the job as a single, free task: other tasks of an array would come first and take its resources."""
    request = replace(job.request, array=None, hold="", hold_jid=(), hold_jid_ad=(), start_time=None)
    return replace(job, request=request, tasks=MappingProxyType({}))


def _only_running(job: Job) -> Job:
    """Return the job limited to its started tasks."""
    tasks = {number: task for number, task in job.tasks.items() if task.granted}
    return replace(job, request=replace(job.request, hold="u"), tasks=MappingProxyType(tasks))


def _loads_of_silent_hosts(run: Run, loads: Mapping[str, Mapping[str, str]]) -> Mapping[str, Mapping[str, str]]:
    """Return best load values for hosts that do not report an attribute of their queues' thresholds.

    A threshold without a load value closes its queue instance as a crossed one does.
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
    """Return the load values of a host with variable ones replaced by the best for any job."""
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
