"""Slot-wise subordination: tasks are suspended because too many run in a tree of queue instances.

After each start the qmaster checks each superordinate, from the nearest up to the root. While more tasks run in and
below it than it allows, one task is suspended: from the deepest queue instances with running tasks, of these from those
with the highest sequence number, the task that started last (with action `lr`: first).

When a queue instance of the tree is suspended as a whole, the qmaster checks at the root if fewer tasks run than
allowed. Then tasks are resumed in reverse order: from the least deep instances, of these from those with the lowest
sequence number, the task that started first (with `lr`: last). Tasks suspended for no other reason are resumed first.

Source: suspension.md#slot-wise-subordination.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf

from qmon_tui.model import Task
from qmon_tui.scheduler.configuration import InstanceNumber, SlotwiseSubordinate, Subordination
from qmon_tui.scheduler.suspension.queue_states import STOPPED
from qmon_tui.scheduler.suspension.state_letters import SUBORDINATED


@dataclass(slots=True)
class StartedTask:
    """A task that was started."""

    job: int
    task: int
    started: float
    halted: bool = False
    """True if a slot-wise tree suspends it."""
    stopped: bool = False
    """True if it is suspended for another reason."""

    @property
    def runs(self) -> bool:
        """True if the task is suspended neither by a slot-wise tree nor otherwise."""
        return not (self.halted or self.stopped)

    @property
    def order(self) -> tuple[int, int]:
        """(job number, task number), the order of the list of jobs."""
        return self.job, self.task


@dataclass(slots=True)
class SlotwisePreemption:
    """The started tasks in slot-wise trees, and their suspensions."""

    subordination: Subordination
    started_tasks: dict[InstanceNumber, list[StartedTask]] = field(default_factory=dict)
    """Queue instance -> tasks in it."""
    changed: list[StartedTask] = field(default_factory=list)
    """Tasks suspended or resumed, in order."""

    def enter(self, started_task: StartedTask, instances: Iterable[InstanceNumber]) -> None:
        """Record a start in these queue instances."""
        for instance in instances:
            self.started_tasks.setdefault(instance, []).append(started_task)

    def suspend_for_start(self, instance: InstanceNumber) -> None:
        """Suspend tasks as far as a start in a queue instance requires it."""
        trees = self.subordination.trees
        nearest = instance if instance in trees else self.subordination.parents.get(instance)
        for root in self._upwards(nearest):
            levels = self._levels(root)
            for _ in range(self._running(root, levels) - trees[root].slots):
                to_suspend = self._choose(reversed(levels), lambda task: task.runs, suspends=True)
                if to_suspend is None:
                    break
                to_suspend.halted = True
                self.changed.append(to_suspend)

    def stop(self, instance: InstanceNumber) -> None:
        """Suspend a queue instance with its tasks; this may resume other tasks of the tree."""
        for started_task in self.started_tasks.get(instance, ()):
            started_task.stopped = True
        self.resume_after_end(instance)

    def resume_after_end(self, instance: InstanceNumber) -> None:
        """Resume tasks of the tree after a task in the queue instance has ended or was suspended."""
        for root in self._upwards(instance):
            instance = root
        if instance not in self.subordination.trees:
            return
        levels = self._levels(instance)
        for _ in range(self.subordination.trees[instance].slots - self._running(instance, levels)):
            to_resume = self._choose(levels, lambda task: task.halted and not task.stopped, suspends=False)
            to_resume = to_resume or self._choose(levels, lambda task: task.halted, suspends=False)
            if to_resume is None:
                return
            to_resume.halted = False
            self.changed.append(to_resume)

    def _upwards(self, instance: InstanceNumber | None) -> Iterator[InstanceNumber]:
        """Yield a queue instance (None: nothing) and all of its superordinates in slot-wise trees, nearest first."""
        seen: set[InstanceNumber] = set()
        while instance is not None and instance not in seen:
            seen.add(instance)
            yield instance
            instance = self.subordination.parents.get(instance)

    def _levels(self, root: InstanceNumber) -> list[list[SlotwiseSubordinate]]:
        """Return the subordinates below a superordinate, level by level."""
        seen = {root}
        levels: list[list[SlotwiseSubordinate]] = []
        level = list(self.subordination.trees[root].branches)
        while level:
            level = [branch for branch in level if branch.instance not in seen]
            seen.update(branch.instance for branch in level)
            levels.append(level)
            trees = (self.subordination.trees.get(branch.instance) for branch in level)
            level = [branch for tree in trees if tree is not None for branch in tree.branches]
        return levels

    def _running(self, root: InstanceNumber, levels: Iterable[list[SlotwiseSubordinate]]) -> int:
        instances = (root, *(branch.instance for level in levels for branch in level))
        return sum(task.runs for instance in instances for task in self.started_tasks.get(instance, ()))

    def _choose(
        self, levels: Iterable[list[SlotwiseSubordinate]], fits: Callable[[StartedTask], bool], *, suspends: bool
    ) -> StartedTask | None:
        """Return the next task to suspend or resume, among those that `fits` accepts; None if there is none."""
        for level in levels:
            started_by_branch = {
                branch: [task for task in self.started_tasks.get(branch.instance, ()) if fits(task)] for branch in level
            }
            busy = [branch for branch, started_tasks in started_by_branch.items() if started_tasks]
            if not busy:
                continue
            seq_no = (max if suspends else min)(branch.seq_no for branch in busy)
            return _by_age(
                [(branch, started_by_branch[branch]) for branch in busy if branch.seq_no == seq_no], suspends=suspends
            )
        return None


def _by_age(
    candidates: Sequence[tuple[SlotwiseSubordinate, list[StartedTask]]], *, suspends: bool
) -> StartedTask | None:
    """Return the task that was started first or last, according to the action of each branch.

    Among tasks started in the same second, the last one by queue instance and then by job is taken. If actions differ,
    the first queue instance decides.
    """
    chosen: StartedTask | None = None
    first, last = inf, -inf
    for branch, started_tasks in reversed(candidates):
        wants_first = branch.longest_first is suspends
        for task in sorted(started_tasks, key=lambda started_task: started_task.order, reverse=True):
            started = int(task.started)
            if wants_first and started < first:
                chosen, first = task, started
            elif not wants_first and started > last:
                chosen, last = task, started
    return chosen


_NOT_IN_TREE = frozenset("dE")
"""States of a task that is no longer in any tree."""
_SUSPENDED_OTHERWISE = frozenset("sT")
"""States of a task that is suspended by a command or a suspend threshold."""


def enter_task(
    preemption: SlotwisePreemption,
    instances: Mapping[str, int],
    states: Sequence[str],
    key: tuple[int, int],
    task: Task,
    *,
    is_halted: bool = False,
) -> None:
    """Enter a started task, unless it is being deleted or in error.

    `instances`: name of a queue instance -> number; `states`: their states by number; `key`: (job, task) numbers;
    `is_halted`: True if this run's suspend thresholds suspend the task. A task in state S whose queue instances are not
    suspended counts as suspended by its tree.
    """
    letters = set(task.state)
    if _NOT_IN_TREE & letters:
        return
    numbers = [instances[name] for name in task.granted if name in instances]
    is_stopped = any(STOPPED & set(states[number]) for number in numbers)
    started_task = StartedTask(
        *key,
        task.started or 0,
        halted=SUBORDINATED in letters and not is_stopped,
        stopped=is_stopped or bool(_SUSPENDED_OTHERWISE & letters) or is_halted,
    )
    preemption.enter(started_task, numbers)
