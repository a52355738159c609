"""Incremental scheduling: jobs and bookings are kept, and the next run is computed from the changes.

The rules are `simulate` and `after_run`. This module leaves out what cannot change a decision:

* the order of waiting jobs, if no queue instance takes a job;
* the priority of a job that waits alone;
* messages about waiting jobs, and the numbers shown of running tasks.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from types import MappingProxyType

from qmon_tui.incremental.bookings import Bookings
from qmon_tui.incremental.known_jobs import Changes, KnownJob, KnownJobs
from qmon_tui.incremental.latest_moments import LatestMoments
from qmon_tui.incremental.lazy_run import Decisions, LazyRun, RunNumbers
from qmon_tui.incremental.prerequisites import NotIncremental
from qmon_tui.incremental.rejected_categories import RejectedCategories
from qmon_tui.incremental.suspensions_after_run import SuspensionsAfterRun
from qmon_tui.incremental.tasks_after_run import LATER, is_to_change, task_after_run
from qmon_tui.incremental.waiting_jobs import WaitingJobs
from qmon_tui.incremental.waiting_order import WaitingOrder
from qmon_tui.model import GONE, Job, LaterNumbers, PastUsage, State, Task, renewed
from qmon_tui.qmaster import (
    Consumables,
    TaskKey,
    moments,
    next_moment,
    parts_of_master,
    place_of,
    refuse_starts,
    remembered,
    wallclock_limit,
    with_released_jobs,
)
from qmon_tui.scheduler import SchedulerSession, in_order, urgencies_of
from qmon_tui.scheduler.dispatch import Dispatch, InitialState, prepare_dispatch
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.matching import StartOrder
from qmon_tui.scheduler.placement import free_slots
from qmon_tui.scheduler.priority import (
    GRID_ENGINE,
    Scale,
    TicketlessPriority,
    TicketOrder,
    WeightedSum,
    collected,
    share_tree_of,
    work_out_tickets,
)
from qmon_tui.scheduler.suspension import SUBORDINATED


class IncrementalScheduler:
    """The jobs and bookings after a run on one configuration."""

    def __init__(self, session: SchedulerSession, state: State, latest: LatestMoments) -> None:
        compiled = session.configured
        self.now = state.now
        """Time of the last run, in seconds since the epoch."""
        self._session = session
        self._compiled = compiled
        self._jobs = KnownJobs(session, compiled)
        self._latest = latest
        self._bookings = Bookings(compiled, state.loads)
        self._order = WaitingOrder(compiled)
        self._waiting = WaitingJobs()
        self._parallel: set[int] = set()
        """Job numbers of the waiting jobs that are parallel."""
        self._rejected_categories = RejectedCategories()
        self._ended: dict[int, KnownJob] = {}
        """Job number -> job with tasks that the next run accounts, removes or gives other ticket numbers."""
        self._suspended: set[TaskKey] = set()
        """Suspended tasks in queue instances that no other queue can suspend."""
        self._tried: list[int] = []
        """Numbers of the jobs tried in this run, in the order of their first try."""
        self._runs = 0
        """Number of runs begun so far."""

    def next_run(self, state: State) -> LazyRun:
        """Make the next run, on this state. Raises NotIncremental if a full run is needed: then drop this object."""
        self._runs += 1
        self.now = state.now
        self._apply_changes(self._jobs.take_over(state))
        if state.loads is not self._bookings.loads:
            self._take_loads(state.loads)
        self._bookings.take_letters(state)
        self._bookings.check_thresholds(state, self._jobs.listed)
        if self._jobs.equal_starts:
            raise NotIncremental
        booked = [known.run_job for known in sorted(self._ended.values(), key=lambda known: known.key)]
        usage = collected(state.usage, booked, state.now, self._compiled.policy.tickets.usage)
        dispatch = self._decide(state, usage)
        starts = dispatch.starts if dispatch is not None else []
        suspensions = SuspensionsAfterRun(self._bookings, state, starts, self._jobs.by_number, self._suspended)
        started = [(start.run_job.id, start.task) for start in starts]
        waiting = self._waiting.left(started)
        after = self._state_after(state, usage, starts, dispatch, suspensions)
        reserved = dispatch.reserved if dispatch is not None else ()
        tried = self._tried if dispatch is not None else ()
        decisions = Decisions(started, reserved, tried, waiting, bool(suspensions.moved))
        consumables = self._consumables(is_corrected=dispatch is not None)
        return LazyRun(self._session.cluster, state, decisions, after, consumables)

    def _consumables(self, *, is_corrected: bool) -> Callable[[], Consumables | None]:
        """Return a function that returns the consumables after this run; None once a later run has begun."""
        number = self._runs
        return lambda: self._bookings.consumables(is_corrected=is_corrected) if self._runs == number else None

    def _take_loads(self, loads: Mapping[str, Mapping[str, str]]) -> None:
        if not self._bookings.take_loads(loads):
            self._bookings = Bookings(self._compiled, loads)
            for known in self._jobs.by_number.values():
                self._bookings.add(known)

    def _apply_changes(self, changes: Changes) -> None:
        for known in changes.removed:
            self._take_out(known)
            self._order.remove(known)
            self._rejected_categories.remove(known)
        for before, after in changes.changed:
            self._order.replace(before, after)
            self._rejected_categories.replace(before, after)
            if self._bookings.is_same(before, after):
                self._remove_from_lists(before)
                self._add_to_lists(after)
            else:
                self._take_out(before)
                self._bookings.add(after)
                self._add_to_lists(after)
        for known in changes.added:
            self._order.add(known)
            self._rejected_categories.add(known)
            if known.run_job.split.running:
                self._bookings.add(known)
            self._add_to_lists(known)

    def _take_out(self, known: KnownJob) -> None:
        self._bookings.take_back(known)
        self._remove_from_lists(known)

    def _remove_from_lists(self, known: KnownJob) -> None:
        self._waiting.remove(known.job.id)
        self._parallel.discard(known.job.id)
        if self._suspended:
            self._suspended.difference_update((known.job.id, number) for number in known.job.tasks)

    def _add_to_lists(self, known: KnownJob) -> None:
        job = known.job
        if known.run_job.queue:
            self._waiting.add(known)
            if job.request.pe is not None:
                self._parallel.add(job.id)
        if any(map(is_to_change, job.tasks.values())):
            self._ended[job.id] = known
        for number, task in job.tasks.items():
            if SUBORDINATED in task.state and self._bookings.subordinates.isdisjoint(task.granted):
                self._suspended.add((job.id, number))

    def _decide(self, state: State, usage: PastUsage) -> Dispatch | None:
        """Return the main loop after its last step; None if no task can start."""
        waiting = self._waiting
        policy, reserves = self._compiled.policy, self._bookings.reserves
        if not waiting:
            return None
        listed = self._jobs.listed
        parallel = bool(self._parallel)
        started = [run_job for run_job in listed if run_job.split.running] if policy.maxujobs else []
        initial_state = self._bookings.initial_state(state, listed, started, parallel=parallel)
        availability = initial_state.availability
        if not (availability.usable or (reserves and availability.waitable)):
            return None
        self._jobs.forget_categories()
        self._rejected_categories.begin_run()
        checks = self._bookings.known_checks
        diagrams = self._bookings.diagrams_for(initial_state, state.now)
        if len(waiting) > 1 and self._order.holds(state.now):
            most = policy.tickets.max_pending_tasks_per_job
            # Each usable queue instance has at least one free slot.
            usable = initial_state.availability.usable
            limit = most if len(usable) >= most else min(most, free_slots(initial_state.resources, usable) + 1)
            formula, upcoming = self._order.formula(state.now, limit)
            dispatch = prepare_dispatch(initial_state, state, listed, (), formula, state.now, checks, diagrams)
            dispatch.wants_reasons = False
            self._tried = []
            dispatch.run_in_turn(_noted(upcoming, self._tried) if reserves else upcoming)
        else:
            formula, pending = self._pending(initial_state, state, usage, is_alone=len(waiting) == 1 and not parallel)
            dispatch = prepare_dispatch(initial_state, state, listed, pending, formula, state.now, checks, diagrams)
            dispatch.wants_reasons = False
            self._tried = [run_job.id for run_job in pending]
            dispatch.run(pending)
        resources = initial_state.resources
        refuse_starts(dispatch.starts, resources, availability, initial_state.quota_usage)
        if any(start.refused for start in dispatch.starts):
            raise NotIncremental
        return dispatch

    def _pending(
        self, initial_state: InitialState, state: State, usage: PastUsage, *, is_alone: bool
    ) -> tuple[WeightedSum, list[RunJob]]:
        """Return the priority formula and all pending jobs in the order in which they are tried."""
        for known in self._waiting.values():
            run_job = known.run_job
            run_job.next_task, run_job.passed, run_job.template, run_job.excluded_at = 0, (), None, None
            run_job.tickets, run_job.queue = {}, run_job.split.pending
        if not is_alone:
            formula = self._prioritised(initial_state, state, usage)
            return formula, in_order(self._jobs.listed)
        formula = WeightedSum(TicketlessPriority(self._compiled.policy, GRID_ENGINE), Scale(), Scale(), TicketOrder())
        return formula, [known.run_job for known in self._waiting.values()]

    def _prioritised(self, initial_state: InitialState, state: State, usage: PastUsage) -> WeightedSum:
        """Work out urgencies, tickets and priorities like `run_scheduler`."""
        compiled = self._compiled
        policy = compiled.policy
        listed = self._jobs.listed
        urgencies = urgencies_of(compiled, listed, state.now, GRID_ENGINE)
        running = [run_job for run_job in listed if run_job.split.running]
        pending = [run_job for run_job in listed if run_job.queue]
        for run_job in running:
            run_job.tickets = {}
        free = free_slots(initial_state.resources, initial_state.availability.usable)
        order = TicketOrder()
        tree = share_tree_of(compiled, usage, listed)
        tickets = work_out_tickets(running, pending, policy.tickets, free, GRID_ENGINE, tree, order=order)
        formula = WeightedSum(TicketlessPriority(policy, GRID_ENGINE), urgencies, tickets, order)
        formula.set_priorities(pending)
        return formula

    def _state_after(
        self,
        state: State,
        usage: PastUsage,
        starts: list[StartOrder],
        dispatch: Dispatch | None,
        suspensions: SuspensionsAfterRun,
    ) -> State:
        """Build the state after the run; must equal that of `after_run`."""
        tasks: dict[int, dict[int, Task]] = {}
        for number, known in self._ended.items():
            tasks[number] = {task: task_after_run(known, task, of) for task, of in known.job.tasks.items()}
        for (number, task), shown in suspensions.moved.items():
            of_job = tasks.setdefault(number, dict(self._jobs.by_number[number].job.tasks))
            of_job[task] = renewed(of_job[task], state=shown)
        latest = self._jobs.latest_start
        first = next_moment(latest) if latest >= state.now else float(state.now)
        started: dict[int, None] = {}
        for start, moment in zip(starts, moments(first), strict=False):
            number = start.run_job.id
            started[number] = None
            of_job = tasks.setdefault(number, dict(start.run_job.job.tasks))
            of_job[start.task] = self._started(start, moment, suspensions)
            self._bookings.note_start(start, moment)
        marked = {
            job.id: renewed(job, reservation_rejected=rejected)
            for job, rejected in self._rejected_categories.changes(started, has_tried=dispatch is not None)
        }
        jobs, removed = [job for number, job in marked.items() if number not in tasks], list[int]()
        for number, of_job in tasks.items():
            job = marked.get(number) or self._jobs.by_number[number].job
            if len(of_job) >= len(job.task_ids) and all(task.state == GONE for task in of_job.values()):
                removed.append(number)
                continue
            jobs.append(renewed(job, tasks=MappingProxyType(dict(sorted(of_job.items())))))
        after = self._with_changed_jobs(state, jobs, removed)
        changes = self._jobs.after_run(after.jobs, jobs, removed, state.now)
        self._ended.clear()
        for known in changes.removed:
            self._rejected_categories.remove(known)
        for before, known in changes.changed:
            self._order.replace(before, known)
            self._rejected_categories.replace(before, known)
            if known.job.id in started:
                self._bookings.note_ends(known)
            self._remove_from_lists(known)
            self._add_to_lists(known)
        if self._latest.of(after.jobs).waiting:
            after = with_released_jobs(self._session.cluster, state, after)
        return renewed(
            after,
            queue_states=suspensions.queue_states,
            seen_suspended=suspensions.seen_suspended,
            usage=usage,
            numbers=RunNumbers(self._session.cluster, state),
            pe_alg=dispatch.parallel.ranges.scores if dispatch is not None else state.pe_alg,
        )

    def _with_changed_jobs(self, state: State, jobs: Iterable[Job], removed: Iterable[int]) -> State:
        """Return the state with `jobs` replaced and the job numbers `removed` taken out."""
        gone = set(removed)
        changed = {job.id: job for job in jobs}
        if not (gone or changed):
            return remembered(state, state)
        after = renewed(state, jobs=_with_changes(state.jobs, changed, gone))
        is_known = bool(after.jobs) and after.jobs[-1].id > max(gone, default=0)
        if is_known and not (state.jobseqnum or state.arseqnum):
            # The job with the highest number is still there: it shows the number given last.
            return after
        return remembered(state, after)

    def _started(self, start: StartOrder, moment: float, suspensions: SuspensionsAfterRun) -> Task:
        resources = self._bookings.resources
        granted = MappingProxyType({resources.instances[number].name: slots for number, slots in start.grants})
        environment = self._compiled.environments.get(start.environment or "")
        numbers = LATER
        if environment is not None and environment.controls_slaves:
            # Later runs do not change the ticket numbers of tightly integrated parallel tasks.
            numbers = LaterNumbers(parts_of_master(start, start.run_job.tickets[start.task]))
        return Task(
            suspensions.state_of_started(start, granted),
            granted,
            moment,
            environment=start.environment,
            tickets=numbers,
            wallclock_limit=wallclock_limit(start, resources),
        )


def _with_changes(jobs: tuple[Job, ...], changed: Mapping[int, Job], gone: Set[int]) -> tuple[Job, ...]:
    places = {number: place_of(jobs, number) for number in (*changed, *gone)}
    if None in places.values():
        return tuple([changed.get(job.id, job) for job in jobs if job.id not in gone])
    after = list(jobs)
    for number, job in changed.items():
        after[places[number] or 0] = job
    for place in sorted((places[number] or 0 for number in gone), reverse=True):
        del after[place]
    return tuple(after)


def _noted(upcoming: Iterable[RunJob], tried: list[int]) -> Iterator[RunJob]:
    """Yield the same jobs, and add their numbers to `tried`."""
    for run_job in upcoming:
        tried.append(run_job.id)
        yield run_job
