"""The queue instances in the order in which they are tried, and the ranks of hosts that make it be sorted again.

The rule: a stable sort by (load of the host, seq_no), or the other way round with queue_sort_method seqno, repeated
before the next job is tried whenever a host's load value has changed (dispatch.md#order-of-queue-instances). Being
stable, it lets history decide ties: queue instances that move back come before those they are now equal to, those that
move forward after them. Instead of sorting again, each moved instance gets a third key that puts it exactly there.
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
    """The loads of all hosts when they were ranked, and what has changed since."""

    def __init__(self, host_of: Sequence[int], loads: Sequence[float]) -> None:
        self._host_of = host_of
        self._loads = loads
        self._sorted = sorted([_GLOBAL_LOAD, *loads])
        self._changed: dict[int, float] = {}
        self._is_forgotten = False
        self._is_other: bool | None = False
        self.has_news = False
        """The load of some host has changed since; as long as none has, the hosts are not ranked again."""

    def note(self, number: int, load: float) -> None:
        """The load of a queue instance's host is another one from now on, or the same."""
        host = self._host_of[number]
        if load != self._changed.get(host, self._loads[host]):
            self._changed[host] = load
            self._is_other = None
            self.has_news = True

    def forget(self) -> None:
        """The hosts were given numbers of another kind: as soon as some load changes, all seem to have another rank."""
        self._is_forgotten = True
        self._is_other = False
        self.has_news = False

    @property
    def is_other(self) -> bool:
        """True if some host has another rank now."""
        if self._is_other is None:
            self._is_other = self._is_forgotten or self._differs()
        return self._is_other

    def _differs(self) -> bool:
        changed = {host: load for host, load in self._changed.items() if load != self._loads[host]}
        if len(changed) == 1:
            ((host, load),) = changed.items()
            return self._passes(self._loads[host], load)
        now = [changed.get(host, load) for host, load in enumerate(self._loads)]
        return _ranks(now) != _ranks(self._loads)

    def _passes(self, before: float, now: float) -> bool:
        """True if one host that leaves its load for another one leaves, meets or passes any other host."""
        low, high = min(before, now), max(before, now)
        return bisect_right(self._sorted, high) - bisect_left(self._sorted, low) > 1


def _ranks(loads: Sequence[float]) -> list[int]:
    ranks = {load: rank for rank, load in enumerate(sorted({_GLOBAL_LOAD, *loads}))}
    return [ranks[load] for load in loads]


class QueueList(Protocol):
    """The list of usable queue instances, known by number, as the loop and parallel jobs see it."""

    must_sort: bool
    """The next job finds the list sorted, whatever arrangement the last one has left."""

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[int]: ...
    def __contains__(self, number: int) -> bool: ...
    def load(self, number: int) -> float:
        """The load by which a queue instance is sorted."""

    def in_order(self, numbers: Iterable[int]) -> list[int]:
        """Those of some queue instances that are in the list, in its order."""

    def remove(self, number: int) -> None:
        """Take a queue instance out; nothing happens where it is out already."""

    def set_load(self, numbers: Sequence[int], load: float) -> None:
        """Note that the load value of one host, with these queue instances, has changed."""

    @property
    def is_sorted(self) -> bool:
        """True if sorting would change nothing."""

    def sort(self) -> None:
        """Sort the list where there is a reason to."""

    def note_ranks(self, *, has_visited_hosts: bool) -> None:
        """A parallel job has had the hosts ranked.

        Where it has not looked at them, nothing was sorted by the new ranks; else it leaves them with numbers of
        another kind, so that they will all seem to have changed.
        """

    def arrange(self, rank: Callable[[int], tuple[int, int]]) -> None:
        """Sort by something that comes before load and seq_no, and leave the list so."""

    def restore_order(self, numbers: Sequence[int]) -> None:
        """Put the list back into an order that it had before."""

    def current_order(self) -> Sequence[int]:
        """The list as it is now, whatever becomes of it."""


