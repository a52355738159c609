"""The latest change of each queue instance and host, which orders the scheduler's lists; kept from run to run.

The rule is `listed_instances_and_hosts`: the one that changed last, or got a task last, comes last.
"""

from collections.abc import Iterable, Mapping, Sequence, Set

from qmon_tui.scheduler.dispatch import LONG_AGO, Moment, before_starts

TaskKey = tuple[int, int]


class LatestChanges:
    """The latest change of each place (queue instance or host), by its number."""

    def __init__(self, names: Sequence[str]) -> None:
        self._numbers = {name: number for number, name in enumerate(names)}
        self._tasks: dict[int, dict[TaskKey, Moment]] = {}
        self._changed: dict[int, Moment] = {}
        self._latest = [LONG_AGO] * len(names)
        self._dirty: set[int] = set()
        """Numbers whose latest change may differ from the one last read."""

    def note_task(self, number: int, key: TaskKey, moment: Moment) -> None:
        known = self._tasks.setdefault(number, {})
        known[key] = max(moment, known.get(key, moment))
        self._dirty.add(number)

    def forget_task(self, number: int, key: TaskKey) -> None:
        tasks = self._tasks.get(number)
        if tasks is not None and tasks.pop(key, None) is not None:
            self._dirty.add(number)

    def tasks_of(self, number: int) -> Iterable[TaskKey]:
        return self._tasks.get(number, ())

    @property
    def has_tasks(self) -> bool:
        return any(self._tasks.values())

    def note_change(self, name: str, when: float | None) -> None:
        """Note that a place changed at `when` (seconds since the epoch); None forgets its last change."""
        number = self._numbers.get(name)
        if number is None:
            return
        if when is None:
            self._changed.pop(number, None)
        else:
            self._changed[number] = before_starts(when)
        self._dirty.add(number)

    def latest(self) -> Sequence[Moment]:
        """Return the latest change of each place; `LONG_AGO` if none is known."""
        for number in self._dirty:
            moments = self._tasks.get(number, {}).values()
            self._latest[number] = max((*moments, self._changed.get(number, LONG_AGO)))
        self._dirty.clear()
        return self._latest


def listed_instances(
    changes: LatestChanges, queues: Mapping[str, range], open_ones: Set[int], queue_changes: Mapping[str, float]
) -> list[int]:
    """Return the open queue instances in list order; cluster queues are ordered by their latest change.

    `queues` are the numbers of the instances of each cluster queue.
    """
    latest, listed = changes.latest(), list[int]()
    for name in sorted(queues, key=lambda name: queue_changes.get(name, -float("inf"))):
        numbers = [number for number in queues[name] if number in open_ones]
        listed += sorted(numbers, key=latest.__getitem__)
    return listed


def listed_hosts(changes: LatestChanges) -> list[int]:
    """Return all hosts in list order."""
    latest = changes.latest()
    return sorted(range(len(latest)), key=latest.__getitem__)
