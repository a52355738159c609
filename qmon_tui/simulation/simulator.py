"""A cluster over time: jobs are submitted, tasks are started, run and end, by the rules of qmaster and scheduler.

A simulation is a pure function of its values: the same cluster, state and settings give the same day.
Source: dispatch.md#when-a-run-happens, lifecycle.md#events-between-runs.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import count

from qmon_tui.gc_pause import gc_paused
from qmon_tui.incremental import EventsTogether, RunChain, state_after
from qmon_tui.model import FINISHED, GONE, Cluster, Job, State, Task, renewed
from qmon_tui.qmaster import RunFacts, find_job, has_subordinates
from qmon_tui.qmaster.transition import (
    CalendarSwitched,
    EarlierRunCleanedUp,
    Event,
    ReservationEnded,
    TaskArrived,
    TaskEnded,
    UsageReported,
    after_event,
)
from qmon_tui.scheduler import session_of
from qmon_tui.simulation.automatic_users import AutomaticUsers
from qmon_tui.simulation.backfilling import backfilled_in
from qmon_tui.simulation.copying import copy_of
from qmon_tui.simulation.endless import EventBound, waits_in_vain
from qmon_tui.simulation.event_queue import EventQueue, SimulationEvent
from qmon_tui.simulation.execution import Execution, TaskKey, is_placed
from qmon_tui.simulation.load_reports import LoadMeter
from qmon_tui.simulation.measures_observed import Observations
from qmon_tui.simulation.measures_shares import names_of
from qmon_tui.simulation.planned_by_settings import plan_settings
from qmon_tui.simulation.planning import plan_calendars, plan_reservations
from qmon_tui.simulation.run_times import Cause, Flushing, RunTimes, ThreadTiming, cause_of
from qmon_tui.simulation.settings import DEFAULT_SETTINGS, Settings
from qmon_tui.simulation.submissions import StartTimeReached, expect, note_deletions
from qmon_tui.simulation.task_record import TaskRecord
from qmon_tui.simulation.unseen_releases import freed, held, released
from qmon_tui.values import LATEST

CLEAN_UP = 1
"""Seconds after which a host reports that it has cleaned up a rescheduled task."""


class Simulator:
    """The simulation: `step` continues to the next run, `run` to the end.

    Jobs submitted after the time of the state are added at their submission; all others exist from the beginning.
    """

    def __init__(self, cluster: Cluster, state: State, settings: Settings = DEFAULT_SETTINGS) -> None:
        self.cluster = cluster
        self.settings = settings
        self.now = state.now
        self.runs = 0
        self.events = 0
        self.refused: dict[int, tuple[str, ...]] = {}
        """Number of a refused job -> lines that qsub printed."""
        self.replies: list[tuple[int, str, tuple[str, ...]]] = []
        """Time, command line and printed lines of each command."""
        self.records: dict[TaskKey, TaskRecord] = {}
        self.last_run: RunFacts | None = None
        self._chain = RunChain()
        self.coming = 0
        """Number of jobs still to be submitted."""
        self.queue: EventQueue[Event | SimulationEvent] = EventQueue()
        self._state = expect(self, state)
        self._together: EventsTogether | None = None
        """Events that are not yet in `_state`; None if there are none."""
        timing = ThreadTiming(settings.seed) if settings.simulated_hosts else None
        self.run_times = RunTimes(Flushing.of(cluster), state.now, timing)
        self.execution = Execution(simulated_hosts=settings.simulated_hosts)
        self.silent_hosts: dict[str, Mapping[str, str]] = {}
        """Silent host -> the load values that it reported last."""
        self.load_meter = LoadMeter(settings.load) if settings.load is not None else None
        self.users = AutomaticUsers()
        self.observations: Observations | None = None
        self.last_progress = state.now
        """Time of the last start or end of a task."""
        self._has_finished_tasks = False
        """True if a task has ended since the last run."""
        self.event_bound = EventBound()
        self._unseen: tuple[Job, ...] = ()  # released jobs (-hold_jid) whose release the next run does not see
        self.note_configuration()
        for job in self.state.jobs:
            self.take_in(job)
        plan_calendars(self)
        plan_reservations(self)
        plan_settings(self)
        self.users.note_beginning(self)

    @property
    def state(self) -> State:
        if self._together is not None:
            self._state, self._together = self._together.state, None
        return self._state

    @state.setter
    def state(self, state: State) -> None:
        self._state, self._together = state, None

    @property
    def together(self) -> EventsTogether:
        """Plain events, collected until the state is read."""
        if self._together is None:
            self._together = self._chain.events_together(self.cluster, self._state)
        return self._together

    def __getstate__(self) -> dict[str, object]:
        kept = {**vars(self), "_state": self.state, "_together": None}
        del kept["_chain"]
        return kept

    def __setstate__(self, kept: dict[str, object]) -> None:
        vars(self).update(kept)
        self._chain = RunChain()

    @property
    def is_over(self) -> bool:
        """True if no event or run is left before the end."""
        next_time = self.next_time
        if next_time is None or next_time > LATEST or self.event_bound.error:
            return True
        if self.settings.until is not None:
            return next_time > self.settings.until
        return waits_in_vain(self, next_time)

    @property
    def is_run_next(self) -> bool:
        """True if the next step is a scheduling run."""
        is_timer_next = isinstance(self.queue.next, TaskArrived | TaskEnded)
        return self.run_times.precedes(self.queue.next_time, self.now, is_timer_next=is_timer_next)

    def run(self) -> None:
        """Simulate to the end."""
        for _ in self.steps():
            pass
        self._pass_time()

    def steps(self) -> Iterator[RunFacts]:
        """Yield run after run, to the end."""
        while not self.is_over:
            run = self.step()
            if run is not None:
                yield run

    def step(self, most: int | None = None) -> RunFacts | None:
        """Simulate up to the next run, or `most` events; return the run, or None if it was not reached."""
        with gc_paused():
            for _ in count() if most is None else range(most):
                happened = self.advance()
                if isinstance(happened, RunFacts):
                    return happened
                if happened is None:
                    self._pass_time()
                    break
        return None

    def advance(self) -> RunFacts | Event | SimulationEvent | None:
        """Simulate the next event or run and return it; None if there is none before the end."""
        happened = None if self.is_over else self._advance()
        if happened is not None:
            self.event_bound.count(self, happened)
            if self.observations is not None:
                self.observations.note(happened, self)
        return happened

    def observe(self) -> None:
        """Keep observations over time from now on (measures.md)."""
        self.observations = Observations.of(self)

    def _advance(self) -> RunFacts | Event | SimulationEvent:
        if self.is_run_next:
            assert self.run_times.due is not None
            return self._schedule(self.run_times.due)
        time, event = self.queue.pop()
        self._apply(event, time)
        return event

    def copy(self) -> "Simulator":
        """Return an independent copy; mutable parts are copied, values shared."""
        _ = self.state  # includes the collected events, so that copies share the result
        copied = copy_of(self)
        copied._chain = RunChain()
        return copied

    def _pass_time(self) -> None:
        """Set the clock to the end, if one is given."""
        if self.settings.until is not None:
            self.now = max(self.now, self.settings.until)

    @property
    def next_time(self) -> int | None:
        """Time of the next event or run, in seconds since the epoch; None if there is none."""
        event_time, due = self.queue.next_time, self.run_times.due
        if event_time is None or due is None:
            return due if event_time is None else event_time
        return min(event_time, due)

    def _apply(self, event: Event | SimulationEvent, time: int) -> None:
        self.now = time
        self.events += 1
        if isinstance(event, SimulationEvent):
            event.apply(self)
        else:
            self.let_happen(event)

    def let_happen(self, event: Event) -> None:
        """Apply an event as the qmaster does, and its consequences for tasks at their hosts."""
        if isinstance(event, TaskEnded):
            used = self.execution.used((event.job, event.task), self.now)
            event = replace(event, used=used) if used or event.used else event
            if not self._moves_others and self.together.ends(event, self.now):
                self._note_end((event.job, event.task))
                self.run_times.note(Cause.TASK_ENDED, self.now)
                return
        elif isinstance(event, TaskArrived) and self.together.arrives(event, self.now):
            self._note_arrival((event.job, event.task))
            self.run_times.note(Cause.TASK_ARRIVED, self.now)
            return
        before = self.state
        self.state = after_event(self.cluster, before, event, at=self.now)
        match event:
            case TaskArrived(job, task):
                self._note_arrival((job, task))
            case TaskEnded(job, task):
                self._note_end((job, task))
            case CalendarSwitched(calendar):
                plan_calendars(self, calendar)
            case ReservationEnded():
                note_deletions(self, before)
        if not isinstance(event, TaskArrived) and (self._moves_others or not isinstance(event, TaskEnded)):
            self.follow(before)
        self.run_times.note(cause_of(event), self.now)
        if isinstance(event, TaskEnded) and self.run_times.sees_one_end:
            self._unseen = released(before, self.state)

    def take_in(self, job: Job) -> None:
        """Begin the records of a job's tasks and plan their events; the job is in the cluster from now on."""
        start_time = job.request.start_time
        if start_time is not None and start_time > self.now:
            self.queue.plan(start_time, StartTimeReached(job.id))
        names = names_of(session_of(self.cluster).configured, job)
        for number in job.task_ids:
            key = job.id, number
            task = job.tasks.get(number)
            if task is not None and task.state in (FINISHED, GONE):
                continue
            self.records[key] = TaskRecord(job.id, number, job.name, *names, job.submitted)
            if task is not None and is_placed(task):
                self._note_start(job, number, task, int(task.started if task.started is not None else job.submitted))

    def _note_start(self, job: Job, number: int, task: Task, started: int) -> None:
        key = job.id, number
        record = self.records[key]
        self.last_progress = max(self.last_progress, started)
        record.started, record.granted = started, dict(task.granted)
        if "t" in task.state:
            self.plan_timer(max(self.now, started + self.settings.start_delay), TaskArrived(*key))
        else:
            self._plan_end(key, self.execution.begin(key, job, task, started, self.now))

    def _note_arrival(self, key: TaskKey) -> None:
        job = self.find_job(key[0])
        task = job.tasks.get(key[1]) if job is not None else None
        if job is not None and task is not None and is_placed(task):
            self._plan_end(key, self.execution.begin(key, job, task, self.now, self.now, arrives=True))

    def _plan_end(self, key: TaskKey, end: int | None) -> None:
        if end is None:
            self.queue.cancel(TaskEnded(*key))
        else:
            self.plan_timer(end, TaskEnded(*key))

    def plan_timer(self, time: int, event: Event) -> None:
        """Plan an event; as a timer of a simulated host the last set in a second fires first, see `EventQueue.plan`."""
        is_timer = self.settings.simulated_hosts
        self.queue.plan(time, event, ahead=is_timer, behind_first=is_timer and isinstance(event, TaskArrived))

    def lose_task(self, key: TaskKey) -> None:
        """Cancel the planned events of a task whose host is silent."""
        self.execution.lose(key)
        self.queue.cancel(TaskEnded(*key))
        self.queue.cancel(TaskArrived(*key))

    def _note_end(self, key: TaskKey) -> None:
        self._forget(key)
        self._has_finished_tasks = True
        self.last_progress = self.now
        if key in self.records:
            self.records[key].ended = self.now

    def _forget(self, key: TaskKey) -> None:
        if key in self.records:
            self.records[key].suspended += self.execution.suspended(key, self.now)
        self.execution.forget(key)

    def follow(self, before: State) -> None:
        """Plan the ends of tasks suspended or resumed since the state `before`; rescheduled tasks wait again."""
        earlier = {job.id: job for job in before.jobs}
        for job in self.state.jobs:
            known = earlier.pop(job.id, None)
            if known is not None and known is not job:
                for number, task in known.tasks.items():
                    if is_placed(task):
                        self._follow_task(job, number)
        for job in earlier.values():
            for number, task in job.tasks.items():
                if is_placed(task):
                    self._note_disappearance((job.id, number))

    def _follow_task(self, job: Job, number: int) -> None:
        key = job.id, number
        task = job.tasks.get(number)
        if task is None or not task.granted:
            self._note_disappearance(key)
        elif not is_placed(task):
            self._send_back(key)
        elif key in self.execution and self.execution.follow(key, task, self.now):
            self._plan_end(key, self.execution.end(key, task, self.now))

    def _note_disappearance(self, key: TaskKey) -> None:
        """Note that a task has lost its slots: it has ended by a command, unless it waits again."""
        if key not in self.execution and TaskArrived(*key) not in self.queue and not self.execution.is_lost(key):
            return
        job = self.find_job(key[0])
        task = job.tasks.get(key[1]) if job is not None else None
        if task is not None and "q" in task.state:
            self._send_back(key)
            return
        self.queue.cancel(TaskEnded(*key))
        self.queue.cancel(TaskArrived(*key))
        self._note_end(key)

    def _send_back(self, key: TaskKey) -> None:
        """Note that a task is rescheduled: it has lost its slots without having ended."""
        self._forget(key)
        self.queue.cancel(TaskEnded(*key))
        self.queue.cancel(TaskArrived(*key))
        self.records[key].send_back(self.now)
        hosts = {name.rpartition("@")[2] for name in self.records[key].granted}
        if not self.settings.simulated_hosts and hosts.isdisjoint(self.silent_hosts):
            self.queue.plan(self.now + CLEAN_UP, EarlierRunCleanedUp(*key))

    def _schedule(self, now: int) -> RunFacts:
        self.now = now
        if self._counts_usage:
            self._report_usage()
        self.state = renewed(self.state, now=now)
        run = self._chain.next_run(self.cluster, held(self.state, self._unseen))
        self.run_times.note_run(now)
        self.runs += 1
        before = self.state
        self.state, self._unseen = freed(state_after(run), self._unseen), ()
        for job, text in run.rejected:
            self.refused.setdefault(job.id, (text,))
        for key in run.reserved:
            self.records[key].reserved = True
        started = run.started
        # Starts of a run, and ended tasks that it removes, are events of the qmaster, too.
        if started:
            self.run_times.note(Cause.OTHER, now)
        if self._has_finished_tasks:
            self.run_times.note(Cause.TASK_REMOVED, now)
        self._has_finished_tasks = False
        if run.moves_tasks:
            # Other runs suspend, resume and reschedule no task.
            self.follow(before)
        backfilled = backfilled_in(run)
        for number, task in started:
            with_start = self.find_job(number)
            if with_start is not None and is_placed(with_start.tasks.get(task)):
                self._note_start(with_start, task, with_start.tasks[task], now)
                self.records[number, task].backfilled = (number, task) in backfilled
        self.last_run = run
        return run

    def _report_usage(self) -> None:
        for key in self.execution:
            used = self.execution.used(key, self.now)
            if used:
                self.state = after_event(self.cluster, self.state, UsageReported(*key, used), at=self.now)

    def note_configuration(self) -> None:
        """Read the settings that the simulation itself needs from the configuration."""
        self.run_times.flushing = Flushing.of(self.cluster)
        self._moves_others = has_subordinates(self.cluster)
        self._counts_usage = session_of(self.cluster).compiled(self.state).policy.tickets.share > 0

    def find_job(self, number: int) -> Job | None:
        """Return a job as it is now; None if it no longer exists."""
        job = self._together.find_job(number) if self._together is not None else None
        return job if job is not None else find_job(self.state, number)
