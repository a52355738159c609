"""Single tasks that stand still because too many run in a tree of queue instances (lifecycle.md section 5.2).

The qmaster looks after each start, from the nearest superordinate upwards to the root. While more tasks run in and
below it than it allows, one is suspended: in the deepest queue instances that have running tasks, among those in the
ones with the highest sequence number, the task that was started last, or first where the action is `lr`.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

from qmon_tui.scheduler.compiled.subordination import Branch, Number, Subordination


@dataclass(slots=True)
class Runner:
    """A task that runs in some queue instances."""

    job: int
    task: int
    started: float
    running: bool = True
    """It does not stand still."""

    @property
    def order(self) -> tuple[int, int]:
        """Its place in the list of jobs."""
        return self.job, self.task


@dataclass(slots=True)
class Preemption:
    """The running tasks by queue instance, and who has been suspended."""

    subordination: Subordination
    runners: dict[Number, list[Runner]] = field(default_factory=dict)
    suspended: list[Runner] = field(default_factory=list)
    """In the order of their suspension."""

    def enter(self, runner: Runner, instances: Iterable[Number]) -> None:
        """A task runs in these queue instances."""
        for instance in instances:
            self.runners.setdefault(instance, []).append(runner)

    def start(self, runner: Runner, instances: Collection[Number]) -> None:
        """A task starts in these queue instances: suspend what has to stand still because of it."""
        self.enter(runner, instances)
        for instance in instances:
            self._look_from(instance)

    def stop(self, instance: Number) -> None:
        """A queue instance stands still with all that runs in it."""
        for runner in self.runners.get(instance, ()):
            runner.running = False

    def _look_from(self, instance: Number) -> None:
        trees = self.subordination.trees
        root: Number | None = instance if instance in trees else self.subordination.parents.get(instance)
        seen: set[Number] = set()
        while root is not None and root not in seen:
            seen.add(root)
            self._make_room(root)
            root = self.subordination.parents.get(root)

    def _make_room(self, root: Number) -> None:
        levels = list(self._levels(root))
        running = sum(self._running(root)) + sum(
            sum(self._running(branch.instance)) for level in levels for branch in level
        )
        surplus = running - self.subordination.trees[root].slots
        for _ in range(surplus):
            victim = self._victim(levels)
            if victim is None:
                return
            victim.running = False
            self.suspended.append(victim)

    def _levels(self, root: Number) -> Iterator[list[Branch]]:
        """What is below a superordinate, level by level."""
        seen = {root}
        level = list(self.subordination.trees[root].branches)
        while level:
            level = [branch for branch in level if branch.instance not in seen]
            seen.update(branch.instance for branch in level)
            yield level
            trees = (self.subordination.trees.get(branch.instance) for branch in level)
            level = [branch for tree in trees if tree is not None for branch in tree.branches]

    def _victim(self, levels: list[list[Branch]]) -> Runner | None:
        for level in reversed(levels):
            busy = [branch for branch in level if any(self._running(branch.instance))]
            if not busy:
                continue
            highest = max(branch.seq_no for branch in busy)
            chosen = [branch for branch in busy if branch.seq_no == highest]
            runners = [
                (place, one)
                for place, branch in enumerate(chosen)
                for one in self.runners[branch.instance]
                if one.running
            ]
            sign = -1 if chosen[0].longest_first else 1
            # Of those started in the same second the last one is taken: by queue instances, then by jobs.
            return max(runners, key=lambda found: (sign * int(found[1].started), found[0], found[1].order))[1]
        return None

    def _running(self, instance: Number) -> Iterator[bool]:
        return (one.running for one in self.runners.get(instance, ()))
