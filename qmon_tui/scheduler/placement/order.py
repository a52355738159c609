"""The queue instances in the order in which they are tried, kept up to date dispatch by dispatch.

The rule: a stable sort by (load of the host, seq_no), or the other way round with queue_sort_method seqno, repeated
whenever a host's load value has changed (dispatch.md section 7.1). Being stable, it lets history decide ties: a queue
instance that moves back comes before those it is now equal to, one that moves forward after them. Instead of sorting
again, each moved instance gets a third key that puts it exactly there.
"""

from bisect import bisect_left, insort
from collections.abc import Iterator, Sequence

Key = tuple[float, float, int, int]
"""Load and seq_no, or seq_no and load; the tie breaker; the number of the queue instance."""


class QueueOrder:
    """A sorted list of queue instances, known by number."""

    def __init__(self, seq_nos: Sequence[int], loads: Sequence[float], by_seqno: bool, members: Sequence[int]) -> None:
        self._seq_nos = seq_nos
        self._by_seqno = by_seqno
        self._first_tie = 0
        self._last_tie = len(seq_nos)
        self._keys: dict[int, Key] = {
            number: self._key(number, loads[number], tie) for tie, number in enumerate(members)
        }
        self._sorted: list[Key] = sorted(self._keys.values())

    def __len__(self) -> int:
        return len(self._sorted)

    def __iter__(self) -> Iterator[int]:
        return (key[3] for key in self._sorted)

    def __contains__(self, number: int) -> bool:
        return number in self._keys

    @property
    def sorted_keys(self) -> Sequence[Key]:
        """The keys in order; the last element of each is the number of the queue instance."""
        return self._sorted

    def key(self, number: int) -> Key:
        """The present key of a queue instance that is in the list."""
        return self._keys[number]

    def remove(self, number: int) -> None:
        """Take a queue instance out; nothing happens where it is out already."""
        key = self._keys.pop(number, None)
        if key is not None:
            del self._sorted[bisect_left(self._sorted, key)]

    def set_load(self, numbers: Sequence[int], load: float) -> None:
        """Move the queue instances of one host, whose load value has changed, to where the next sort puts them."""
        moving = sorted(self._keys[number] for number in numbers if number in self._keys)
        if not moving:
            return
        old = moving[0][1 if self._by_seqno else 0]
        if load == old:
            return
        for key in moving:
            del self._sorted[bisect_left(self._sorted, key)]
        # Instances of one host keep their order among each other.
        for key in reversed(moving) if load > old else moving:
            if load > old:
                self._first_tie -= 1
                tie = self._first_tie
            else:
                self._last_tie += 1
                tie = self._last_tie
            moved = self._key(key[3], load, tie)
            self._keys[key[3]] = moved
            insort(self._sorted, moved)

    def _key(self, number: int, load: float, tie: int) -> Key:
        seq_no = float(self._seq_nos[number])
        return (seq_no, load, tie, number) if self._by_seqno else (load, seq_no, tie, number)
