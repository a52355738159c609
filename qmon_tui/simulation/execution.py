"""Execution hosts: tasks run, are suspended, reach their limits and end, and their usage is measured.

Source: queue_conf(5) h_rt, lifecycle.md#simulated-execution-hosts.
"""

from collections.abc import Iterator, Set
from dataclasses import dataclass
from math import inf
from typing import Final

from qmon_tui.model import Job, Task
from qmon_tui.qmaster.transition import Measured

TaskKey = tuple[int, int]
"""Job and task."""

_SUSPENDED: Final = frozenset("sST")
_BY_QUEUE: Final = frozenset("S")
_DELETED: Final = "d"
_TERMINATION: Final = 1
"""Seconds from the deletion of a task to its end."""


def is_placed(task: Task | None) -> bool:
    """True if a task has its slots, running or not."""
    return task is not None and bool(task.granted) and "q" not in task.state


@dataclass(slots=True)
class _RunningTask:
    slots: int
    left: float
    """Seconds of run time still needed at `since`."""
    since: int | None
    """Time since which it runs; None while it is suspended."""
    limit: float
    """Time at which its run time limit ends it; infinite without a limit."""
    reported: int
    """Time up to which its usage was reported."""
    stood: int = 0
    """Seconds for which it was suspended, up to `changed`."""
    changed: int = 0
    """Time of the last suspension, resumption or start."""
    missed: frozenset[str] = frozenset()
    """State letters set before it arrived at its host: their signals never reached it, so it runs all the same."""

    def end(self, now: int) -> int | None:
        """Return the time of its end if its state does not change; None if it is suspended without a limit."""
        needed = inf if self.since is None else self.since + max(0.0, self.left)
        end = min(needed, self.limit)
        return None if end == inf else max(now, int(end))


class Execution:
    """The tasks at their hosts. Times are seconds since the epoch.

    With `simulated_hosts`, as on those of a real qmaster, suspension does not delay ends and limits end no task.
    """

    def __init__(self, *, simulated_hosts: bool = False) -> None:
        self._is_simulated = simulated_hosts
        self._tasks: dict[TaskKey, _RunningTask] = {}
        self._lost: set[TaskKey] = set()

    def __contains__(self, key: TaskKey) -> bool:
        return key in self._tasks

    def __iter__(self) -> Iterator[TaskKey]:
        return iter(tuple(self._tasks))

    def begin(self, key: TaskKey, job: Job, task: Task, since: int, now: int, *, arrives: bool = False) -> int | None:
        """Note a task that has run since `since`; `arrives` is False at the beginning of the day. Return `end`."""
        limit = inf if task.wallclock_limit is None or self._is_simulated else since + task.wallclock_limit
        missed = _BY_QUEUE.intersection(task.state) if arrives else frozenset[str]()
        needed = max(0.0, float(job.runtime_of(key[1]) or 0) - (now - since))
        since_when = None if self._is_suspended(task, missed) else now
        slots = sum(task.granted.values())
        self._tasks[key] = _RunningTask(slots, needed, since_when, limit, now, changed=now, missed=missed)
        return self.end(key, task, now)

    def lose(self, key: TaskKey) -> None:
        """Note that the host of a task is silent: its end is never reported."""
        self._lost.add(key)

    def is_lost(self, key: TaskKey) -> bool:
        """True if the host of the task is silent."""
        return key in self._lost

    def end(self, key: TaskKey, task: Task, now: int) -> int | None:
        """Return the time at which a task ends if its state does not change; None if it never does."""
        if key in self._lost:
            return None
        return now + _TERMINATION if _DELETED in task.state else self._tasks[key].end(now)

    def follow(self, key: TaskKey, task: Task, now: int) -> bool:
        """Suspend or resume a task as its state says; return True if its end may have changed."""
        running = self._tasks[key]
        running.missed = running.missed.intersection(task.state)
        is_suspended = self._is_suspended(task, running.missed)
        if is_suspended and running.since is not None:
            running.left -= now - running.since
            running.since, running.changed = None, now
        elif not is_suspended and running.since is None:
            running.stood += now - running.changed
            running.since = running.changed = now
        else:
            return _DELETED in task.state
        return True

    def suspended(self, key: TaskKey, now: int) -> int:
        """Return the seconds for which a task was suspended, up to now; 0 for an unknown task."""
        running = self._tasks.get(key)
        if running is None:
            return 0
        return running.stood + (now - running.changed if running.since is None else 0)

    def forget(self, key: TaskKey) -> None:
        self._tasks.pop(key, None)
        self._lost.discard(key)

    def used(self, key: TaskKey, now: int) -> Measured:
        """Return the usage since the last report as slot-seconds of `cpu`; empty if there is none."""
        running = self._tasks.get(key)
        if running is None or running.since is None or self._is_simulated or key in self._lost:
            return ()
        seconds = now - max(running.reported, running.since)
        running.reported = now
        return (("cpu", float(seconds * running.slots)),) if seconds > 0 else ()

    def _is_suspended(self, task: Task, missed: Set[str]) -> bool:
        return not self._is_simulated and not (_SUSPENDED - missed).isdisjoint(task.state)
