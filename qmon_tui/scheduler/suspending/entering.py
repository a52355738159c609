"""Which tasks count in slot-wise trees, and which of them stand still there or for another reason (lifecycle.md 5)."""

from collections.abc import Mapping, Sequence

from qmon_tui.model.state import Task
from qmon_tui.scheduler.queue_states import STOPPED
from qmon_tui.scheduler.suspending.letters import SUBORDINATED
from qmon_tui.scheduler.suspending.slot_wise import Preemption, Runner

_GONE_ON = frozenset("dE")
"""A task with one of these letters is in no tree any more."""
_OTHERWISE = frozenset("sT")
"""Nor does one with these run on, whatever else keeps it."""


def enter_task(
    preemption: Preemption,
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
    runner = Runner(
        *key,
        task.started or 0,
        halted=SUBORDINATED in letters and not is_stopped,
        stopped=is_stopped or bool(_OTHERWISE & letters) or is_halted,
    )
    preemption.enter(runner, numbers)
