"""The latest start and change among all jobs, kept up to date from state to state by what differs.

The rule is `MomentsOfJobs.of`. Jobs are immutable, so that the same object has the same moments.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import compress
from operator import indexOf, is_not
from typing import Final

from qmon_tui.model import Job

_NEVER: Final = -math.inf
_MANY: Final = 256
"""With more differences than these, all jobs are compared in one step."""


@dataclass(frozen=True, slots=True)
class MomentsOfJobs:
    """The latest moments of some jobs, in seconds since the epoch; minus infinity for never."""

    started: float
    """The latest start of a task."""
    task_changed: float
    """The latest change of a task."""
    changed: float
    """The latest change of a job."""
    waiting: int
    """Number of jobs with -hold_jid or -hold_jid_ad."""
    highest: int = 0
    """The highest number of a job."""

    @classmethod
    def of(cls, jobs: Iterable[Job]) -> "MomentsOfJobs":
        started = task_changed = changed = _NEVER
        waiting = highest = 0
        for job in jobs:
            if job.id > highest:
                highest = job.id
            if job.changed is not None and job.changed > changed:
                changed = job.changed
            if job.request.hold_jid or job.request.hold_jid_ad:
                waiting += 1
            for task in job.tasks.values() if job.tasks else ():
                if task.started is not None and task.started > started:
                    started = task.started
                if task.changed is not None and task.changed > task_changed:
                    task_changed = task.changed
        return cls(started, task_changed, changed, waiting, highest)

    def with_changes(self, gone: "MomentsOfJobs", come: "MomentsOfJobs") -> "MomentsOfJobs | None":
        """Return the moments without `gone` and with `come`; None if the latest was removed: read all jobs."""
        latest: list[float] = []
        for before, lost, new in (
            (self.started, gone.started, come.started),
            (self.task_changed, gone.task_changed, come.task_changed),
            (self.changed, gone.changed, come.changed),
        ):
            if lost == before != _NEVER and new < before:
                return None
            latest.append(max(before, new))
        if gone.highest == self.highest and come.highest < self.highest:
            return None
        waiting = self.waiting - gone.waiting + come.waiting
        return MomentsOfJobs(latest[0], latest[1], latest[2], waiting, max(self.highest, come.highest))


class LatestMoments:
    """The moments of the jobs of the last state."""

    def __init__(self) -> None:
        self._jobs: tuple[tuple[Job, ...], MomentsOfJobs] = ((), MomentsOfJobs.of(()))

    def of(self, jobs: tuple[Job, ...]) -> MomentsOfJobs:
        """Return the moments of jobs; only those that differ from the last call are read."""
        before, known = self._jobs
        if jobs is before:
            return known
        gone, come = difference(before, jobs)
        changed = None
        if len(gone) <= len(before) // 2:
            changed = known.with_changes(MomentsOfJobs.of(gone), MomentsOfJobs.of(come))
        moments = changed or MomentsOfJobs.of(jobs)
        self._jobs = (jobs, moments)
        return moments


def latest_change(changed: Mapping[str, float]) -> float:
    """Return the latest moment in `State.changed`; minus infinity if there is none."""
    return max(changed.values(), default=_NEVER)


def newly_dated(before: Mapping[str, float], changed: Mapping[str, float]) -> list[tuple[str, float | None]]:
    """Return the names whose moment differs from that before, with the new one; None if it has none any more."""
    news: list[tuple[str, float | None]] = [(name, when) for name, when in changed.items() if before.get(name) != when]
    if len(changed) < len(before) + sum(name not in before for name, _ in news):
        news += [(name, None) for name in before.keys() - changed.keys()]
    return news


def difference(before: tuple[Job, ...], jobs: tuple[Job, ...]) -> tuple[list[Job], list[Job]]:
    """Return the jobs that are only in `before`, and those only in `jobs`; a changed job is in both lists.

    Fast if both are in the order of their numbers.
    """
    gone, come = list[Job](), list[Job]()
    place = new_place = 0
    while len(gone) + len(come) <= _MANY:
        left, new_left = iter(before), iter(jobs)
        left.__setstate__(place)  # type: ignore[attr-defined]
        new_left.__setstate__(new_place)  # type: ignore[attr-defined]
        try:
            same = indexOf(map(is_not, left, new_left), True)
        except ValueError:
            same = min(len(before) - place, len(jobs) - new_place)
            return gone + list(before[place + same :]), come + list(jobs[new_place + same :])
        place, new_place = place + same, new_place + same
        number, new_number = before[place].id, jobs[new_place].id
        if number <= new_number:
            gone.append(before[place])
            place += 1
        if new_number <= number:
            come.append(jobs[new_place])
            new_place += 1
    known, new = list(map(id, before)), list(map(id, jobs))
    earlier, later = frozenset(known), frozenset(new)
    gone = list(compress(before, map((earlier - later).__contains__, known)))
    return gone, list(compress(jobs, map((later - earlier).__contains__, new)))
