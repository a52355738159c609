"""The list of queue instances without shortcuts, sorted when a load has changed: the reference for `QueueOrder`.

Source: dispatch.md#order-of-queue-instances.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from qmon_tui.scheduler.placement.queue_order import HostRanks


class PlainQueueList:
    """Queue instances in a list that is searched linearly and sorted as a whole."""

    def __init__(
        self,
        seq_nos: Sequence[int],
        loads: Sequence[float],
        by_seqno: bool,
        members: Sequence[int],
        rank: Callable[[], HostRanks],
    ) -> None:
        self._rank_hosts = rank
        self._host_ranks: HostRanks | None = None
        self._members = list(members)
        self._loads = {number: loads[number] for number in members}
        self._latest = list(loads)
        self._has_news = False
        """True if a host's load has changed since the last sort, even if its queue instances were removed."""
        self._new: dict[int, float] = {}
        """Queue instance -> load changed since the last sort."""
        self._seq_nos = seq_nos
        self._by_seqno = by_seqno
        self._is_arranged = True
        self.must_sort = True

    def __len__(self) -> int:
        return len(self._members)

    def __iter__(self) -> Iterator[int]:
        return iter(tuple(self._members))

    def current_order(self) -> Sequence[int]:
        return tuple(self._members)

    def __contains__(self, number: int) -> bool:
        return number in self._members

    def load(self, number: int) -> float:
        return self._loads[number]

    def in_order(self, numbers: Iterable[int]) -> list[int]:
        wanted = set(numbers)
        return [number for number in self._members if number in wanted]

    def remove(self, number: int) -> None:
        if number in self._members:
            self._members.remove(number)
            self._new.pop(number, None)

    def set_load(self, numbers: Sequence[int], load: float) -> None:
        if self._host_ranks is not None and numbers:
            self._host_ranks.note(numbers[0], load)
        for number in numbers:
            self._has_news |= load != self._latest[number]
            self._latest[number] = load
        for number in numbers:
            self._new.pop(number, None)
            if number in self._members and load != self._loads[number]:
                self._new[number] = load

    @property
    def is_sorted(self) -> bool:
        if self._host_ranks is not None:
            return not (self.must_sort or self._host_ranks.is_other)
        return not self._new and not (self._is_arranged and (self.must_sort or self._has_news))

    def sort(self) -> None:
        is_sorted = self.is_sorted
        if self._host_ranks is None:
            self._has_news = False
        if not is_sorted:
            self._has_news = False
            self._host_ranks = None
            self._loads.update(self._new)
            self._new.clear()
            self._members.sort(key=self._rank)
            self._is_arranged = False

    def note_ranks(self, *, has_visited_hosts: bool) -> None:
        host_ranks = self._host_ranks
        if has_visited_hosts:
            if host_ranks is not None:
                host_ranks.forget()
        else:
            needs_sort = bool(self._new) or (self._is_arranged and self._has_news)
            if needs_sort if host_ranks is None else host_ranks.has_news:
                self._host_ranks = self._rank_hosts()

    def arrange(self, rank: Callable[[int], tuple[int, int]]) -> None:
        self._members.sort(key=lambda number: (*rank(number), *self._rank(number)))
        self._is_arranged = True

    def restore_order(self, numbers: Sequence[int]) -> None:
        self._members = list(numbers)
        self._is_arranged = True

    def _rank(self, number: int) -> tuple[float, float]:
        rank = (self._loads[number], float(self._seq_nos[number]))
        return rank[::-1] if self._by_seqno else rank
