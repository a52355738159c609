"""The order in which queue instances are tried, and the host ranks that trigger sorting.

The list is sorted stably by (load of the host, seq_no), or the reverse with queue_sort_method seqno, before the next
job is tried whenever a host's load value has changed (dispatch.md#order-of-queue-instances). Stable sorting lets
history decide ties: an instance that moves back comes before those it now equals, one that moves forward after them.
Instead of sorting again, each moved instance gets a third key that puts it exactly there.
"""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from itertools import count
from operator import itemgetter
from typing import Protocol

from qmon_tui.model import LazySequence
from qmon_tui.scheduler.jobs import Cursor, Key

_GLOBAL_LOAD = 0.0
"""The global host is ranked with the others."""


class HostRanks:
    """The loads of all hosts when they were ranked, and the changes since."""

    def __init__(self, host_of: Sequence[int], loads: Sequence[float]) -> None:
        self._host_of = host_of
        self._loads = loads
        self._sorted = sorted([_GLOBAL_LOAD, *loads])
        self._changed: dict[int, float] = {}
        self._is_forgotten = False
        self._is_other: bool | None = False
        """True if the rank of some host has changed; None: not known yet."""
        self.has_news = False
        """True if a host's load has changed since the ranking; otherwise the hosts are not ranked again."""

    def note(self, number: int, load: float) -> None:
        """Record the load of a queue instance's host."""
        host = self._host_of[number]
        if load != self._changed.get(host, self._loads[host]):
            self._changed[host] = load
            self._is_other = None
            self.has_news = True

    def forget(self) -> None:
        """Count all ranks as changed from the next load change on: 8.1.9 has overwritten the hosts' ranks."""
        self._is_forgotten = True
        self._is_other = False
        self.has_news = False

    @property
    def is_other(self) -> bool:
        """True if the rank of some host has changed since the ranking."""
        if self._is_other is None:
            self._is_other = self._is_forgotten or self._have_ranks_changed()
        return self._is_other

    def _have_ranks_changed(self) -> bool:
        changed = {host: load for host, load in self._changed.items() if load != self._loads[host]}
        if len(changed) == 1:
            ((host, load),) = changed.items()
            return self._passes_another_host(self._loads[host], load)
        now = [changed.get(host, load) for host, load in enumerate(self._loads)]
        return _ranks(now) != _ranks(self._loads)

    def _passes_another_host(self, before: float, now: float) -> bool:
        """True if a host whose load changes leaves, meets or passes another host."""
        low, high = min(before, now), max(before, now)
        return bisect_right(self._sorted, high) - bisect_left(self._sorted, low) > 1


def _ranks(loads: Sequence[float]) -> list[int]:
    ranks = {load: rank for rank, load in enumerate(sorted({_GLOBAL_LOAD, *loads}))}
    return [ranks[load] for load in loads]


class QueueList(Protocol):
    """The list of usable queue instances (by number) in the order in which jobs try them."""

    must_sort: bool
    """True if the next job must sort the list even if no load has changed since it was arranged."""

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[int]: ...
    def __contains__(self, number: int) -> bool: ...
    def load(self, number: int) -> float:
        """Return the load that a queue instance is sorted by."""

    def in_order(self, numbers: Iterable[int]) -> list[int]:
        """Return the given queue instances that are in the list, in its order."""

    def remove(self, number: int) -> None:
        """Remove a queue instance if it is in the list."""

    def set_load(self, numbers: Sequence[int], load: float) -> None:
        """Record the load value of the host of these queue instances."""

    @property
    def is_sorted(self) -> bool:
        """True if sorting would change nothing."""

    def sort(self) -> None:
        """Sort the list if needed."""

    def note_ranks(self, *, has_visited_hosts: bool) -> None:
        """Record that the search for a parallel job had the hosts ranked.

        If it visited no hosts, the list keeps its order until a rank changes. If it did, 8.1.9 has overwritten the
        ranks, so all of them count as changed.
        """

    def arrange(self, rank: Callable[[int], tuple[int, int]]) -> None:
        """Sort by `rank`, then by load and seq_no (or the reverse); the list keeps this order until `sort`."""

    def restore_order(self, numbers: Sequence[int]) -> None:
        """Give the list this earlier order."""

    def current_order(self) -> Sequence[int]:
        """Return the present order; later changes do not affect it."""


