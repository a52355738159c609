"""Queue instances that are suspended while another one on their host is in use (lifecycle.md section 5.1).

A subordinate is suspended while at least one superordinate has so many slots in use as its threshold says, or all of
them where none is given. Slots of suspended jobs are in use.
"""

from collections.abc import Iterator, Mapping

from qmon_tui.scheduler.compiled.cluster import Compiled
from qmon_tui.scheduler.compiled.subordination import Tie


def reached(tie: Tie, used: int, slots: int) -> bool:
    """Tell whether so many used slots of a superordinate suspend a subordinate."""
    return used >= (tie.threshold or slots)


def suspended(compiled: Compiled, used: Mapping[str, int]) -> Iterator[int]:
    """The queue instances that stand still while so many slots of each instance are in use."""
    subordination = compiled.subordination
    if subordination is None:
        return
    for number, ties in subordination.ties.items():
        superordinate = compiled.instances[number]
        in_use = used.get(superordinate.name, 0)
        for tie in ties:
            if not tie.slot_wise and reached(tie, in_use, superordinate.profile.slots):
                yield tie.instance


def newly_reached(compiled: Compiled, number: int, used: int, more: int) -> list[Tie]:
    """The subordinates that a queue instance suspends as soon as more of its slots are in use."""
    subordination = compiled.subordination
    if subordination is None:
        return []
    slots = compiled.instances[number].profile.slots
    ties = subordination.ties.get(number, ())
    return [tie for tie in ties if reached(tie, used + more, slots) and not reached(tie, used, slots)]
