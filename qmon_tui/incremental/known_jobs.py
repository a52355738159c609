"""Jobs kept from the run before, as the qmaster admitted them, in the order of the scheduler's job list.

The rules are `collect_run_jobs` and `in_list_order`. Jobs are immutable, so that the same object means the same job.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from qmon_tui.incremental.latest_moments import difference
from qmon_tui.incremental.prerequisites import NotIncremental, check_demand, check_job
from qmon_tui.model import Job, State
from qmon_tui.qmaster import ProfileInRun, ProfilesInRun, SubmissionCheck, name_objection, verified
from qmon_tui.scheduler import SchedulerSession
from qmon_tui.scheduler.configuration import CompiledCluster
from qmon_tui.scheduler.jobs import Category, Dependencies, RunJob, TaskList, split_job

_MOST_PROFILES: Final = 20_000
ListKey = tuple[int, int, float, int]
"""Place in the scheduler's list: whole second of the last event, command or start, fraction of the second, job."""
_COMMAND, _START = 0, 1
_NEVER: Final[frozenset[float]] = frozenset()


@dataclass(slots=True, eq=False)
class KnownJob:
    """One job of the last state, with all that was computed about it."""

    job: Job
    run_job: RunJob
    profile: ProfileInRun
    key: ListKey
    starts: frozenset[float]
    """Start times of its tasks in seconds since the epoch; 0 if unknown."""


@dataclass(slots=True)
class Changes:
    """The jobs that were added, removed or changed since the last run."""

    removed: list[KnownJob] = field(default_factory=list)
    added: list[KnownJob] = field(default_factory=list)
    changed: list[tuple[KnownJob, KnownJob]] = field(default_factory=list)
    """Before and after."""


