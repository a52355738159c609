"""Queue instances that suspend others on their host, or single tasks in them (queue_conf(5) subordinate_list)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from qmon_tui.scheduler.configuration.queues import QueueInstance

InstanceNumber = int
"""Index in `CompiledCluster.instances`."""


@dataclass(frozen=True, slots=True)
class SubordinateQueue:
    """One entry of a subordinate list."""

    instance: InstanceNumber
    threshold: int
    """Number of used slots of the superordinate from which on the subordinate is suspended; 0: all slots."""
    slot_wise: bool


@dataclass(frozen=True, slots=True)
class SlotwiseSubordinate:
    """A subordinate in a slot-wise tree."""

    instance: InstanceNumber
    seq_no: int
    longest_first: bool
    """True (action lr): the task with the longest run time is suspended; False (sr): that with the shortest."""


@dataclass(frozen=True, slots=True)
class SlotwiseTree:
    """A slot-wise superordinate with its direct subordinates."""

    slots: int
    """How many tasks may run in the superordinate and below it together."""
    branches: tuple[SlotwiseSubordinate, ...]


@dataclass(frozen=True, slots=True)
class Subordination:
    """All subordinate lists of a cluster, by queue instance; a queue is never its own subordinate."""

    subordinate_queues: Mapping[InstanceNumber, tuple[SubordinateQueue, ...]]
    """Superordinate -> its subordinates."""
    trees: Mapping[InstanceNumber, SlotwiseTree]
    """Slot-wise superordinate -> its tree."""
    parents: Mapping[InstanceNumber, InstanceNumber]
    """Slot-wise subordinate -> its superordinate (the first if there are several)."""

    def subordinates(self, *, only_whole: bool = False) -> frozenset[InstanceNumber]:
        """Return the queue instances that others may suspend; `only_whole` leaves out slot-wise subordinates."""
        subordinate_queues = chain.from_iterable(self.subordinate_queues.values())
        return frozenset(
            subordinate.instance for subordinate in subordinate_queues if not (only_whole and subordinate.slot_wise)
        )

    def suspended_when_full(self) -> frozenset[InstanceNumber]:
        """Return the queue instances that a superordinate suspends as a whole when all of its slots are used."""
        subordinate_queues = chain.from_iterable(self.subordinate_queues.values())
        return frozenset(
            subordinate.instance
            for subordinate in subordinate_queues
            if not subordinate.threshold and not subordinate.slot_wise
        )


def compile_subordination(instances: Sequence[QueueInstance]) -> Subordination | None:
    """Return the subordinate lists by queue instance; None if no queue has one."""
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
