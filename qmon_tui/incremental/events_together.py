"""Several plain events between two runs, applied to the jobs one by one and to the state once.

The rules are `task_arrived`, `task_ended` and `submit`. If a rule would change more than these methods do, they
return False and the caller applies the rule to `state`, which contains all earlier events.
"""

from types import MappingProxyType
from typing import Final

from qmon_tui.formats import parse_qsub
from qmon_tui.incremental.latest_moments import LatestMoments, MomentsOfJobs, latest_change
from qmon_tui.model import FINISHED, Cluster, Job, State, Task, memoized, renewed
from qmon_tui.qmaster import (
    copied_changes,
    is_let_in_alone,
    next_moment,
    place_of,
    places_left,
)
from qmon_tui.qmaster.transition import ASKS_FOR_MORE, TaskArrived, TaskEnded, summed
from qmon_tui.scheduler import session_of
from qmon_tui.scheduler.configuration import CompiledCluster

_STARTED, _RUNS = "t", "r"
_AdmissionKey = tuple[int, str, str, str, str | None, str | None, str]
_MOST: Final = 20_000


class EventsTogether:
    """A state and the events after it, which must be given in the order of their times."""

    def __init__(self, cluster: Cluster, state: State, latest: LatestMoments) -> None:
        session = session_of(cluster)
        self._before = state
        self._session = session
        self._compiled = session.configured
        self._jobs: list[Job] | None = None
        self._changed: dict[str, float] | None = None
        self._latest = latest_change(state.changed)
        self._now = state.now
        is_plain = self._compiled.subordination is None and not (
            state.seen_suspended or state.reservations or state.queue_states
        )
        self._moments = latest.of(state.jobs) if is_plain else MomentsOfJobs.of(())
        self._highest = self._moments.highest
        self._is_supported = is_plain and not self._moments.waiting
        self._counts_up = not (state.jobseqnum or state.arseqnum)

    @property
    def state(self) -> State:
        """The state after all events so far."""
        before, jobs = self._before, self._jobs
        parts: dict[str, object] = {"now": self._now}
        if jobs is not None:
            parts["jobs"] = tuple(jobs)
        if self._changed is not None:
            parts["changed"] = MappingProxyType(self._changed)
        return renewed(before, **parts) if len(parts) > 1 or self._now != before.now else before

    def find_job(self, number: int) -> Job | None:
        """Return the job after all events so far; None if there is no such job. Jobs must be in order of number."""
        jobs = self._jobs if self._jobs is not None else self._before.jobs
        place = place_of(jobs, number)
        return jobs[place] if place is not None else None

    def _put(self, place: int, job: Job) -> None:
        if self._jobs is None:
            self._jobs = list(self._before.jobs)
        self._jobs[place] = job

    def arrives(self, event: TaskArrived, at: int) -> bool:
        """Apply the arrival of a task; return False if the caller must apply the rule."""
        jobs = self._jobs if self._jobs is not None else self._before.jobs
        place = place_of(jobs, event.job)
        if place is None:
            return False
        job = jobs[place]
        task = job.tasks.get(event.task)
        if task is None or task.state != _STARTED or not task.granted:
            return False
        self._put(place, _with_task(job, event.task, renewed(task, state=_RUNS)))
        self._now = at
        return True

    def ends(self, event: TaskEnded, at: int) -> bool:
        """Apply the end of a task; return False if the caller must apply the rule."""
        jobs = self._jobs if self._jobs is not None else self._before.jobs
        place = place_of(jobs, event.job) if self._is_supported and event.exit_status not in ASKS_FOR_MORE else None
        if place is None:
            return False
        job = jobs[place]
        task = job.tasks.get(event.task)
        if task is None or task.state not in (_RUNS, _STARTED) or task.started is None or task.changed is not None:
            return False
        if not (task.granted and self._session.has_instances(task.granted)):
            return False
        names = places_left(self._compiled, job, (event.task,))
        used = summed(task.used, event.used)
        self._put(place, _with_task(job, event.task, Task(FINISHED, started=task.started, used=used)))
        self._date(names, at)
        self._now = at
        return True

    def _date(self, names: list[str], at: int) -> None:
        """Date changed queue instances like `with_changed_instances`."""
        if self._changed is None:
            self._changed = copied_changes(self._before.changed)
        changed, moments = self._changed, self._moments
        is_after_a_start = moments.started >= at
        moment = next_moment(max(float(at + is_after_a_start), self._latest, moments.task_changed))
        for name in names:
            changed.pop(name, None)
            changed[name] = self._latest = moment
            moment = next_moment(moment)

    def comes(self, job: Job, at: int) -> bool:
        """Add a submitted job; return False if the caller must apply the rule, which may refuse it."""
        if not (self._is_supported and self._counts_up) or job.tasks or job.changed is not None:
            return False
        if job.id <= self._highest or self._moments.changed >= job.submitted:
            return False
        if not _is_let_in(self._compiled, job):
            return False
        if self._jobs is None:
            self._jobs = list(self._before.jobs)
        self._jobs.append(job)
        self._highest = job.id
        self._now = at
        return True


def _with_task(job: Job, number: int, task: Task) -> Job:
    tasks = job.tasks
    after = {number: task} if len(tasks) == 1 else dict(sorted({**tasks, number: task}.items()))
    return renewed(job, tasks=MappingProxyType(after))


def _is_let_in(compiled: CompiledCluster, job: Job) -> bool:
    """True if the qmaster admits a job without any message; cached for jobs with the same request and owner."""
    request = job.request
    if "-a" in job.qsub or "-dl" in job.qsub:
        return False
    known = _let_in(compiled)
    key = (id(request), job.name, job.owner, job.group, job.project, job.department, job.qsub)
    known_answer = known.get(key)
    if known_answer is None:
        if len(known) >= _MOST:
            known.clear()
        is_read = not parse_qsub(job.qsub, now=job.submitted).problems
        known_answer = known[key] = (is_read and is_let_in_alone(compiled, job), request)
    return known_answer[0]


@memoized(size=4)
def _let_in(_: CompiledCluster) -> dict[_AdmissionKey, tuple[bool, object]]:
    """Return the cache of `_is_let_in`: key -> its answer, and the request, kept alive because the key has its id."""
    return {}
