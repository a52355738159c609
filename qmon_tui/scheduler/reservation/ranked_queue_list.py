"""The list of queue instances in a run with reservations, in 8.1.9's exact order.

Full and closed queue instances are appended and removed again, so the list is not always sorted. An instance that is
not in the list when hosts are ranked keeps its old rank: initially 0, before all others.

Source: dispatch.md#order-of-queue-instances.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

_GLOBAL_LOAD = 0.0


class RankedQueueList:
    """A list of queue instances by number, sorted when the ranks of their hosts by load have changed."""

    def __init__(
        self,
        seq_nos: Sequence[int],
        host_of: Sequence[int],
        loads: Sequence[float],
        by_seqno: bool,
        members: Iterable[int],
    ) -> None:
        self._seq_nos = seq_nos
        self._host_of = host_of
        self._loads = list(loads)
        self._by_seqno = by_seqno
        self._numbers = list(members)
        self._places: dict[int, int] | None = None
        """Queue instance -> index in the list; None: not computed since the list changed."""
        self._ranks = [0] * len(seq_nos)
        """Queue instance number -> rank that it is sorted by."""
        self._host_ranks: list[int] = []
        """Host number -> rank at the last ranking; empty if all ranks count as changed."""
        self._loads_changed = True
        self._ranks_changed = False
        self.must_sort = True
        """True if no job was tried yet in this run, or the last job arranged the list."""

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[int]:
        return iter(self._numbers)

    def __contains__(self, number: int) -> bool:
        return number in self._place()

    def _place(self) -> dict[int, int]:
        if self._places is None:
            self._places = {number: position for position, number in enumerate(self._numbers)}
        return self._places

    def load(self, number: int) -> float:
        """Return the load of a queue instance's host."""
        return self._loads[self._host_of[number]]

    def in_order(self, numbers: Iterable[int]) -> list[int]:
        places = self._place()
        return sorted({number for number in numbers if number in places}, key=places.__getitem__)

    def remove(self, number: int) -> None:
        if number in self._place():
            self._numbers.remove(number)
            self._places = None

    def append(self, numbers: Iterable[int]) -> None:
        self._numbers += numbers
        self._places = None

    def set_load(self, numbers: Sequence[int], load: float) -> None:
        for number in numbers:
            host = self._host_of[number]
            if self._loads[host] != load:
                self._loads[host] = load
                self._loads_changed = True

    def begin(self) -> None:
        """Begin with the next job: loads changed since the job before lead to a new ranking."""
        self._ranks_changed = self._loads_changed
        self._loads_changed = False

    def rank(self, host_ranks: Sequence[int] | None = None) -> None:
        """If a load has changed since the job before, rank the hosts, and the instances in the list by their hosts.

        `host_ranks`: the ranks from the scheduler's list of hosts if that may not be sorted; None: ranks by load.
        """
        if not self._ranks_changed:
            return
        before, self._host_ranks = self._host_ranks, list(host_ranks or self._ranks_by_load())
        for number in self._numbers:
            self._ranks[number] = self._host_ranks[self._host_of[number]]
        self._ranks_changed = before != self._host_ranks

    def _ranks_by_load(self) -> Iterator[int]:
        ranks = {load: rank for rank, load in enumerate(sorted({_GLOBAL_LOAD, *self._loads}))}
        return (ranks[load] for load in self._loads)

    def note_ranks(self, *, has_visited_hosts: bool) -> None:
        if has_visited_hosts:
            self._host_ranks = []

    @property
    def is_sorted(self) -> bool:
        return not (self.must_sort or self._ranks_changed)

    def sort(self) -> None:
        if not self.is_sorted:
            self._numbers.sort(key=self._key)
            self._places = None

    def arrange(self, rank: Callable[[int], tuple[int, int]]) -> None:
        self._numbers.sort(key=lambda number: (*rank(number), *self._key(number)))
        self._places = None

    def restore_order(self, numbers: Sequence[int]) -> None:
        self._numbers = list(numbers)
        self._places = None

    def current_order(self) -> Sequence[int]:
        return list(self._numbers)

    def _key(self, number: int) -> tuple[int, int]:
        rank, seq_no = self._ranks[number], self._seq_nos[number]
        return (seq_no, rank) if self._by_seqno else (rank, seq_no)
