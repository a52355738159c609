"""Single tasks that stand still because too many run in a tree of queue instances (lifecycle.md section 5.2).

The qmaster looks after each start, from the nearest superordinate upwards to the root. While more tasks run in and
below it than it allows, one is suspended: in the deepest queue instances that have running tasks, among those in the
ones with the highest sequence number, the task that was started last, or first where the action is `lr`.

When a queue instance of the tree stands still as a whole, it looks from the root whether fewer run now than may run.
Then others go on, chosen the other way round: the least deep, the lowest sequence number, the one started first, or
last with `lr`; those that stand still for no other reason before all others.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import inf

from qmon_tui.scheduler.compiled.subordination import Branch, Number, Subordination


@dataclass(slots=True)
class Runner:
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
        """Tell whether it does not stand still."""
        return not (self.halted or self.stopped)

    @property
    def order(self) -> tuple[int, int]:
        """Its place in the list of jobs."""
        return self.job, self.task


@dataclass(slots=True)
class Preemption:
    """The tasks by queue instance, and who has been suspended or goes on."""

    subordination: Subordination
    runners: dict[Number, list[Runner]] = field(default_factory=dict)
    changed: list[Runner] = field(default_factory=list)
    """Those who have been suspended or were let go on, in the order in which that was."""

    def enter(self, runner: Runner, instances: Iterable[Number]) -> None:
        """A task was started in these queue instances."""
        for instance in instances:
            self.runners.setdefault(instance, []).append(runner)

    def make_room(self, instance: Number) -> None:
        """Something starts in a queue instance: suspend what has to stand still because of it."""
        trees = self.subordination.trees
        nearest = instance if instance in trees else self.subordination.parents.get(instance)
        for root in self._upwards(nearest):
            levels = self._levels(root)
            for _ in range(self._running(root, levels) - trees[root].slots):
                victim = self._choose(reversed(levels), lambda one: one.runs, suspends=True)
                if victim is None:
                    break
                victim.halted = True
                self.changed.append(victim)

    def stop(self, instance: Number) -> None:
        """A queue instance stands still with all that runs in it, so that others may go on."""
        for runner in self.runners.get(instance, ()):
            runner.stopped = True
        self.let_go_on(instance)

    def let_go_on(self, instance: Number) -> None:
        """Something runs no longer in a queue instance: others in its tree go on as far as there is room."""
        for root in self._upwards(instance):
            instance = root
        if instance not in self.subordination.trees:
            return
        levels = self._levels(instance)
        for _ in range(self.subordination.trees[instance].slots - self._running(instance, levels)):
            lucky = self._choose(levels, lambda one: one.halted and not one.stopped, suspends=False)
            lucky = lucky or self._choose(levels, lambda one: one.halted, suspends=False)
            if lucky is None:
                return
            lucky.halted = False
            self.changed.append(lucky)

    def _upwards(self, instance: Number | None) -> Iterator[Number]:
        """A queue instance and all that are above it in slot-wise trees."""
        seen: set[Number] = set()
        while instance is not None and instance not in seen:
            seen.add(instance)
            yield instance
            instance = self.subordination.parents.get(instance)

    def _levels(self, root: Number) -> list[list[Branch]]:
        """What is below a superordinate, level by level."""
        seen = {root}
        levels: list[list[Branch]] = []
        level = list(self.subordination.trees[root].branches)
        while level:
            level = [branch for branch in level if branch.instance not in seen]
            seen.update(branch.instance for branch in level)
            levels.append(level)
            trees = (self.subordination.trees.get(branch.instance) for branch in level)
            level = [branch for tree in trees if tree is not None for branch in tree.branches]
        return levels

    def _running(self, root: Number, levels: Iterable[list[Branch]]) -> int:
        instances = (root, *(branch.instance for level in levels for branch in level))
        return sum(one.runs for instance in instances for one in self.runners.get(instance, ()))

    def _choose(
        self, levels: Iterable[list[Branch]], fits: Callable[[Runner], bool], *, suspends: bool
    ) -> Runner | None:
        for level in levels:
            found = {branch: [one for one in self.runners.get(branch.instance, ()) if fits(one)] for branch in level}
            busy = [branch for branch, runners in found.items() if runners]
            if not busy:
                continue
            seq_no = (max if suspends else min)(branch.seq_no for branch in busy)
            return _by_age([(branch, found[branch]) for branch in busy if branch.seq_no == seq_no], suspends=suspends)
        return None


def _by_age(candidates: Sequence[tuple[Branch, list[Runner]]], *, suspends: bool) -> Runner | None:
    """The task that was started first or last, as the action of each branch has it.

    Of those started in the same second the last one is taken: by queue instances, then by jobs. Where the actions
    differ, the first queue instance decides.
    """
    chosen: Runner | None = None
    first, last = inf, -inf
    for branch, runners in reversed(candidates):
        wants_first = branch.longest_first is suspends
        for one in sorted(runners, key=lambda runner: runner.order, reverse=True):
            started = int(one.started)
            if wants_first and started < first:
                chosen, first = one, started
            elif not wants_first and started > last:
                chosen, last = one, started
    return chosen
