"""When something last happened to any of many jobs, remembered from one state to the next, in which most are the same.

The rule is `MomentsOfJobs.of`. Jobs are immutable, so that the same object has the same moments.
"""

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import compress
from operator import indexOf, is_not
from typing import Final, NamedTuple

from qmon_tui.model import Job

_NEVER: Final = -math.inf
_MANY: Final = 256
"""More differences than these are looked for in all jobs at once."""


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
    """How many jobs wait for others, or have waited."""
    highest: int = 0
    """The highest number of a job."""

    @classmethod
    def of(cls, jobs: Iterable[Job]) -> "MomentsOfJobs":
        """Those of these jobs."""
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
        """Those after some jobs have gone and others come; None where it is not known what is the latest then."""
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


class _Dated(NamedTuple):
    """`State.changed` after some names in it were dated."""

    changed: Mapping[str, float]
    latest: float
    before: Mapping[str, float]
    names: Collection[str]


_changes: list[_Dated] = [_Dated({}, _NEVER, {}, ())]


def latest_change(changed: Mapping[str, float]) -> float:
    """The latest of the moments in `State.changed`."""
    known = _changes[0]
    return known.latest if changed is known.changed else max(changed.values(), default=_NEVER)


def remember_change(
    changed: Mapping[str, float], latest: float, before: Mapping[str, float], names: Collection[str]
) -> None:
    """Some names have other moments than before, later than all else: nobody has to look for them."""
    _changes[0] = _Dated(changed, latest, before, names)


def newly_dated(before: Mapping[str, float], changed: Mapping[str, float]) -> list[tuple[str, float | None]]:
    """The names that have other moments than before, with these; None for one that has none any more."""
    known = _changes[0]
    if known.changed is changed and known.before is before:
        return [(name, changed[name]) for name in known.names]
    news: list[tuple[str, float | None]] = [(name, when) for name, when in changed.items() if before.get(name) != when]
    if len(changed) < len(before) + sum(name not in before for name, _ in news):
        news += [(name, None) for name in before.keys() - changed.keys()]
    return news


_remembered: list[tuple[tuple[Job, ...], MomentsOfJobs]] = [((), MomentsOfJobs.of(()))]


def moments_of(jobs: tuple[Job, ...]) -> MomentsOfJobs:
    """The latest moments of jobs; what has changed since the last jobs that were asked for is looked at alone."""
    before, known = _remembered[0]
    if jobs is before:
        return known
    gone, come = difference(before, jobs)
    changed = None
    if len(gone) <= len(before) // 2:
        changed = known.with_changes(MomentsOfJobs.of(gone), MomentsOfJobs.of(come))
    moments = changed or MomentsOfJobs.of(jobs)
    _remembered[0] = (jobs, moments)
    return moments


def difference(before: tuple[Job, ...], jobs: tuple[Job, ...]) -> tuple[list[Job], list[Job]]:
    """What has gone, and what has come; a job that is another one than before has gone and come.

    Both are followed side by side, as most often they are in the order of their numbers.
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


def remember_jobs(
    before: tuple[Job, ...], after: tuple[Job, ...], gone: tuple[Job, ...], come: tuple[Job, ...]
) -> None:
    """Some jobs have come in the place of others: who does that knows better than who compares all of them."""
    jobs, known = _remembered[0]
    if jobs is before:
        moments = known.with_changes(MomentsOfJobs.of(gone), MomentsOfJobs.of(come))
        if moments is not None:
            _remembered[0] = (after, moments)
