"""Since when queue instances and hosts are in their places in the scheduler's lists, kept from run to run.

The rule is `listed_instances_and_hosts`: what has changed last, or got its last task last, comes last.
"""

from bisect import bisect_left, insort
from collections.abc import Iterable, Mapping, Sequence, Set

from qmon_tui.scheduler.dispatch import LONG_AGO, Moment, before_starts

TaskKey = tuple[int, int]
_OrderKey = tuple[int, bool, Moment, int]


class LatestChanges:
    """The latest change of each of some places, which are known by number."""

    def __init__(self, names: Sequence[str]) -> None:
        self._numbers = {name: number for number, name in enumerate(names)}
        self._tasks: dict[int, dict[TaskKey, Moment]] = {}
        self._changed: dict[int, Moment] = {}
        self.dirty: set[int] = set()
        """Numbers whose latest change may differ from the one last read."""

    def note_task(self, number: int, key: TaskKey, moment: Moment) -> None:
        known = self._tasks.setdefault(number, {})
        known[key] = max(moment, known.get(key, moment))
        self.dirty.add(number)

    def forget_task(self, number: int, key: TaskKey) -> None:
        tasks = self._tasks.get(number)
        if tasks is not None and tasks.pop(key, None) is not None:
            self.dirty.add(number)

    def tasks_of(self, number: int) -> Iterable[TaskKey]:
        return self._tasks.get(number, ())

    @property
    def has_tasks(self) -> bool:
        return any(self._tasks.values())

    def note_change(self, name: str, when: float | None) -> None:
        """Note a change at a time; None forgets the last one."""
        number = self._numbers.get(name)
        if number is None:
            return
        if when is None:
            self._changed.pop(number, None)
        else:
            self._changed[number] = before_starts(when)
        self.dirty.add(number)

    def latest(self, number: int) -> Moment | None:
        """Return the latest change of one place; None if none is known."""
        changed = self._changed.get(number)
        moments = self._tasks.get(number, {}).values()
        return max(moments, default=None) if changed is None else max((*moments, changed))


class InstanceOrder:
    """The queue instances that take jobs, in the order of the scheduler's list."""

    def __init__(self, names: Sequence[str], queues: Mapping[str, range]) -> None:
        """`queues` are the numbers of the instances of each cluster queue."""
        self.changes = LatestChanges(names)
        self._queues = queues
        self._queue_of = {number: name for name, numbers in queues.items() for number in numbers}
        self._queue_order: list[str] = []
        self._ranks: dict[str, int] = {}
        self._keys: dict[int, _OrderKey] = {}
        self._sorted: list[_OrderKey] = []

    def of(self, open_ones: Set[int], queue_changes: Mapping[str, float]) -> list[int]:
        """Return the open instances in list order; cluster queues are ordered by their latest change."""
        order = sorted(self._queues, key=lambda name: queue_changes.get(name, -float("inf")))
        dirty = self.changes.dirty
        dirty |= open_ones ^ self._keys.keys()
        if order != self._queue_order or len(dirty) > len(open_ones) // 4:
            self._queue_order = order
            self._ranks = {name: rank for rank, name in enumerate(order)}
            self._keys = {number: self._key(number) for number in open_ones}
            self._sorted = sorted(self._keys.values())
        else:
            self._update(open_ones, dirty)
        dirty.clear()
        return [key[3] for key in self._sorted]

    def _update(self, open_ones: Set[int], dirty: Iterable[int]) -> None:
        for number in dirty:
            key = self._keys.pop(number, None)
            if key is not None:
                del self._sorted[bisect_left(self._sorted, key)]
            if number in open_ones:
                key = self._keys[number] = self._key(number)
                insort(self._sorted, key)

    def _key(self, number: int) -> _OrderKey:
        latest = self.changes.latest(number)
        return self._ranks[self._queue_of[number]], latest is not None, latest or LONG_AGO, number


class HostOrder:
    """All hosts in the order of the scheduler's list."""

    def __init__(self, names: Sequence[str]) -> None:
        self.changes = LatestChanges(names)
        self._latest = [LONG_AGO] * len(names)
        self._sorted = [(LONG_AGO, number) for number in range(len(names))]

    def all(self) -> list[int]:
        latest, dirty = self._latest, self.changes.dirty
        is_new = len(dirty) > len(latest) // 4
        for number in dirty:
            moment = self.changes.latest(number) or LONG_AGO
            if moment != latest[number] and not is_new:
                del self._sorted[bisect_left(self._sorted, (latest[number], number))]
                insort(self._sorted, (moment, number))
            latest[number] = moment
        dirty.clear()
        if is_new:
            self._sorted = sorted(zip(latest, range(len(latest)), strict=True))
        return [number for _, number in self._sorted]
