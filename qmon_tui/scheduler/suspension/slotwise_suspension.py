"""Single tasks that stand still because too many run in a tree of queue instances.

The qmaster looks after each start, from the nearest superordinate upwards to the root. While more tasks run in and
below it than it allows, one is suspended: in the deepest queue instances that have running tasks, among those in the
ones with the highest sequence number, the task that was started last, or first where the action is `lr`.

When a queue instance of the tree stands still as a whole, it looks from the root whether fewer run now than may run.
Then others go on, chosen the other way round: the least deep, the lowest sequence number, the one started first, or
last with `lr`; those that stand still for no other reason before all others.

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
    """A task that was started in some queue instances."""

    job: int
    task: int
    started: float
    halted: bool = False
    """It stands still because of a tree."""
    stopped: bool = False
    """It stands still for another reason."""

    @property
    def runs(self) -> bool:
        """True if it does not stand still."""
        return not (self.halted or self.stopped)

    @property
    def order(self) -> tuple[int, int]:
        """Its place in the list of jobs."""
        return self.job, self.task


@dataclass(slots=True)
class SlotwisePreemption:
    """The tasks by queue instance, and who has been suspended or goes on."""

    subordination: Subordination
    started_tasks: dict[InstanceNumber, list[StartedTask]] = field(default_factory=dict)
    changed: list[StartedTask] = field(default_factory=list)
    """Those who have been suspended or were let go on, in the order in which that was."""

    def enter(self, started_task: StartedTask, instances: Iterable[InstanceNumber]) -> None:
        """A task was started in these queue instances."""
        for instance in instances:
            self.started_tasks.setdefault(instance, []).append(started_task)

    def suspend_for_start(self, instance: InstanceNumber) -> None:
        """Something starts in a queue instance: suspend what has to stand still because of it."""
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
        """A queue instance stands still with all that runs in it, so that others may go on."""
        for started_task in self.started_tasks.get(instance, ()):
            started_task.stopped = True
        self.resume_after_end(instance)

    def resume_after_end(self, instance: InstanceNumber) -> None:
        """Something runs no longer in a queue instance: others in its tree go on as far as there is room."""
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
        """A queue instance and all that are above it in slot-wise trees."""
        seen: set[InstanceNumber] = set()
        while instance is not None and instance not in seen:
            seen.add(instance)
            yield instance
            instance = self.subordination.parents.get(instance)

    def _levels(self, root: InstanceNumber) -> list[list[SlotwiseSubordinate]]:
        """What is below a superordinate, level by level."""
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
    """The task that was started first or last, as the action of each branch has it.

    Of those started in the same second the last one is taken: by queue instances, then by jobs. Where the actions
    differ, the first queue instance decides.
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


_GONE_ON = frozenset("dE")
"""A task with one of these letters is in no tree any more."""
_OTHERWISE = frozenset("sT")
"""Nor does one with these run on, whatever else keeps it."""


def enter_task(
    preemption: SlotwisePreemption,
    instances: Mapping[str, int],
    states: Sequence[str],
    key: tuple[int, int],
    task: Task,
    *,
    is_halted: bool = False,
) -> None:
    """Enter a task that has been started, but for one that is to be deleted.

    `instances` has the numbers of queue instances, `states` their letters; `key` are the numbers of job and task. What
    is suspended in queue instances that do not stand still is so because of a tree. `is_halted` tells that a threshold
    is about to halt it.
    """
    letters = set(task.state)
    if _GONE_ON & letters:
        return
    numbers = [instances[name] for name in task.granted if name in instances]
    is_stopped = any(STOPPED & set(states[number]) for number in numbers)
    started_task = StartedTask(
        *key,
        task.started or 0,
        halted=SUBORDINATED in letters and not is_stopped,
        stopped=is_stopped or bool(_OTHERWISE & letters) or is_halted,
    )
    preemption.enter(started_task, numbers)
