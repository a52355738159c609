"""The main loop with reservations: a job that cannot start now may get a reservation.

For a job that may get one, the full and closed queue instances are appended to the list: it may wait for them. They are
removed again when the job has started or got its reservation; if it got neither, 8.1.9 leaves them in.

Source: dispatch.md#main-loop and reservation.md#who-gets-a-reservation.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from qmon_tui.model import messages
from qmon_tui.scheduler.dispatch.main_loop import Dispatch, RunEnd
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.matching import FITS, LATER, NEVER, Grants, Say
from qmon_tui.scheduler.parallel import Assignment, ParallelSearch
from qmon_tui.scheduler.quotas import subject_of
from qmon_tui.scheduler.reservation import (
    QUEUE_END,
    ArSearches,
    JobMessages,
    RankedQueueList,
    ResourceDiagrams,
    ScheduleLine,
    ScheduleState,
    TaskAllocation,
    TimedSearches,
    TimeWindow,
    pending_duration,
)


@dataclass(frozen=True, slots=True)
class TaskGrants:
    """The grants of a task, with its PE (None if sequential) and its total of slots."""

    grants: Grants
    environment: str | None = None
    slots: int = 1

    @classmethod
    def of(cls, assignment: Assignment) -> "TaskGrants":
        return cls(assignment.grants, assignment.environment, assignment.slots)


@dataclass(slots=True)
class ReservationState:
    """The additional state of a main loop with reservations."""

    diagrams: ResourceDiagrams
    window: TimeWindow
    searches: TimedSearches
    order: RankedQueueList
    job_messages: JobMessages
    waitable: list[int]
    """Queue instances that left the list, but may be reserved: full, closed or in alarm; in the scheduler's order."""
    known: set[tuple[int, int]]
    """Messages made so far: (FULL or SUSPENDED, queue instance)."""
    reserved: list[TaskAllocation] = field(default_factory=list)
    reservations: int = 0
    """Reservations counted against max_reservation, including those without grants, which are not in `reserved`."""
    ar_searches: Mapping[str, ArSearches] = field(default_factory=dict)
    """Number of an advance reservation (-ar), as text -> the searches for jobs in it."""


