"""Which tasks the scheduler knows to stand still with their queue instances or in slot-wise trees (lifecycle.md 5).

The qmaster tells the scheduler that a queue instance stands still, but not that what runs in it does: that goes on
counting as running, as does a task that is suspended in a slot-wise tree. Only when a task is sent to the scheduler for
another reason (its job is altered or held, itself is suspended, resumed or halted) does it count as suspended, and
keeps the numbers that it had. It goes on doing so, even where it runs again, until it is sent once more; of that no
state tells.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from qmon_tui.model.state import Job, State
from qmon_tui.scheduler.compiled.cluster import Compiled
from qmon_tui.scheduler.suspending.letters import SUBORDINATED
from qmon_tui.scheduler.suspending.queue_wise import reached
from qmon_tui.scheduler.suspending.slot_wise import Preemption, Runner

_BY_HAND = "s"
_NEVER = float("inf")
_NONE: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Standstill:
    """Since when queue instances, and tasks in slot-wise trees, stand still."""

    compiled: Compiled
    state: State

    def noticed(self, job: Job) -> frozenset[int]:
        """The tasks of a job that were sent since they have stood still."""
        found = [
            number
            for number, task in job.tasks.items()
            if task.changed is not None
            and SUBORDINATED in task.state
            and min((*map(self._since, task.granted), self._preempted.get((job.id, number), _NEVER))) < task.changed
        ]
        return frozenset(found) if found else _NONE

    def _since(self, name: str) -> float:
        """When a queue instance was suspended; by hand long ago where nobody knows when."""
        if _BY_HAND in self.state.queue_states.get(name, ""):
            return self.state.changed.get(name, 0.0)
        return self._subordinated.get(name, _NEVER)

    @cached_property
    def _subordinated(self) -> Mapping[str, float]:
        """Subordinate -> the second after the start that has suspended it, of what is still there."""
        subordination = self.compiled.subordination
        found: dict[str, float] = {}
        if subordination is None:
            return found
        starts: dict[str, list[tuple[float, int]]] = {}
        for task in (task for job in self.state.jobs for task in job.tasks.values() if task.started is not None):
            for name, slots in task.granted.items():
                starts.setdefault(name, []).append((task.started or 0.0, slots))
        for number, ties in subordination.ties.items():
            superordinate = self.compiled.instances[number]
            for tie in (tie for tie in ties if not tie.slot_wise):
                used = 0
                for when, slots in sorted(starts.get(superordinate.name, ())):
                    used += slots
                    if reached(tie, used, superordinate.profile.slots):
                        name = self.compiled.instances[tie.instance].name
                        # Commands of a second are taken to come before its starts.
                        found[name] = min(int(when) + 1.0, found.get(name, _NEVER))
                        break
        return found

    @cached_property
    def _preempted(self) -> Mapping[tuple[int, int], float]:
        """(job, task) -> the second after the start that has suspended it in a tree, as if nothing had ended since."""
        subordination = self.compiled.subordination
        found: dict[tuple[int, int], float] = {}
        if subordination is None or not subordination.trees:
            return found
        numbers = {instance.name: number for number, instance in enumerate(self.compiled.instances)}
        preemption = Preemption(subordination)
        starts = (
            (task.started, job.id, number, [numbers[name] for name in task.granted if name in numbers])
            for job in self.state.jobs
            for number, task in job.tasks.items()
            if task.started is not None
        )
        for when, job, number, instances in sorted(starts):
            preemption.enter(Runner(job, number, when), instances)
            for instance in instances:
                preemption.make_room(instance)
            while preemption.changed:
                found[preemption.changed.pop().order] = int(when) + 1.0
        return found
