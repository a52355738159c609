"""The qmaster carries out one start after the other, and looks after each who has to stand still because of it.

Each may suspend single tasks in slot-wise trees, then subordinated queue instances with all that runs in them, so that
others in such a tree go on (lifecycle.md sections 2 and 5).
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from qmon_tui.scheduler.compiled.cluster import Compiled
from qmon_tui.scheduler.compiled.subordination import Number, Subordination
from qmon_tui.scheduler.suspending.queue_wise import newly_reached
from qmon_tui.scheduler.suspending.slot_wise import Preemption, Runner


@dataclass(slots=True)
class CarryingOut:
    """What has been carried out so far."""

    compiled: Compiled
    preemption: Preemption
    """What there is in slot-wise trees."""
    used: Counter[Number] = field(default_factory=Counter)
    """Slots in use of each queue instance."""

    @classmethod
    def of(cls, compiled: Compiled, subordination: Subordination) -> "CarryingOut":
        """Nothing has been started yet."""
        return cls(compiled, Preemption(subordination))

    def start(self, runner: Runner, grants: Iterable[tuple[Number, int]]) -> list[Number]:
        """Start a task with so many slots of queue instances; returns those that are suspended by it as a whole."""
        grants = tuple(grants)
        suspended: list[Number] = []
        self.preemption.enter(runner, [number for number, _ in grants])
        for number, slots in grants:
            self.preemption.make_room(number)
            for tie in newly_reached(self.compiled, number, self.used[number], slots):
                if not tie.slot_wise:
                    suspended.append(tie.instance)
                    self.preemption.stop(tie.instance)
            self.used[number] += slots
        return suspended
