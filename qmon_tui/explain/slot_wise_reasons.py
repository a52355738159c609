"""Slot-wise subordination of a suspended task: the superordinates whose limit suspends it.

A task may be below several superordinates. Those are named whose limits, if raised, let it run.

Source: suspension.md#slot-wise-subordination.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from qmon_tui.explain.explanation import ReasonGroup, ReasonKind
from qmon_tui.model import Cluster, Kind, Task, TaskOutcome, overrides_of
from qmon_tui.qmaster import Run
from qmon_tui.scheduler.configuration import QueueInstance, Subordination
from qmon_tui.scheduler.suspension import SUBORDINATED, SlotwisePreemption, enter_task

_SLOT_WISE = "suspended so that no more tasks run than the slot-wise subordinate_list of queue instance {} allows"
_SEVERAL = "suspended so that no more tasks run than the slot-wise subordinate_lists of queue instances {} allow"
_NO_LIMIT = 1_000_000


def slot_wise_reasons(run: Run, job: int, task: TaskOutcome) -> Iterator[ReasonGroup]:
    """Yield the superordinates that suspend a started task; none if no limit does."""
    subordination = run.compiled.subordination
    if subordination is None:
        return
    numbers = [run.resources.instance_numbers[name] for name in task.granted if name in run.resources.instance_numbers]
    places = [number for number in numbers if number in subordination.parents]
    above = tuple(dict.fromkeys(root for number in places for root in _upwards(subordination, number)))
    key = (job, task.task)
    starts_now = task.task in run.starts_of(job)
    is_new = starts_now or SUBORDINATED in run.states_after_run.added.get(key, "")
    named = _needed(above, lambda roots: _runs(run, key, roots) if is_new else _goes_on(run, subordination, key, roots))
    if named:
        instances = run.resources.instances
        names = [instances[number].name for number in named]
        words = _SLOT_WISE.format(names[0]) if len(names) == 1 else _SEVERAL.format(" and ".join(names))
        yield ReasonGroup(ReasonKind.STATE, "queue", words, tuple(instances[number].name for number in places))


def _upwards(subordination: Subordination, number: int) -> Iterator[int]:
    """Yield the slot-wise superordinates of a queue instance, the nearest first."""
    seen = {number}
    parent = subordination.parents.get(number)
    while parent is not None and parent not in seen:
        seen.add(parent)
        yield parent
        parent = subordination.parents.get(parent)


def _needed(roots: Sequence[int], does: Callable[[Sequence[int]], bool]) -> Sequence[int]:
    """Return the nearest root that alone satisfies `does`; else a minimal subset of all; empty if not even all do."""
    alone = next((root for root in roots if does((root,))), None)
    if alone is not None:
        return (alone,)
    if len(roots) < 2 or not does(roots):
        return ()
    for root in roots:
        fewer = [other for other in roots if other != root]
        if does(fewer):
            roots = fewer
    return roots


def _runs(run: Run, key: tuple[int, int], roots: Sequence[int]) -> bool:
    """True if a task suspended in this run would run if some limits were higher."""
    cluster = run.compiled.cluster
    for root in roots:
        cluster = without_limit(cluster, run.resources.instances[root])
    states = [task.state for job, number, task in _tasks(run.again(cluster, run.state)) if (job, number) == key]
    return bool(states) and SUBORDINATED not in states[0]


def _tasks(run: Run) -> Iterator[tuple[int, int, Task]]:
    """Yield (job, task, its state and grants) of all started tasks after a run."""
    names = [instance.name for instance in run.resources.instances]
    for start in run.dispatch.starts:
        if not start.refused:
            granted = {names[number]: slots for number, slots in start.grants}
            state = run.states_after_run.task_state(start.run_job.id, start.task, granted, "t")
            yield start.run_job.id, start.task, Task(state, granted, run.now)
    for run_job in run.jobs:
        for number, task in run_job.job.tasks.items():
            if task.granted:
                state = run.states_after_run.task_state(run_job.id, number, task.granted, task.state)
                yield run_job.id, number, replace(task, state=state)


def without_limit(cluster: Cluster, superordinate: QueueInstance) -> Cluster:
    """Return a cluster in which a slot-wise superordinate has no limit on its host."""
    queue = cluster.objects(Kind.QUEUE)[superordinate.queue]
    subordinates = superordinate.profile.subordinates
    assert subordinates is not None
    field = "subordinate_list"
    value = overrides_of(queue.text(field)).with_key(superordinate.host, subordinates._replace(slots=_NO_LIMIT).text())
    return cluster.with_object(queue.with_value(field, value.text()))


def _goes_on(run: Run, subordination: Subordination, key: tuple[int, int], roots: Sequence[int]) -> bool:
    """True if a suspended task would be resumed at the next end in its tree if some limits were higher."""
    trees = {
        number: replace(tree, slots=_NO_LIMIT) if number in roots else tree
        for number, tree in subordination.trees.items()
    }
    preemption = SlotwisePreemption(replace(subordination, trees=trees))
    for job, number, task in sorted(_tasks(run), key=lambda known: known[:2]):
        enter_task(preemption, run.resources.instance_numbers, run.states_after_run.states, (job, number), task)
    places = [number for number, tasks in preemption.started_tasks.items() for task in tasks if task.order == key]
    for number in places:
        preemption.resume_after_end(number)
    return any(task.order == key and not task.halted for task in preemption.changed)