class QueueOrder:
    """A sorted list of queue instances by number."""

    def __init__(
        self,
        seq_nos: Sequence[int],
        loads: Sequence[float],
        by_seqno: bool,
        members: Sequence[int],
        rank: Callable[[], HostRanks] | None = None,
    ) -> None:
        """`rank` ranks all hosts by their present loads; None if no parallel job can start."""
        self._rank = rank
        self._seq_nos = seq_nos
        self._by_seqno = by_seqno
        self._first_tie = 0
        self._last_tie = len(seq_nos)
        """The lowest and highest tie breaker (third part of a key) so far."""
        of_members = map(float, map(seq_nos.__getitem__, members)), map(loads.__getitem__, members)
        first, second = of_members if by_seqno else reversed(of_members)
        self._keys: dict[int, Key] = dict(zip(members, zip(first, second, count(), members), strict=False))
        self._is_new = True
        """True if the list was neither sorted nor arranged: its keys are in its order."""
        self._sorted: list[Key] = []
        self._moved: dict[int, float] = {}
        """Queue instance -> load changed since the last sort."""
        self._latest = list(loads)
        self._has_news = False
        """True if a host's load has changed since the last sort, even if its queue instances were removed."""
        self._arranged: list[int] | None = list(members)
        """The order of a list that is not sorted yet, or that a parallel job has arranged; None if `_sorted` has it."""
        self._sorts = 0
        """Number of sorts of the whole list."""
        self._entered: list[Key] = []
        """The new keys of all queue instances moved since the last sort of the whole list."""
        self._changes = 0
        """Number of position changes in the sorted list."""
        self.must_sort = True
        self._ranking: HostRanks | None = None
        """Host ranks taken by a parallel job while a sort was due; None if there are none."""

    def take_over(self, before: "QueueOrder") -> None:
        """Take the state of `before`, which must not be used again."""
        self.__dict__.update(before.__dict__ | {"_rank": self._rank})

    def __len__(self) -> int:
        return len(self._keys)

    def __iter__(self) -> Iterator[int]:
        return iter(self._arranged) if self._arranged is not None else (key[3] for key in self._sorted)

    def __contains__(self, number: int) -> bool:
        return number in self._keys

    def load(self, number: int) -> float:
        """Return the load that a queue instance was last sorted by."""
        return self._keys[number][1 if self._by_seqno else 0]

    @property
    def is_arranged(self) -> bool:
        """True if the list is not in the order of its keys, so that cursors are invalid."""
        return self._arranged is not None

    def next_from(self, cursor: Cursor, useless: Container[int]) -> int | None:
        """Return the first queue instance that is not in `useless`, and move the cursor there; None if there is none.

        The list must not be arranged, and useless instances must stay so.
        """
        keys = self._sorted
        first = cursor.position if cursor.changes == self._changes else self._position(cursor)
        for position in range(first, len(keys)):
            number = keys[position][3]
            if number not in useless:
                cursor.key, cursor.position = keys[position], position
                return number
        return None

    def next_elsewhere(self, cursor: Cursor, hosts: Container[int], host_of: Sequence[int]) -> int | None:
        """Return the first queue instance on none of these hosts, and move the cursor there; None if there is none."""
        keys = self._sorted
        for position in range(self._position(cursor), len(keys)):
            number = keys[position][3]
            if host_of[number] not in hosts:
                cursor.key, cursor.position = keys[position], position
                return number
        return None

    def rest(self, cursor: Cursor) -> Iterator[int]:
        """Return the list from the cursor on; all of it if arranged."""
        if self._arranged is not None:
            return iter(self._arranged)
        keys = self._sorted
        return (keys[position][3] for position in range(self._position(cursor), len(keys)))

    def _position(self, cursor: Cursor) -> int:
        if cursor.changes == self._changes:
            return cursor.position
        cursor.changes = self._changes
        cursor.position = self._position_of_key(cursor)
        return cursor.position

    def _position_of_key(self, cursor: Cursor) -> int:
        if cursor.sorts != self._sorts:
            cursor.key, cursor.sorts, cursor.entries = None, self._sorts, len(self._entered)
        if cursor.key is None:
            return 0
        if cursor.entries < len(self._entered):
            cursor.key = min(cursor.key, min(self._entered[cursor.entries :]))
            cursor.entries = len(self._entered)
        return bisect_left(self._sorted, cursor.key)

    def in_order(self, numbers: Iterable[int]) -> list[int]:
        keys = self._keys
        numbers = [number for number in numbers if number in keys]
        if len(numbers) < 2:
            return numbers
        if self._arranged is not None:
            wanted = set(numbers)
            return [number for number in self._arranged if number in wanted]
        numbers.sort(key=keys.__getitem__)
        return numbers

    def remove(self, number: int) -> None:
        key = self._keys.pop(number, None)
        if key is None:
            return
        self._moved.pop(number, None)
        if self._arranged is not None:
            self._arranged.remove(number)
        else:
            del self._sorted[bisect_left(self._sorted, key)]
            self._changes += 1

    def set_load(self, numbers: Sequence[int], load: float) -> None:
        if self._ranking is not None and numbers:
            self._ranking.note(numbers[0], load)
        for number in numbers:
            if load != self._latest[number]:
                self._latest[number], self._has_news = load, True
            if number not in self._keys:
                continue
            if load == self.load(number):
                self._moved.pop(number, None)
            else:
                self._moved[number] = load

    @property
    def is_sorted(self) -> bool:
        if self._ranking is not None:
            return not (self.must_sort or self._ranking.is_other)
        return not self._moved and (self._arranged is None or not (self.must_sort or self._has_news))

    def sort(self) -> None:
        """Move queue instances with changed loads to where a stable sort puts them.

        The arrangement by a job that could not be placed stays until a load changes or, if it ranked the hosts, until
        a rank changes.
        """
        if self._ranking is not None:
            if self.is_sorted:
                return
            self._ranking = None
        if self._arranged is not None and (self.must_sort or self._moved or self._has_news):
            if self._moved or not self._is_new:
                loads = {number: self._moved.get(number, self.load(number)) for number in self._arranged}
                self._keys = {
                    number: self._key(number, loads[number], tie) for tie, number in enumerate(self._arranged)
                }
                self._first_tie, self._last_tie = 0, len(self._arranged)
            self._is_new = False
            self._sorted = sorted(self._keys.values())
            self._sorts += 1
            self._changes += 1
            self._entered.clear()
            self._arranged = None
        elif self._moved:
            self._insert_moved()
        self._moved.clear()
        self._has_news = False

    def note_ranks(self, *, has_visited_hosts: bool) -> None:
        """Rank the hosts, or forget their ranks if the search visited hosts; see `QueueList.note_ranks`."""
        ranking = self._ranking
        if has_visited_hosts:
            if ranking is not None:
                ranking.forget()
        elif self._rank is not None and (self._needs_sort if ranking is None else ranking.has_news):
            self._arranged, self._is_new = list(self), False
            self._ranking = self._rank()

    @property
    def _needs_sort(self) -> bool:
        return bool(self._moved) or (self._arranged is not None and self._has_news)

    def arrange(self, rank: Callable[[int], tuple[int, int]]) -> None:
        before, self._is_new = list(self), False
        self._arranged = sorted(before, key=lambda number: (*rank(number), *self._keys[number][:2]))

    def restore_order(self, numbers: Sequence[int]) -> None:
        self._arranged, self._is_new = list(numbers), False

    def current_order(self) -> Sequence[int]:
        return list(self._arranged) if self._arranged is not None else LazySequence(self._sorted.copy(), itemgetter(3))

    def _insert_moved(self) -> None:
        """Move the queue instances in `_moved`: those with rising loads before, others after all with equal keys."""
        self._changes += 1
        moving = sorted(self._keys[number] for number in self._moved)
        for key in moving:
            del self._sorted[bisect_left(self._sorted, key)]
        rising = [key for key in moving if self._moved[key[3]] > self.load(key[3])]
        falling = [key for key in moving if self._moved[key[3]] <= self.load(key[3])]
        for key in reversed(rising):
            self._first_tie -= 1
            self._insert(key[3], self._first_tie)
        for key in falling:
            self._last_tie += 1
            self._insert(key[3], self._last_tie)

    def _insert(self, number: int, tie: int) -> None:
        key = self._keys[number] = self._key(number, self._moved[number], tie)
        insort(self._sorted, key)
        self._entered.append(key)

    def _key(self, number: int, load: float, tie: int) -> Key:
        seq_no = float(self._seq_nos[number])
        return (seq_no, load, tie, number) if self._by_seqno else (load, seq_no, tie, number)
