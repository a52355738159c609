"""Queue instances that suspend others on their host, or single tasks in them (queue_conf(5) subordinate_list)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from qmon_tui.scheduler.configuration.queues import QueueInstance

InstanceNumber = int


@dataclass(frozen=True, slots=True)
class SubordinateQueue:
    """One entry of a subordinate list."""

    instance: InstanceNumber
    threshold: int
    """Used slots of the superordinate at which the queue is suspended; 0: all of them."""
    slot_wise: bool


@dataclass(frozen=True, slots=True)
class SlotwiseSubordinate:
    """A subordinate in a slot-wise tree."""

    instance: InstanceNumber
    seq_no: int
    longest_first: bool
    """True (action lr) if the task with the longest run time is suspended, False (sr) the one with the shortest."""


@dataclass(frozen=True, slots=True)
class SlotwiseTree:
    """A slot-wise superordinate: how many tasks may run in it and its subordinates together, and the subordinates."""

    slots: int
    branches: tuple[SlotwiseSubordinate, ...]


@dataclass(frozen=True, slots=True)
class Subordination:
    """All subordinate lists of a cluster, for existing instances; a queue is never its own subordinate."""

    subordinate_queues: Mapping[InstanceNumber, tuple[SubordinateQueue, ...]]
    """Superordinate -> its subordinates."""
    trees: Mapping[InstanceNumber, SlotwiseTree]
    """Slot-wise superordinate -> its tree."""
    parents: Mapping[InstanceNumber, InstanceNumber]
    """Slot-wise subordinate -> its superordinate, the first of several."""

    def subordinates(self, *, only_whole: bool = False) -> frozenset[InstanceNumber]:
        """Return the queue instances that others may suspend; `only_whole` leaves out slot-wise subordinates."""
        subordinate_queues = chain.from_iterable(self.subordinate_queues.values())
        return frozenset(
            subordinate.instance for subordinate in subordinate_queues if not (only_whole and subordinate.slot_wise)
        )

    def suspended_when_full(self) -> frozenset[InstanceNumber]:
        """Return the queue instances that others suspend when all of their slots are used."""
        subordinate_queues = chain.from_iterable(self.subordinate_queues.values())
        return frozenset(
            subordinate.instance
            for subordinate in subordinate_queues
            if not subordinate.threshold and not subordinate.slot_wise
        )


def compile_subordination(instances: Sequence[QueueInstance]) -> Subordination | None:
    """Resolve all subordinate lists; None if no queue has one."""
    profiles = {id(instance.profile): instance.profile for instance in instances}.values()
    if not any(profile.subordinates for profile in profiles):
        return None
    numbers = {(instance.queue, instance.host): number for number, instance in enumerate(instances)}
    subordinate_queues: dict[InstanceNumber, tuple[SubordinateQueue, ...]] = {}
    trees: dict[InstanceNumber, SlotwiseTree] = {}
    parents: dict[InstanceNumber, InstanceNumber] = {}
    for number, instance in enumerate(instances):
        subordinates = instance.profile.subordinates
        if subordinates is None:
            continue
        named_queues = [
            (numbers[queue.queue, instance.host], queue)
            for queue in subordinates.queues
            if queue.queue != instance.queue and (queue.queue, instance.host) in numbers
        ]
        slot_wise = subordinates.slots is not None
        subordinate_queues[number] = tuple(
            SubordinateQueue(other, queue.threshold, slot_wise) for other, queue in named_queues
        )
        if subordinates.slots is not None:
            branches = tuple(
                SlotwiseSubordinate(other, queue.seq_no, queue.action == "lr") for other, queue in named_queues
            )
            trees[number] = SlotwiseTree(subordinates.slots, branches)
            for other, _ in named_queues:
                parents.setdefault(other, number)
    return Subordination(subordinate_queues, trees, parents)
