"""The list of queue instances where there may be reservations, in every detail of its order.

Full and closed queue instances come to its end and leave it again, so that it is not always sorted, and a queue
instance that was not in the list when the hosts were ranked keeps the rank that it had: 0 at first, which is before
all others.

Source: dispatch.md#order-of-queue-instances.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

_GLOBAL_LOAD = 0.0
"""The global host is ranked with the others."""


class RankedQueueList:
    """A list of queue instances, known by number, that is sorted when hosts change their ranks by load."""

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
        self._ranks = [0] * len(seq_nos)
        self._host_ranks: list[int] = []
        self._loads_changed = True
        self._ranks_changed = False
        self.must_sort = True
        """No job was placed yet in this run, or the last one has left the list in another order."""

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
        """The load of a queue instance's host."""
        return self._loads[self._host_of[number]]

    def in_order(self, numbers: Iterable[int]) -> list[int]:
        """Those of some queue instances that are in the list, in its order."""
        places = self._place()
        return sorted({number for number in numbers if number in places}, key=places.__getitem__)

    def remove(self, number: int) -> None:
        """Take a queue instance out; nothing happens where it is out already."""
        if number in self._place():
            self._numbers.remove(number)
            self._places = None

    def append(self, numbers: Iterable[int]) -> None:
        """Put queue instances at the end."""
        self._numbers += numbers
        self._places = None

    def set_load(self, numbers: Sequence[int], load: float) -> None:
        """Note that the load value of one host, with these queue instances, has changed."""
        for number in numbers:
            host = self._host_of[number]
            if self._loads[host] != load:
                self._loads[host] = load
                self._loads_changed = True

    def begin(self) -> None:
        """A job is looked at."""
        self._ranks_changed = self._loads_changed
        self._loads_changed = False

    def rank(self, host_ranks: Sequence[int] | None = None) -> None:
        """Rank the hosts, if some load has changed since the job before, and those of their instances in the list.

        With `host_ranks` where the scheduler's list of hosts may be in another order than that of their loads.
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
        """As in `QueueList`."""
        if has_visited_hosts:
            self._host_ranks = []

    @property
    def is_sorted(self) -> bool:
        """True if the list is left as it is."""
        return not (self.must_sort or self._ranks_changed)

    def sort(self) -> None:
        """Sort the list, if there is a reason to."""
        if not self.is_sorted:
            self._numbers.sort(key=self._key)
            self._places = None

    def arrange(self, rank: Callable[[int], tuple[int, int]]) -> None:
        """Sort by something that comes before load and seq_no, and leave the list so."""
        self._numbers.sort(key=lambda number: (*rank(number), *self._key(number)))
        self._places = None

    def restore_order(self, numbers: Sequence[int]) -> None:
        """Put the list back into an order that it had before."""
        self._numbers = list(numbers)
        self._places = None

    def current_order(self) -> Sequence[int]:
        """The list as it is now, whatever becomes of it."""
        return list(self._numbers)

    def _key(self, number: int) -> tuple[int, int]:
        rank, seq_no = self._ranks[number], self._seq_nos[number]
        return (seq_no, rank) if self._by_seqno else (rank, seq_no)
