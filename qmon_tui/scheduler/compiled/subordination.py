"""Which queue instances suspend others on their host, or single tasks in them (queue_conf(5) subordinate_list)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from qmon_tui.scheduler.compiled.queues import Instance

Number = int
"""A queue instance."""


@dataclass(frozen=True, slots=True)
class Tie:
    """One subordinate of a queue instance."""

    instance: Number
    threshold: int
    """Used slots of the superordinate; 0: all of them."""
    slot_wise: bool


@dataclass(frozen=True, slots=True)
class Branch:
    """A subordinate in a slot-wise tree."""

    instance: Number
    seq_no: int
    longest_first: bool
    """Suspend the task that has run longest, not the one that has run shortest."""


@dataclass(frozen=True, slots=True)
class Tree:
    """A slot-wise superordinate: how many tasks may run in it and below, and what is right below it."""

    slots: int
    branches: tuple[Branch, ...]


@dataclass(frozen=True, slots=True)
class Subordination:
    """All subordinate lists of a cluster, for instances that are there; a queue is no subordinate of its own."""

    ties: Mapping[Number, tuple[Tie, ...]]
    """Superordinate -> its subordinates."""
    trees: Mapping[Number, Tree]
    """Slot-wise superordinate -> what it is the root of."""
    parents: Mapping[Number, Number]
    """Slot-wise subordinate -> its superordinate, the first where there are several."""

    def subordinates(self, *, only_whole: bool = False) -> frozenset[Number]:
        """The queue instances that others may suspend; with `only_whole` without those of which single tasks are."""
        ties = chain.from_iterable(self.ties.values())
        return frozenset(tie.instance for tie in ties if not (only_whole and tie.slot_wise))

    def by_full_ones(self) -> frozenset[Number]:
        """The queue instances that others suspend as soon as all of their slots are used."""
        ties = chain.from_iterable(self.ties.values())
        return frozenset(tie.instance for tie in ties if not tie.threshold and not tie.slot_wise)


def compile_subordination(instances: Sequence[Instance]) -> Subordination | None:
    """Resolve all subordinate lists; None where nobody has any."""
    profiles = {id(instance.profile): instance.profile for instance in instances}.values()
    if not any(profile.subordinates for profile in profiles):
        return None
    numbers = {(instance.queue, instance.host): number for number, instance in enumerate(instances)}
    ties: dict[Number, tuple[Tie, ...]] = {}
    trees: dict[Number, Tree] = {}
    parents: dict[Number, Number] = {}
    for number, instance in enumerate(instances):
        subordinates = instance.profile.subordinates
        if subordinates is None:
            continue
        found = [
            (numbers[queue.queue, instance.host], queue)
            for queue in subordinates.queues
            if queue.queue != instance.queue and (queue.queue, instance.host) in numbers
        ]
        slot_wise = subordinates.slots is not None
        ties[number] = tuple(Tie(other, queue.threshold, slot_wise) for other, queue in found)
        if subordinates.slots is not None:
            branches = tuple(Branch(other, queue.seq_no, queue.action == "lr") for other, queue in found)
            trees[number] = Tree(subordinates.slots, branches)
            for other, _ in found:
                parents.setdefault(other, number)
    return Subordination(ties, trees, parents)