@dataclass(slots=True, kw_only=True)
class ReservationDispatch(Dispatch):
    """The main loop with reservations."""

    reservation_state: ReservationState

    def _run(self, end: RunEnd | None) -> None:
        for owner in list(self.tasks_of):
            self._check_user(owner)
        while self._position < len(self._waiting) or self._take_next():
            run_job = self._waiting[self._position]
            if end is not None and end.is_reached(run_job):
                break
            self._position += 1
            if run_job.not_simulated:
                continue
            started = len(self.starts)
            has_more = self._handle(run_job)
            self.scheduling_info.is_silent = self.reservation_state.job_messages.is_silent
            if has_more:
                self._position -= 1
            if len(self.starts) > started:
                self._check_user(run_job.job.owner)
            if not len(self.order):
                break
            if has_more and run_job.excluded_at is None and self._set_next_priority(run_job):
                self._put_back(run_job)

    def start_next_task(self, run_job: RunJob) -> Grants | None:
        self.reservation_state.job_messages.lines = []
        self.prepare_checks(run_job)
        self.reservation_state.order.begin()
        _, grants = self._try_to_start(run_job, may_reserve=False)
        if grants is None:
            return None
        self._begin(run_job, grants)
        return grants.grants

    def prepare_checks(self, run_job: RunJob) -> None:
        self.reservation_state.window.open(
            pending_duration(run_job.demand, self.policy.default_duration, self.policy.duration_offset)
        )

    @property
    def reserved(self) -> Sequence[TaskAllocation]:
        return self.reservation_state.reserved

    @property
    def schedule_lines(self) -> Sequence[ScheduleLine]:
        return self.reservation_state.diagrams.schedule_lines

    def _handle(self, run_job: RunJob) -> bool:
        """Start the job's next task, reserve for it or reject it; return True if the job has more tasks to try."""
        category, reservation_state = run_job.category, self.reservation_state
        may_reserve = self._may_reserve(run_job)
        if category.rejected and not may_reserve:
            return False
        reservation_state.job_messages.lines = []
        self.prepare_checks(run_job)
        if may_reserve:
            reservation_state.order.append(reservation_state.waitable)
            reservation_state.waitable.clear()
        reservation_state.order.begin()
        grants: TaskGrants | None = None
        result = LATER
        if not category.rejected:
            result, grants = self._try_to_start(run_job, may_reserve)
        if grants is not None:
            self._begin(run_job, grants)
            return bool(run_job.remaining)
        if result == LATER and may_reserve and self._reserve(run_job):
            return self._count_reservation(run_job)
        if result == NEVER and run_job.job.request.pe is None and self._searches(run_job).sequential.fails_alone:
            self.scheduling_info.tell(run_job, reservation_state.job_messages.lines)
            return False
        category.reservation_rejected |= may_reserve
        self._reject(run_job)
        return False

    def _may_reserve(self, run_job: RunJob) -> bool:
        """True if the job requests a reservation (-R y), max_reservation allows one more, and none has failed."""
        request = run_job.job.request
        return (
            request.reserve
            and not request.immediate
            and self.reservation_state.reservations < self.policy.max_reservation
            and not run_job.category.reservation_rejected
        )

    @property
    def _say(self) -> Say | None:
        # Making messages also marks hosts in exclusive use, which matters even if no messages are wanted.
        is_wanted = self.wants_reasons or self.resources.compiled.attributes.has_exclusive
        return self.reservation_state.job_messages if self.policy.job_info and is_wanted else None

    def _try_to_start(self, run_job: RunJob, may_reserve: bool) -> tuple[int, TaskGrants | None]:
        """Try to place the next task now; return FITS, LATER or NEVER, and the grants if it fits."""
        searches = self._searches(run_job)
        self.reservation_state.order.rank()
        if run_job.job.request.pe is None:
            self._sort()
            result, instance = searches.start(run_job, self._say)
            return result, None if instance is None else TaskGrants(((instance, 1),))
        searches.sequential.wipe()
        searches.parallel.asks_for_later = may_reserve
        result, assignment = searches.collect(run_job, self._say, list(self.order))
        self._note_ranks(searches.parallel)
        if assignment is None:
            return result, None
        self.order.must_sort = run_job.demand.is_soft
        return FITS, TaskGrants.of(assignment)

    def _sort(self) -> None:
        self.order.sort()
        self.order.must_sort = False

    def _note_ranks(self, search: ParallelSearch) -> None:
        self.reservation_state.order.note_ranks(has_visited_hosts=search.has_visited_hosts)
        search.has_visited_hosts = False

    def _searches(self, run_job: RunJob) -> TimedSearches:
        return self._ar_searches(run_job) or self.reservation_state.searches

    def _begin(self, run_job: RunJob, grants: TaskGrants) -> None:
        """Start the job's next task, and book it in the resource diagrams."""
        allocation = self._plan(run_job, ScheduleState.STARTING, grants, self.reservation_state.window.now)
        if grants.environment is not None:
            self.resources.debit_environment(grants.environment, grants.slots)
        self._start(run_job, grants.grants, grants.environment)
        self._book(run_job, allocation)
        ar_searches = self._ar_searches(run_job)
        if ar_searches is not None:
            ar_searches.reserved.debit(run_job.demand, grants.grants)

    def _book(self, run_job: RunJob, allocation: TaskAllocation) -> None:
        ar_searches = self._ar_searches(run_job)
        if ar_searches is not None:
            self.reservation_state.diagrams.book_in(ar_searches.reserved.levels, allocation)
        else:
            self.reservation_state.diagrams.book(allocation)

    def _ar_searches(self, run_job: RunJob) -> ArSearches | None:
        return self.reservation_state.ar_searches.get(run_job.job.request.advance_reservation or "")

    def _plan(self, run_job: RunJob, kind: ScheduleState, grants: TaskGrants, start: int) -> TaskAllocation:
        return TaskAllocation(
            kind=kind,
            job=run_job.id,
            task=run_job.queue[run_job.next_task],
            demand=run_job.demand,
            grants=grants.grants,
            start=start,
            duration=self.reservation_state.window.duration,
            environment=grants.environment,
            slots=grants.slots,
            subject=subject_of(run_job, grants.environment),
        )

    def _reserve(self, run_job: RunJob) -> bool:
        """Reserve for the next task at the earliest time it fits; return False if it fits at no time."""
        searches = self._searches(run_job)
        if run_job.job.request.pe is None:
            self.reservation_state.order.rank()
            self._sort()
            first = searches.reserve(run_job)
            if first is None:
                return False
            grants, start = TaskGrants(((first[0], 1),)), first[1]
        else:
            # The search for a start has rearranged the hosts: rank the queue instances by that order.
            searches.parallel.hosts.catch_up()
            self.reservation_state.order.rank(searches.parallel.hosts.ranks)
            searches.sequential.wipe()
            result, reservation = searches.collect_later(run_job, self._say)
            self._note_ranks(searches.timed_parallel)
            if reservation is None:
                return result == LATER and self._book_without_grants(run_job)
            self.order.must_sort = run_job.demand.is_soft
            grants, start = TaskGrants.of(reservation.assignment), reservation.start
        allocation = self._plan(run_job, ScheduleState.RESERVING, grants, start)
        self._book(run_job, allocation)
        self.reservation_state.reserved.append(allocation)
        return True

    def _book_without_grants(self, run_job: RunJob) -> bool:
        """Count a job that could start later, but at none of the times tried, as a reservation without grants."""
        grants = TaskGrants((), self._searches(run_job).timed_parallel.last, 0)
        self._book(run_job, self._plan(run_job, ScheduleState.RESERVING, grants, QUEUE_END))
        return True

    def _count_reservation(self, run_job: RunJob) -> bool:
        """Count a reservation and update the list; return True if another task of the job may be tried."""
        self.reservation_state.reservations += 1
        self._reject(run_job)
        self._drop_full(())
        granted = self.reservation_state.reserved[-1].grants if self.reservation_state.reserved else ()
        if run_job.job.request.pe is None or self._searches(run_job).timed_parallel.adjusts:
            self._drop_overloaded(self.order.in_order(instance for instance, _ in granted), set())
        if run_job.remaining < 2 or self.reservation_state.reservations >= self.policy.max_reservation:
            return False
        plain = max(run_job.next_task, len(run_job.split.enrolled))
        run_job.passed += tuple(run_job.queue[plain : plain + 1])
        run_job.queue = (*run_job.queue[:plain], *run_job.queue[plain + 1 :])
        return True

    def _reject(self, run_job: RunJob) -> None:
        """Reject the category and give this job's messages to all its jobs; if rejected before, keep them back."""
        category = run_job.category
        if category.rejected:
            self.scheduling_info.hold_back(run_job, self.reservation_state.job_messages.lines)
            return
        category.rejected = True
        category.rejected_at = len(self.starts)
        category.rejected_with = run_job.id
        self.scheduling_info.tell_category(self._waiting[self._position - 1 :])
        self.scheduling_info.reject(run_job, self.reservation_state.job_messages.lines)

    def _drop_suspended(self, instances: Sequence[int]) -> None:
        """Do nothing: suspended instances are removed together with full ones."""

    def _drop_full(self, instances: Sequence[int]) -> None:
        """Remove all closed, then all full queue instances from the list; newly full ones come last."""
        known = self.reservation_state.known
        closed = [number for number in self.order if self.availability.is_closed(number)]
        full = [n for n in self.order if self.resources.is_full(n) and not self.availability.is_closed(n)]
        full.sort(key=lambda number: (messages.FULL, number) not in known)
        for text, numbers in ((messages.SUSPENDED, closed), (messages.FULL, full)):
            for number in numbers:
                if (text, number) not in known:
                    known.add((text, number))
                    self.availability.drop(number, text)
                self._remove(number)

    def _remove(self, instance: int) -> None:
        if instance in self.order:
            self.reservation_state.waitable.append(instance)
        Dispatch._remove(self, instance)
