"""Slots collected from the queue instances of one host after the other.

Until the master queue is chosen, one slot is left for it. In a -masterq instance that -q excludes, only the master's
slot is taken. If a host gives too few slots, they are returned.

Source: parallel.md#slots-taken-from-a-host and parallel.md#master-queue.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from qmon_tui.scheduler.configuration import FILL_UP
from qmon_tui.scheduler.matching import ANY_TASK, NOT_NOW_MASTER
from qmon_tui.scheduler.parallel.pe_attempt import PeAttempt


@dataclass(slots=True)
class CollectedSlots:
    """The number of slots that a job could have once all running jobs have ended; nothing is granted.

    In each pass of $round_robin 8.1.9 forgets which slots were taken, but keeps those available.
    """

    pe_attempt: PeAttempt
    free_slots: dict[int, int]
    """Queue instance -> slots it can still give."""
    unvisited_slots: int = 0
    """Slots assumed for a queue instance that was not checked."""
    lowest_master_mark: int = NOT_NOW_MASTER
    """The lowest mark (NOT_MASTER, NOT_NOW_MASTER, ANY_TASK) with which an instance can be the master queue."""
    collected: int = 0
    has_master: bool = False

    @property
    def is_complete(self) -> bool:
        """True if the job has all slots and a master queue."""
        return self.has_master and self.collected >= self.pe_attempt.slots

    def take(self, members: Sequence[int], room: int) -> bool:
        """Take up to `room` slots of a host's queue instances; if they give too few, take none and return False."""
        pe_attempt = self.pe_attempt
        most = pe_attempt.rule
        if most <= 0:
            # Rule 0 (the slots cannot be divided among hosts) is tried only for a reservation: one slot per host.
            most = min(pe_attempt.slots - self.collected, room) if most == FILL_UP else 1
        total = 0
        taken: list[tuple[int, int]] = []
        got_master = self.has_master
        for number in members:
            available = self.free_slots.get(number, self.unvisited_slots)
            if not available:
                continue
            amount = most - total if available < 0 else min(available, most - total)
            if not got_master:
                amount = self._amount_before_master(number, amount, self.collected + total)
            amount = self._allowed_by_quotas(number, amount)
            self.free_slots[number] = amount
            if amount:
                taken.append((number, amount))
                total += amount
            if amount > 0:
                got_master |= self._note_taken(number, amount)
            if total == most:
                break
        if total < pe_attempt.least:
            for number, amount in taken:
                self._give_back(number, amount)
            self.free_slots.update(dict.fromkeys(members, 0))
            return False
        self.has_master |= got_master
        self.collected += total
        return True

    def _amount_before_master(self, number: int, amount: int, collected: int) -> int:
        """Return the slots to take from a queue instance while there is no master queue."""
        pe_attempt = self.pe_attempt
        if pe_attempt.master(number) < self.lowest_master_mark:
            return amount - (collected + amount == pe_attempt.slots)
        demand = pe_attempt.placement_request.demand
        if demand.master_queues and demand.queues:
            instance = pe_attempt.context.resources.instances[number]
            if not pe_attempt.context.rules.matches(instance, demand.queues):
                return min(amount, 1)
        return amount

    def _allowed_by_quotas(self, number: int, amount: int) -> int:
        """Return how many of `amount` slots quotas allow, and count these as taken."""
        remaining_quota = self.pe_attempt.remaining_quota
        return remaining_quota.take_later(number, amount) if remaining_quota is not None else amount

    def _note_taken(self, number: int, amount: int) -> bool:
        """Record slots taken; return True if the queue instance becomes the master queue."""
        return not self.has_master and self.pe_attempt.master(number) >= self.lowest_master_mark

    def _give_back(self, number: int, amount: int) -> None:
        if self.pe_attempt.remaining_quota is not None:
            self.pe_attempt.remaining_quota.give_back_later(number, amount)


@dataclass(slots=True)
class GrantedSlots(CollectedSlots):
    """The slots that a job gets now, and their queue instances."""

    unvisited_slots: int = 1
    lowest_master_mark: int = ANY_TASK
    granted: dict[int, int] = field(default_factory=dict)
    sequence: list[int] = field(default_factory=list)
    """The queue instances in the order of collection, the master queue first."""
    violations: int = 0
    """Violated soft requests, summed over the slots.

    For a job without soft requests 8.1.9 adds nothing when it takes slots, but when it returns them it subtracts the
    violations of the last job with soft requests (parallel.md#soft-requests-of-parallel-jobs).
    """

    def given(self, members: Iterable[int]) -> int:
        """Return the total of slots that these queue instances have given so far."""
        return sum(self.granted.get(number, 0) for number in members) if self.granted else 0

    def _allowed_by_quotas(self, number: int, amount: int) -> int:
        remaining_quota = self.pe_attempt.remaining_quota
        return remaining_quota.take(number, amount) if remaining_quota is not None else amount

    def _note_taken(self, number: int, amount: int) -> bool:
        if self.pe_attempt.soft is not None:
            self.violations += amount * self._left_violations(number)
        if number in self.granted:
            self.granted[number] += amount
            return False
        self.granted[number] = amount
        is_master = not self.has_master and self.pe_attempt.master(number) >= self.lowest_master_mark
        self.sequence.insert(0 if is_master else len(self.sequence), number)
        return is_master

    def _give_back(self, number: int, amount: int) -> None:
        if self.pe_attempt.remaining_quota is not None:
            self.pe_attempt.remaining_quota.give_back(number, amount)
        self.violations -= amount * self._left_violations(number)
        if number not in self.granted:
            return
        self.granted[number] -= amount
        if not self.granted[number]:
            del self.granted[number]
            self.sequence.remove(number)

    def _left_violations(self, number: int) -> int:
        return self.pe_attempt.context.resources.left_violations.get(number, 0)
