"""What stands still because of each start that the qmaster carries out, one after the other.

Each may suspend single tasks in slot-wise trees, then subordinated queue instances with all that runs in them, so that
others in such a tree go on (lifecycle.md#start-of-a-task and suspension.md#slot-wise-subordination).
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from qmon_tui.scheduler.configuration import CompiledCluster, InstanceNumber, Subordination
from qmon_tui.scheduler.suspension.queuewise_suspension import newly_reached
from qmon_tui.scheduler.suspension.slotwise_suspension import SlotwisePreemption, StartedTask


@dataclass(slots=True)
class SuspensionsAtStart:
    """The starts that have been carried out so far, and whom they make stand still."""

    compiled: CompiledCluster
    preemption: SlotwisePreemption
    """What there is in slot-wise trees."""
    used: Counter[InstanceNumber] = field(default_factory=Counter)
    """Slots in use of each queue instance."""

    @classmethod
    def of(cls, compiled: CompiledCluster, subordination: Subordination) -> "SuspensionsAtStart":
        """Nothing has been started yet."""
        return cls(compiled, SlotwisePreemption(subordination))

    def start(self, started_task: StartedTask, grants: Iterable[tuple[InstanceNumber, int]]) -> list[InstanceNumber]:
        """Start a task with so many slots of queue instances; returns those that are suspended by it as a whole."""
        grants = tuple(grants)
        suspended: list[InstanceNumber] = []
        self.preemption.enter(started_task, [number for number, _ in grants])
        for number, slots in grants:
            self.preemption.suspend_for_start(number)
            for subordinate in newly_reached(self.compiled, number, self.used[number], slots):
                if not subordinate.slot_wise:
                    suspended.append(subordinate.instance)
                    self.preemption.stop(subordinate.instance)
            self.used[number] += slots
        return suspended
