"""Queue-wise subordination: queue instances are suspended while others on their host are in use.

A subordinate is suspended while at least as many slots of a superordinate are used as its threshold says; without a
threshold, while all are used. Slots of suspended jobs count as used.

Source: suspension.md#queue-wise-subordination.
"""

from collections.abc import Iterator, Mapping

from qmon_tui.scheduler.configuration import CompiledCluster, SubordinateQueue


def reached(subordinate: SubordinateQueue, used: int, slots: int) -> bool:
    """True if a superordinate with `used` of its `slots` in use suspends the subordinate."""
    return used >= (subordinate.threshold or slots)


def suspended(compiled: CompiledCluster, used: Mapping[str, int]) -> Iterator[int]:
    """Yield the numbers of suspended queue instances; `used`: name of a queue instance -> used slots."""
    subordination = compiled.subordination
    if subordination is None:
        return
    for number, subordinate_queues in subordination.subordinate_queues.items():
        superordinate = compiled.instances[number]
        in_use = used.get(superordinate.name, 0)
        for subordinate in subordinate_queues:
            if not subordinate.slot_wise and reached(subordinate, in_use, superordinate.profile.slots):
                yield subordinate.instance


def newly_reached(compiled: CompiledCluster, number: int, used: int, more: int) -> list[SubordinateQueue]:
    """Return the subordinates that a queue instance suspends if `more` slots are used in addition to `used`."""
    subordination = compiled.subordination
    if subordination is None:
        return []
    slots = compiled.instances[number].profile.slots
    subordinate_queues = subordination.subordinate_queues.get(number, ())
    return [
        subordinate
        for subordinate in subordinate_queues
        if reached(subordinate, used + more, slots) and not reached(subordinate, used, slots)
    ]
