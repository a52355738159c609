"""Queue instances that are suspended while another one on their host is in use.

A subordinate is suspended while at least one superordinate has so many slots in use as its threshold says, or all of
them where none is given. Slots of suspended jobs are in use.

Source: suspension.md#queue-wise-subordination.
"""

from collections.abc import Iterator, Mapping

from qmon_tui.scheduler.configuration import CompiledCluster, SubordinateQueue


def reached(subordinate: SubordinateQueue, used: int, slots: int) -> bool:
    """True if so many used slots of a superordinate suspend a subordinate."""
    return used >= (subordinate.threshold or slots)


def suspended(compiled: CompiledCluster, used: Mapping[str, int]) -> Iterator[int]:
    """The queue instances that stand still while so many slots of each instance are in use."""
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
    """The subordinates that a queue instance suspends as soon as more of its slots are in use."""
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