class QueueOrder:
    """A sorted list of queue instances, known by number."""

    def __init__(
        self,
        seq_nos: Sequence[int],
        loads: Sequence[float],
        by_seqno: bool,
        members: Sequence[int],
        rank: Callable[[], HostRanks] | None = None,
    ) -> None:
        """`rank` ranks all hosts by their loads as they are then; it need not where nobody starts anything."""
        self._rank = rank
        self._seq_nos = seq_nos
        self._by_seqno = by_seqno
        self._first_tie = 0
        self._last_tie = len(seq_nos)
        of_members = map(float, map(seq_nos.__getitem__, members)), map(loads.__getitem__, members)
        first, second = of_members if by_seqno else reversed(of_members)
        self._keys: dict[int, Key] = dict(zip(members, zip(first, second, count(), members), strict=False))
        self._is_new = True
        """Nobody has sorted or arranged the list: its keys are in the order of the list."""
        self._sorted: list[Key] = []
        self._moved: dict[int, float] = {}
        """Loads that have changed since the last sort."""
        self._latest = list(loads)
        self._has_news = False
        """The load of some host has changed since, though none of its queue instances need be left in the list."""
        self._arranged: list[int] | None = list(members)
        """The order of a list that is not sorted yet, or that a parallel job with soft requests has left so."""
        self._sorts = 0
        """How often the whole list was sorted."""
        self._entered: list[Key] = []
        """The new keys of all queue instances that have moved since."""
        self._changes = 0
        """How often something in the sorted list has changed its position."""
        self.must_sort = True
        """The next job finds the list sorted, whatever arrangement the last one has left."""
        self._ranking: HostRanks | None = None
        """The hosts were ranked then without the list being sorted."""

    def take_over(self, before: "QueueOrder") -> None:
        """Be the list that another one has become, which nobody changes any more."""
        self.__dict__.update(before.__dict__ | {"_rank": self._rank})

    def __len__(self) -> int:
        return len(self._keys)

    def __iter__(self) -> Iterator[int]:
        return iter(self._arranged) if self._arranged is not None else (key[3] for key in self._sorted)

    def __contains__(self, number: int) -> bool:
        return number in self._keys

    def load(self, number: int) -> float:
        """The load by which a queue instance in the list was sorted last."""
        return self._keys[number][1 if self._by_seqno else 0]

    @property
    def is_arranged(self) -> bool:
        """True if the list is in another order than that of its keys, so that no cursor helps."""
        return self._arranged is not None

    def next_from(self, cursor: Cursor, useless: Container[int]) -> int | None:
        """The first queue instance that is not useless; the cursor then stands there. The list must not be arranged.

        Everything useless must stay so.
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
        """The same for the first queue instance that is on none of some hosts."""
        keys = self._sorted
        for position in range(self._position(cursor), len(keys)):
            number = keys[position][3]
            if host_of[number] not in hosts:
                cursor.key, cursor.position = keys[position], position
                return number
        return None

    def rest(self, cursor: Cursor) -> Iterator[int]:
        """The list from the cursor on; all of it where it is arranged."""
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
        """Those of some queue instances that are in the list, in its order."""
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
        """Take a queue instance out; nothing happens where it is out already."""
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
        """Note that the load value of one host, with these queue instances, has changed; the next sort will use it."""
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
        """True if sorting would change nothing."""
        if self._ranking is not None:
            return not (self.must_sort or self._ranking.is_other)
        return not self._moved and (self._arranged is None or not (self.must_sort or self._has_news))

    def sort(self) -> None:
        """Move the queue instances whose load has changed to where a stable sort puts them.

        An arrangement that was left by a job that could not be placed stays until some load changes, and one for which
        the hosts were ranked until some rank does.
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
            self._move()
        self._moved.clear()
        self._has_news = False

    def note_ranks(self, *, has_visited_hosts: bool) -> None:
        """As in `QueueList`; the list then stays as it is until some host has another rank."""
        ranking = self._ranking
        if has_visited_hosts:
            if ranking is not None:
                ranking.forget()
        elif self._rank is not None and (self._is_to_rank if ranking is None else ranking.has_news):
            self._arranged, self._is_new = list(self), False
            self._ranking = self._rank()

    @property
    def _is_to_rank(self) -> bool:
        return bool(self._moved) or (self._arranged is not None and self._has_news)

    def arrange(self, rank: Callable[[int], tuple[int, int]]) -> None:
        """Sort by something that comes before load and seq_no, and leave the list so."""
        before, self._is_new = list(self), False
        self._arranged = sorted(before, key=lambda number: (*rank(number), *self._keys[number][:2]))

    def restore_order(self, numbers: Sequence[int]) -> None:
        """Put the list back into an order that it had before."""
        self._arranged, self._is_new = list(numbers), False

    def current_order(self) -> Sequence[int]:
        """As in `QueueList`; mostly nobody looks at it."""
        return list(self._arranged) if self._arranged is not None else LazySequence(self._sorted.copy(), itemgetter(3))

    def _move(self) -> None:
        self._changes += 1
        moving = sorted(self._keys[number] for number in self._moved)
        for key in moving:
            del self._sorted[bisect_left(self._sorted, key)]
        rising = [key for key in moving if self._moved[key[3]] > self.load(key[3])]
        falling = [key for key in moving if self._moved[key[3]] <= self.load(key[3])]
        for key in reversed(rising):
            self._first_tie -= 1
            self._enter(key[3], self._first_tie)
        for key in falling:
            self._last_tie += 1
            self._enter(key[3], self._last_tie)

    def _enter(self, number: int, tie: int) -> None:
        key = self._keys[number] = self._key(number, self._moved[number], tie)
        insort(self._sorted, key)
        self._entered.append(key)

    def _key(self, number: int, load: float, tie: int) -> Key:
        seq_no = float(self._seq_nos[number])
        return (seq_no, load, tie, number) if self._by_seqno else (load, seq_no, tie, number)
