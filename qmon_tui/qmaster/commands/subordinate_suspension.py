"""Subordination before and after a command."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain
from types import MappingProxyType
from typing import Final

from qmon_tui.model import Cluster, Job, Kind, State, Task, effective_value
from qmon_tui.qmaster.commands.tasks import letters, resumed, with_tasks
from qmon_tui.qmaster.scheduler_events import with_job
from qmon_tui.scheduler.configuration import CompiledCluster, Subordination, compile_cluster
from qmon_tui.scheduler.jobs import TaskList, task_list_of
from qmon_tui.scheduler.suspension import SUBORDINATED, SlotwisePreemption, enter_task, queue_states, subordinated

_STOPPED_BY_OTHERS: Final = frozenset("sC")


def has_subordinates(cluster: Cluster) -> bool:
    """True if any queue has subordinates."""
    return compile_cluster(cluster).subordination is not None


def suspended_by_others(cluster: Cluster, state: State) -> frozenset[str]:
    """Return the queue instances suspended by subordination."""
    compiled = compile_cluster(cluster)
    if compiled.subordination is None:
        return frozenset()
    named = zip(compiled.instances, queue_states(compiled, state, state.now), strict=True)
    return frozenset(instance.name for instance, shown in named if SUBORDINATED in shown)


def suspended_after_end(cluster: Cluster, state: State, job: Job, ending: Mapping[int, Task]) -> frozenset[str]:
    """Return the queue instances still suspended by subordination after the end of some tasks of a job.

    `ending`: number -> task after its end. The qmaster resumes subordinates of their queues before it sends events.
    """
    if not has_subordinates(cluster):
        return frozenset()
    left = with_job(state, with_tasks(job, ending))
    return suspended_by_others(cluster, with_suspensions(cluster, state, left))


def with_suspensions(cluster: Cluster, before: State, after: State) -> State:
    """Return the state after a command, with subordinates suspended and resumed.

    Queue instances whose superordinates are less used are resumed with their tasks; in slot-wise trees single tasks are
    resumed or suspended.
    """
    compiled = compile_cluster(cluster)
    if compiled.subordination is None:
        return after
    return _with_trees(compiled, compiled.subordination, before, _with_freed(cluster, compiled, before, after))


def _with_trees(compiled: CompiledCluster, subordination: Subordination, before: State, after: State) -> State:
    if not subordination.trees:
        return after
    preemption = SlotwisePreemption(subordination)
    numbers = {instance.name: number for number, instance in enumerate(compiled.instances)}
    states = queue_states(compiled, after, after.now)
    for job in sorted(after.jobs, key=lambda job: job.id):
        for number, task in job.tasks.items():
            if task.granted and task_list_of(task.state) in (TaskList.RUNNING, TaskList.SUSPENDED):
                enter_task(preemption, numbers, states, (job.id, number), task)
    earlier, now = (dict(_running(state)) for state in (before, after))
    for grants, deal_with in (
        ([grants for key, grants in now.items() if key not in earlier], preemption.suspend_for_start),
        ([grants for key, grants in earlier.items() if key not in now], preemption.resume_after_end),
    ):
        for name in dict.fromkeys(chain.from_iterable(grants)):
            if name in numbers:
                deal_with(numbers[name])
    halted_by_task = {started_task.order: started_task.halted for started_task in preemption.changed}
    if not halted_by_task:
        return after
    jobs = {job.id: job for job in after.jobs}
    for (number, task_number), is_halted in halted_by_task.items():
        task = jobs[number].tasks[task_number]
        task = _halted(task) if is_halted else resumed(task, SUBORDINATED)
        jobs[number] = replace(jobs[number], tasks=MappingProxyType({**jobs[number].tasks, task_number: task}))
    return replace(after, jobs=tuple(jobs.values()))


def _running(state: State) -> Iterator[tuple[tuple[int, int], Iterable[str]]]:
    """Yield (job, task) of running tasks, with their queue instances."""
    for job in state.jobs:
        for number, task in job.tasks.items():
            if task.granted and task_list_of(task.state) is TaskList.RUNNING and SUBORDINATED not in task.state:
                yield (job.id, number), task.granted


def _with_freed(cluster: Cluster, compiled: CompiledCluster, before: State, after: State) -> State:
    freed = _subordinated(compiled, before) - _subordinated(compiled, after)
    if not freed:
        return after
    states = dict(after.queue_states)
    for name in freed & states.keys():
        set_letters(cluster, states, name, states[name].replace(SUBORDINATED, ""))
    named = zip(compiled.instances, queue_states(compiled, after, after.now), strict=True)
    resuming = freed - {instance.name for instance, shown in named if _STOPPED_BY_OTHERS & set(shown)}
    jobs = tuple(propagated(job, (), resuming) for job in after.jobs)
    return replace(after, queue_states=MappingProxyType(states), jobs=jobs)


def starts_disabled(cluster: Cluster, name: str) -> bool:
    """True if a queue instance is disabled when it is created."""
    queue, _, host = name.rpartition("@")
    obj = cluster.get(Kind.QUEUE, queue)
    return obj is not None and effective_value(cluster, obj, "initial_state", host).text.strip().lower() == "disabled"


def set_letters(cluster: Cluster, states: dict[str, str], name: str, shown: str) -> None:
    """Record the state of a queue instance, unless it is the initial one."""
    if shown or starts_disabled(cluster, name):
        states[name] = shown
    else:
        states.pop(name, None)


def propagated(job: Job, stopped: Collection[str], resuming: Collection[str]) -> Job:
    """Return the job with tasks suspended or resumed with their queue instances; a slot in one of them is enough.

    Source: lifecycle.md#states-of-queue-instances.
    """
    changed: dict[int, Task] = {}
    for number, task in job.tasks.items():
        if not task.granted or "q" in task.state:
            continue
        if not task.granted.keys().isdisjoint(stopped):
            changed[number] = _halted(task)
        elif SUBORDINATED in task.state and not task.granted.keys().isdisjoint(resuming):
            changed[number] = resumed(task, SUBORDINATED)
    return replace(job, tasks=MappingProxyType({**job.tasks, **changed})) if changed else job


def _halted(task: Task) -> Task:
    return replace(task, state=letters(task.state, plus=SUBORDINATED, minus="r"))


def _subordinated(compiled: CompiledCluster, state: State) -> frozenset[str]:
    return frozenset(compiled.instances[number].name for number in subordinated(compiled, state.jobs))
