"""Planned events, by time; events of one second keep the order in which they were planned."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from qmon_tui.simulation.simulator import Simulator


T = TypeVar("T", bound=Hashable)


class EventQueue(Generic[T]):
    """A heap of events by time, in seconds since the epoch; an event planned again happens only at the new time."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, T]] = []
        self._planned: dict[T, int] = {}
        """Planned event -> its number in the heap."""
        self._withdrawn: set[int] = set()
        """Numbers in the heap whose event was cancelled or planned again."""
        self._count = 0
        self._ahead: list[tuple[int, int, T]] = []
        """Heap of the events planned with `ahead`."""

    def __len__(self) -> int:
        return len(self._planned)

    def __contains__(self, what: T) -> bool:
        return what in self._planned

    def __iter__(self) -> Iterator[tuple[int, T]]:
        return ((time, what) for time, number, what in sorted(self._heap, key=lambda planned: planned[:2])
                if self._planned.get(what) == number)  # fmt: skip

    def plan(self, time: int, what: T, *, ahead: bool = False, behind_first: bool = False) -> None:
        """Plan an event for a time and drop an earlier plan of it; with `ahead` it is the first of its second.

        With `behind_first` it is the second: the event with `ahead` that was first before stays first.
        """
        first = self._first_ahead() if behind_first else None
        self._put(time, what, ahead)
        if first is not None and first[0] == time and first[2] != what:
            self._put(*first[::2], ahead)

    def _put(self, time: int, what: T, ahead: bool) -> None:
        self._count += 1
        number = -self._count if ahead else self._count
        earlier = self._planned.setdefault(what, number)
        if earlier != number:
            self._withdrawn.add(earlier)
            self._planned[what] = number
        heappush(self._heap, (time, number, what))
        if ahead:
            heappush(self._ahead, (time, number, what))

    def _first_ahead(self) -> tuple[int, int, T] | None:
        """Return time, number and event of the first event planned with `ahead`; None if there is none."""
        heap = self._ahead
        while heap and self._planned.get(heap[0][2]) != heap[0][1]:
            heappop(heap)
        return heap[0] if heap else None

    def cancel(self, what: T) -> None:
        """Remove a planned event; do nothing if it is not planned."""
        number = self._planned.pop(what, None)
        if number is not None:
            self._withdrawn.add(number)

    @property
    def next_time(self) -> int | None:
        """Time of the first planned event; None if none is planned."""
        heap, withdrawn = self._heap, self._withdrawn
        while withdrawn and heap and heap[0][1] in withdrawn:
            withdrawn.remove(heappop(heap)[1])
        return heap[0][0] if heap else None

    @property
    def next(self) -> T | None:
        """The first planned event; None if none is planned."""
        return self._heap[0][2] if self.next_time is not None else None

    def pop(self) -> tuple[int, T]:
        """Remove the first event and return its time and itself. Raises IndexError if none is planned."""
        if self.next_time is None:
            raise IndexError("nothing is planned")
        time, _, what = heappop(self._heap)
        del self._planned[what]
        return time, what


class SimulationEvent(ABC):
    """An event of the simulation itself, not of the qmaster: a value that can be planned for a time."""

    __slots__ = ()

    @abstractmethod
    def apply(self, simulator: "Simulator") -> None:
        """Change the simulator, whose time is that of the event."""