class KnownJobs:
    """All jobs of the last state."""

    def __init__(self, session: SchedulerSession, compiled: CompiledCluster) -> None:
        admission = SubmissionCheck(compiled, Dependencies(), {}, lambda job: verified(compiled, State(), job))
        if admission.has_limits:
            raise NotIncremental
        self._admission = admission
        self._max_aj_instances = compiled.max_aj_instances
        self._profiles = ProfilesInRun(session, compiled, admission)
        self._categories: dict[int, Category] = {}
        """id -> category, for all categories of the present jobs."""
        self._requests: dict[int, object] = {}
        """id -> request, kept alive because `_profiles` identifies requests by id."""
        self.jobs: tuple[Job, ...] = ()
        self._dependencies: Dependencies | None = None
        """The dependencies of the present jobs; None until they are read."""
        self._dependents: set[int] = set()
        """Numbers of the jobs with -hold_jid."""
        self._timed: dict[int, int] = {}
        """Number of a job that waits for its start time (-a) -> that time, in seconds since the epoch."""
        self._is_changed = True
        """True if a job that others wait for may have ended."""
        self.by_number: dict[int, KnownJob] = {}
        self._keys: list[ListKey] = []
        self._listed: list[RunJob] = []
        self._start_moments: Counter[float] = Counter()
        self._latest_start: float | None = None
        self.equal_starts = 0
        """Number of starts at the same moment as another start, whose order depends on priorities."""

    @property
    def listed(self) -> Sequence[RunJob]:
        """All jobs in the order of the scheduler's list."""
        return self._listed

    def take_over(self, state: State) -> Changes:
        """Replace the jobs by those of a state; return what differs. Raises NotIncremental if one needs a full run."""
        changes = Changes()
        before, after = self.jobs, state.jobs
        self.jobs, self._dependencies = after, None
        gone, come = difference(before, after) if before is not after else ((), ())
        numbers = {job.id for job in gone}
        added = [job for job in come if job.id not in self.by_number]
        replaced = [job for job in come if job.id in self.by_number]
        for number in numbers.difference(job.id for job in come):
            changes.removed.append(self.forget(number))
        for job in replaced:
            if job.id not in numbers:
                raise NotIncremental
            changes.changed.append((self.by_number[job.id], self._replace(job, state.now)))
        for job in added:
            known = self._new(job, state.now)
            if job.id in self.by_number:
                raise NotIncremental
            self._enter(known)
            changes.added.append(known)
        self._release(changes, state.now)
        if len(self._requests) > _MOST_PROFILES:
            raise NotIncremental
        return changes

    def _release(self, changes: Changes, now: int) -> None:
        """Compute again the jobs that are due to start (-a) or whose predecessors (-hold_jid) may have ended."""
        due = [number for number, start_time in self._timed.items() if start_time <= now]
        if self._is_changed or changes.removed or changes.added or changes.changed:
            due += (
                number
                for number in self._dependents
                if self.by_number[number].run_job.waits != self._waits(self.by_number[number].job)
            )
        self._is_changed = False
        for number in dict.fromkeys(due):
            known = self.by_number[number]
            changes.changed.append((known, self._replace(known.job, now)))

    def _waits(self, job: Job) -> bool:
        if self._dependencies is None:
            self._dependencies = Dependencies()
            for other in sorted(self.jobs, key=lambda other: other.id):
                self._dependencies.add(other)
        return self._dependencies.waits(job)

    def _replace(self, job: Job, now: int) -> KnownJob:
        known = self.by_number[job.id]
        is_same = job.request is known.job.request and job.owner == known.job.owner and job.group == known.job.group
        is_same = is_same and job.project == known.job.project and job.department == known.job.department
        new = self._new(job, now, known if is_same else None)
        if new.key == known.key:
            if new.starts != known.starts:
                self._forget_starts(known)
                self._note_starts(new)
            self._count(known, -1)
            self._count(new, 1)
            self._listed[bisect_left(self._keys, known.key)] = new.run_job
            self.by_number[job.id] = new
        else:
            self.forget(job.id)
            self._enter(new)
        return new

    def forget(self, number: int) -> KnownJob:
        known = self.by_number.pop(number)
        self._count(known, -1)
        position = bisect_left(self._keys, known.key)
        del self._keys[position], self._listed[position]
        self._forget_starts(known)
        return known

    def after_run(self, jobs: tuple[Job, ...], changed: Iterable[Job], removed: Iterable[int], now: int) -> Changes:
        """Take over the jobs after a run; only those in `changed` and `removed` differ."""
        self._is_changed = True
        self._dependencies = None
        self.jobs = jobs
        changes = Changes([self.forget(number) for number in removed])
        for job in changed:
            before = self.by_number[job.id]
            changes.changed.append((before, self._replace(job, now)))
        return changes

    def _new(self, job: Job, now: int, similar: KnownJob | None = None) -> KnownJob:
        check_job(job)
        if similar is not None:
            profile = similar.profile
        else:
            profile = self._profiles.of(job)
            self._requests[id(job.request)] = job.request
            check_demand(profile.job_profile.demand)
        split, waits, starts = profile.untouched, False, _NEVER
        if not job.tasks and job.changed is None and similar is None:
            of_name = name_objection(job.name) if split is not None else None
            if of_name or (split is None and self._admission.refusal(job, profile.objection) is not None):
                raise NotIncremental
        if split is None or job.tasks:
            waits = bool(job.request.hold_jid) and self._waits(job)
            split = split_job(job, waits, frozenset(), now, self._max_aj_instances)
            starts = frozenset([task.started or 0 for task in job.tasks.values() if task.started or task.granted])
        started = max(starts, default=0.0)
        command = max(job.changed or 0, job.submitted)
        if not started or int(started) < int(command):
            key: ListKey = (int(command), _COMMAND, command % 1, job.id)
        else:
            key = (int(started), _START, started % 1, job.id)
        job_profile = profile.job_profile
        run_job = RunJob(
            job,
            split,
            job_profile.demand,
            profile.category,
            job_profile.project,
            job_profile.department,
            job_profile.not_simulated,
            profile.ticket_holders,
            job_profile.slots,
            queue=split.pending,
            waits=waits,
        )
        return KnownJob(job, run_job, profile, key, starts)

    def _enter(self, known: KnownJob) -> None:
        self.by_number[known.job.id] = known
        self._count(known, 1)
        if not self._keys or known.key > self._keys[-1]:
            self._keys.append(known.key)
            self._listed.append(known.run_job)
        else:
            position = bisect_left(self._keys, known.key)
            self._keys.insert(position, known.key)
            self._listed.insert(position, known.run_job)
        self._note_starts(known)

    def _count(self, known: KnownJob, change: int) -> None:
        job = known.job
        if change > 0 and job.request.hold_jid:
            self._dependents.add(job.id)
        elif change < 0:
            self._dependents.discard(job.id)
            self._timed.pop(job.id, None)
        if change > 0 and TaskList.WAITING_FOR_TIME in known.run_job.split.others:
            self._timed[job.id] = job.request.start_time or 0
        category = known.profile.category
        category.jobs += change
        if category.jobs:
            self._categories[id(category)] = category
        else:
            self._categories.pop(id(category), None)

    def _note_starts(self, known: KnownJob) -> None:
        for moment in known.starts:
            self._start_moments[moment] += 1
            if self._latest_start is not None and moment > self._latest_start:
                self._latest_start = moment
            self.equal_starts += self._start_moments[moment] > 1

    def _forget_starts(self, known: KnownJob) -> None:
        for moment in known.starts:
            count = self._start_moments[moment]
            if count > 1:
                self.equal_starts -= 1
                self._start_moments[moment] = count - 1
                continue
            # Counter overrides del, but not pop, with a slower one.
            self._start_moments.pop(moment)
            if moment == self._latest_start:
                self._latest_start = None

    @property
    def latest_start(self) -> float:
        """Start of the task started last, in seconds since the epoch; 0 if none has started."""
        if self._latest_start is None:
            self._latest_start = max(self._start_moments, default=0.0)
        return self._latest_start

    def forget_categories(self) -> None:
        """Clear what the last run has found out about each category."""
        for category in self._categories.values():
            category.forget()
