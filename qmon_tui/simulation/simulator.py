"""A cluster over time: jobs come, runs decide, tasks run and end, all by the rules of the qmaster and its scheduler.

A simulation is a pure function of its values: the same cluster, state and settings give the same day.
Source: dispatch.md#when-a-run-happens, lifecycle.md#events-between-runs.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from qmon_tui.model import Cluster, Job, Kind, State, Task
from qmon_tui.qmaster import Run, simulate, submit
from qmon_tui.qmaster.transition import (
    CalendarSwitched,
    Event,
    ReservationBegan,
    ReservationEnded,
    TaskArrived,
    TaskEnded,
    UsageReported,
    after_event,
    after_run,
)
from qmon_tui.scheduler import session_of
from qmon_tui.simulation.event_queue import EventQueue
from qmon_tui.simulation.run_times import Cause, Flushing, RunTimes
from qmon_tui.simulation.settings import DEFAULT_SETTINGS, Settings
from qmon_tui.simulation.task_record import TaskRecord

_STANDS_STILL: Final = frozenset("sST")


@dataclass(frozen=True, slots=True)
class JobSubmitted:
    """A job comes."""

    job: int


@dataclass(frozen=True, slots=True)
class StartTimeReached:
    """The time before which a job does not start has come; the next load report has the scheduler look."""

    job: int


Happening = Event | JobSubmitted | StartTimeReached
TaskKey = tuple[int, int]
"""Job and task."""


@dataclass(slots=True)
class _Progress:
    """A task at its host."""

    slots: int
    left: float
    """Seconds that it still runs."""
    since: int | None
    """Since when it runs; None while it stands still."""
    reported: int
    """Until when its usage was reported."""


class Simulator:
    """The simulation: `step` goes on to the next run, `run` to the end.

    Jobs whose submission lies after the state's own time come then; all others are there from the beginning.
    """

    def __init__(self, cluster: Cluster, state: State, settings: Settings = DEFAULT_SETTINGS) -> None:
        self.cluster = cluster
        self.settings = settings
        self.now = state.now
        self.runs = 0
        self.events = 0
        self.refused: dict[int, tuple[str, ...]] = {}
        """Job -> what qsub printed where it was not let in."""
        self.records: dict[TaskKey, TaskRecord] = {}
        self.last_run: Run | None = None
        coming = [job for job in state.jobs if job.submitted > state.now and not job.tasks]
        later = {job.id for job in coming}
        self.state = replace(state, jobs=tuple(job for job in state.jobs if job.id not in later))
        self._coming = {job.id: job for job in coming}
        self._queue: EventQueue[Happening] = EventQueue()
        self._run_times = RunTimes(Flushing.of(cluster), state.now)
        self._progress: dict[TaskKey, _Progress] = {}
        self._has_finished_tasks = False
        """A task has ended that no run has seen yet."""
        self._counts_usage = session_of(cluster).compiled(self.state).policy.tickets.share > 0
        for job in sorted(coming, key=lambda job: (job.submitted, job.id)):
            self._queue.plan(job.submitted, JobSubmitted(job.id))
        for job in self.state.jobs:
            self._take_in(job)
        self._plan_calendars()
        self._plan_reservations()

    @property
    def is_over(self) -> bool:
        """Tell whether nothing happens any more, or not before the end."""
        next_time = self._next_time
        return next_time is None or (self.settings.until is not None and next_time > self.settings.until)

    def run(self) -> None:
        """Go on to the end."""
        for _ in self.steps():
            pass
        self._pass_time()

    def steps(self) -> Iterator[Run]:
        """Run after run, to the end."""
        while not self.is_over:
            run = self.step()
            if run is not None:
                yield run

    def step(self) -> Run | None:
        """Let everything happen up to the next run, and make it; None where there is none before the end."""
        while not self.is_over:
            event_time, due = self._queue.next_time, self._run_times.due
            if event_time is not None and (due is None or event_time <= due):
                time, happening = self._queue.pop()
                self._happen(happening, time)
                continue
            assert due is not None
            return self._schedule(due)
        self._pass_time()
        return None

    def _pass_time(self) -> None:
        """Nothing happens until the end."""
        if self.settings.until is not None:
            self.now = max(self.now, self.settings.until)

    @property
    def _next_time(self) -> int | None:
        times = [time for time in (self._queue.next_time, self._run_times.due) if time is not None]
        return min(times) if times else None

    def _happen(self, happening: Happening, time: int) -> None:
        self.now = time
        self.events += 1
        if isinstance(happening, JobSubmitted):
            self._submit(self._coming.pop(happening.job))
            return
        if isinstance(happening, StartTimeReached):
            self._run_times.note(Cause.OTHER, time)
            return
        if isinstance(happening, TaskEnded):
            happening = replace(happening, used=self._unreported((happening.job, happening.task), time))
        self.state = after_event(self.cluster, self.state, happening, at=time)
        if isinstance(happening, TaskArrived):
            self._note_arrival((happening.job, happening.task))
        elif isinstance(happening, TaskEnded):
            self._note_end((happening.job, happening.task))
        elif isinstance(happening, CalendarSwitched):
            self._plan_calendars(happening.calendar)
        self._follow_suspensions()
        self._run_times.note(Cause.TASK_ENDED if isinstance(happening, TaskEnded) else Cause.OTHER, time)

    def _submit(self, job: Job) -> None:
        reply = submit(self.cluster, replace(self.state, now=self.now), job)
        self.state = reply.state
        if any(known.id == job.id for known in reply.state.jobs[-1:]):
            self._take_in(reply.state.jobs[-1])
            self._run_times.note(Cause.JOB_SUBMITTED, self.now)
        else:
            self.refused[job.id] = reply.said

    def _take_in(self, job: Job) -> None:
        """Note a job that is in the cluster from now on."""
        start_time = job.request.start_time
        if start_time is not None and start_time > self.now:
            self._queue.plan(start_time, StartTimeReached(job.id))
        for number in job.task_ids:
            key = job.id, number
            task = job.tasks.get(number)
            self.records[key] = TaskRecord(
                job.id, number, job.name, job.owner, job.request.project or job.project, job.department, job.submitted
            )
            if task is not None and task.granted and "q" not in task.state:
                self._note_start(job, number, task, int(task.started if task.started is not None else job.submitted))

    def _note_start(self, job: Job, number: int, task: Task, started: int) -> None:
        key = job.id, number
        record = self.records[key]
        record.started, record.granted = started, dict(task.granted)
        if "t" in task.state:
            self._queue.plan(max(self.now, started + self.settings.start_delay), TaskArrived(*key))
        else:
            self._begin(job, number, task, started)

    def _note_arrival(self, key: TaskKey) -> None:
        job = self._job(key[0])
        task = job.tasks.get(key[1]) if job is not None else None
        if job is not None and task is not None and task.granted and "q" not in task.state:
            self._begin(job, key[1], task, self.now)

    def _begin(self, job: Job, number: int, task: Task, since: int) -> None:
        """A task runs at its host for its run time, or for its limit if that is less (queue_conf(5) h_rt)."""
        seconds = float(job.runtime or 0)
        if task.wallclock_limit is not None:
            seconds = min(seconds, task.wallclock_limit)
        stands = bool(_STANDS_STILL & set(task.state))
        left = max(0.0, seconds - (self.now - since))
        key = job.id, number
        self._progress[key] = _Progress(sum(task.granted.values()), left, None if stands else self.now, self.now)
        if not stands:
            self._queue.plan(self.now + int(left), TaskEnded(*key))

    def _note_end(self, key: TaskKey) -> None:
        self._progress.pop(key, None)
        self._has_finished_tasks = True
        if key in self.records:
            self.records[key].ended = self.now

    def _follow_suspensions(self) -> None:
        """What stands still does not come nearer to its end, what goes on does again."""
        if not self._progress:
            return
        tasks = {job.id: job.tasks for job in self.state.jobs if job.tasks}
        for key, progress in tuple(self._progress.items()):
            task = tasks.get(key[0], {}).get(key[1])
            if task is None or not task.granted or "q" in task.state:
                self._send_back(key)
                continue
            stands = bool(_STANDS_STILL & set(task.state))
            if stands and progress.since is not None:
                progress.left -= self.now - progress.since
                progress.since = None
                self._queue.cancel(TaskEnded(*key))
            elif not stands and progress.since is None:
                progress.since = self.now
                self._queue.plan(self.now + int(max(0.0, progress.left)), TaskEnded(*key))

    def _send_back(self, key: TaskKey) -> None:
        """A task has lost its place without having ended."""
        self._progress.pop(key, None)
        self._queue.cancel(TaskEnded(*key))
        self._queue.cancel(TaskArrived(*key))
        self.records[key].restarts += 1

    def _schedule(self, now: int) -> Run:
        self.now = now
        if self._counts_usage:
            self._report_usage()
        self.state = replace(self.state, now=now)
        run = simulate(self.cluster, self.state)
        self._run_times.note_run(now)
        self.runs += 1
        before = {job.id: job for job in self.state.jobs}
        self.state = after_run(run)
        for job, text in run.rejected:
            self.refused.setdefault(job.id, (text,))
        for allocation in run.dispatch.reserved:
            self.records[allocation.job, allocation.task].reserved = True
        started = {(start.run_job.id, start.task) for start in run.dispatch.starts if not start.refused}
        if started or self._has_finished_tasks:
            # What a run starts, and what has ended and is removed by it, are events of the qmaster, too.
            self._run_times.note(Cause.OTHER, now)
        self._has_finished_tasks = False
        for job in self.state.jobs:
            if job is before.get(job.id):
                continue
            for number, task in job.tasks.items():
                if (job.id, number) in started:
                    self._note_start(job, number, task, now)
        self._follow_suspensions()
        self.last_run = run
        return run

    def _unreported(self, key: TaskKey, time: int) -> tuple[tuple[str, float], ...]:
        """What a task has used since its last report: the seconds of all its slots."""
        progress = self._progress.get(key)
        if progress is None or progress.since is None:
            return ()
        seconds = time - max(progress.reported, progress.since)
        progress.reported = time
        return (("cpu", float(seconds * progress.slots)),) if seconds > 0 else ()

    def _report_usage(self) -> None:
        for key in self._progress:
            used = self._unreported(key, self.now)
            if used:
                self.state = after_event(self.cluster, self.state, UsageReported(*key, used), at=self.now)

    def _plan_calendars(self, *names: str) -> None:
        compiled = session_of(self.cluster).compiled(self.state)
        for name in names or self.cluster.objects(Kind.CALENDAR):
            calendar = compiled.calendars.get(name)
            change = calendar.next_change(self.now) if calendar is not None else None
            if change is not None:
                self._queue.plan(change, CalendarSwitched(name))

    def _plan_reservations(self) -> None:
        for reservation in self.state.reservations:
            if reservation.start > self.now:
                self._queue.plan(reservation.start, ReservationBegan(reservation.id))
            self._queue.plan(max(self.now, reservation.end), ReservationEnded(reservation.id))

    def _job(self, number: int) -> Job | None:
        return next((job for job in self.state.jobs if job.id == number), None)
