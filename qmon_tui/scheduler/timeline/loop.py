"""The main loop where there may be reservations: what cannot start now may get a time (dispatch.md sections 5 and 9).

A job that may get a reservation is tried with the full and the closed queue instances at the end of the list, as it
could wait for them. They are taken out again when it has started or got its reservation; when it has got neither,
8.1.9 leaves them in.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from qmon_tui.scheduler import messages
from qmon_tui.scheduler.advance.searches import Quarters
from qmon_tui.scheduler.dispatch import Dispatch, End
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.matching.room import FITS, LATER, NEVER, Say
from qmon_tui.scheduler.placement.attempt import Assignment
from qmon_tui.scheduler.placement.parallel import ParallelSearch
from qmon_tui.scheduler.quotas.ledger import party_of
from qmon_tui.scheduler.resources import Grants
from qmon_tui.scheduler.timeline.diagrams import Booking, Diagrams, Kind, Plan
from qmon_tui.scheduler.timeline.durations import of_pending
from qmon_tui.scheduler.timeline.order import RankedOrder
from qmon_tui.scheduler.timeline.searches import Searches
from qmon_tui.scheduler.timeline.steps import QUEUE_END
from qmon_tui.scheduler.timeline.voice import Voice
from qmon_tui.scheduler.timeline.window import Window


@dataclass(frozen=True, slots=True)
class Found:
    """Queue instances for a task, and the parallel environment with its number of slots."""

    grants: Grants
    environment: str | None = None
    slots: int = 1

    @classmethod
    def of(cls, assignment: Assignment) -> "Found":
        """What a parallel job was given."""
        return cls(assignment.grants, assignment.environment, assignment.slots)


@dataclass(slots=True)
class Plans:
    """What the loop needs besides what every loop has."""

    diagrams: Diagrams
    window: Window
    searches: Searches
    order: RankedOrder
    voice: Voice
    aside: list[int]
    """Queue instances that are full, closed or in alarm, in the scheduler's order."""
    known: set[tuple[int, int]]
    """What has been said so far: FULL or SUSPENDED, and the queue instance."""
    reserved: list[Plan] = field(default_factory=list)
    reservations: int = 0
    quarters: Mapping[str, Quarters] = field(default_factory=dict)
    """The searches for jobs in advance reservations, by number."""


@dataclass(slots=True, kw_only=True)
class PlanningDispatch(Dispatch):
    """The loop with reservations."""

    plans: Plans

    def run(self, pending: Sequence[RunJob], end: End | None = None) -> None:
        """Try the sorted pending jobs one after the other until no queue instance is left, or the end is reached."""
        self._waiting = list(pending)
        for owner in list(self.tasks_of):
            self._check_user(owner)
        while self._position < len(self._waiting):
            run_job = self._waiting[self._position]
            if end is not None and end.is_reached(run_job):
                break
            self._position += 1
            if run_job.not_simulated:
                continue
            started = len(self.starts)
            comes_again = self._handle(run_job)
            self.notes.is_silent = self.plans.voice.is_silent
            if comes_again:
                self._position -= 1
            if len(self.starts) > started:
                self._check_user(run_job.job.owner)
            if not len(self.order):
                break
            if comes_again and run_job.excluded_at is None and self._next_task(run_job):
                self._put_back(run_job)

    def give(self, run_job: RunJob) -> Grants | None:
        """Start a job's next task whatever its turn, for those who want to see what comes then; None where it fits not.

        The run is of no use for anything else afterwards.
        """
        self.plans.voice.lines = []
        self.look_at(run_job)
        self.plans.order.begin()
        _, found = self._try_to_start(run_job, may_reserve=False)
        if found is None:
            return None
        self._begin(run_job, found)
        return found.grants

    def look_at(self, run_job: RunJob) -> None:
        """Let the checks look at the time that a job would take from now on."""
        self.plans.window.open(of_pending(run_job.demand, self.policy.default_duration, self.policy.duration_offset))

    @property
    def reserved(self) -> Sequence[Plan]:
        """The reservations that were made, in their order."""
        return self.plans.reserved

    @property
    def bookings(self) -> Sequence[Booking]:
        """All that was entered into resource diagrams, in its order."""
        return self.plans.diagrams.bookings

    def _handle(self, run_job: RunJob) -> bool:
        """Try one task; True where the job has more of them to be tried."""
        category, plans = run_job.category, self.plans
        may_reserve = self._may_reserve(run_job)
        if category.rejected and not may_reserve:
            return False
        plans.voice.lines = []
        self.look_at(run_job)
        if may_reserve:
            plans.order.append(plans.aside)
            plans.aside.clear()
        plans.order.begin()
        found: Found | None = None
        result = LATER
        if not category.rejected:
            result, found = self._try_to_start(run_job, may_reserve)
        if found is not None:
            self._begin(run_job, found)
            return bool(run_job.remaining)
        if result == LATER and may_reserve and self._reserve(run_job):
            return self._count_reservation(run_job)
        if result == NEVER and run_job.job.request.pe is None and self._searches(run_job).sequential.fails_alone:
            self.notes.tell(run_job, plans.voice.lines)
            return False
        category.reservation_rejected |= may_reserve
        self._reject(run_job)
        return False

    def _may_reserve(self, run_job: RunJob) -> bool:
        request = run_job.job.request
        return (
            request.reserve
            and not request.immediate
            and self.plans.reservations < self.policy.max_reservation
            and not run_job.category.reservation_rejected
        )

    @property
    def _say(self) -> Say | None:
        return self.plans.voice if self.policy.job_info else None

    def _try_to_start(self, run_job: RunJob, may_reserve: bool) -> tuple[int, Found | None]:
        """Whether the next task fits now, later or never, and where."""
        searches = self._searches(run_job)
        self.plans.order.rank()
        if run_job.job.request.pe is None:
            self._sort()
            result, instance = searches.start(run_job, self._say)
            return result, None if instance is None else Found(((instance, 1),))
        searches.sequential.wipe()
        searches.parallel.asks_for_later = may_reserve
        result, assignment = searches.collect(run_job, self._say, list(self.order))
        self._note_ranks(searches.parallel)
        if assignment is None:
            return result, None
        self.order.must_sort = run_job.demand.is_soft
        return FITS, Found.of(assignment)

    def _sort(self) -> None:
        self.order.sort()
        self.order.must_sort = False

    def _note_ranks(self, search: ParallelSearch) -> None:
        self.plans.order.note_ranks(has_looked=search.has_looked)
        search.has_looked = False

    def _searches(self, run_job: RunJob) -> Searches:
        return self._quarters(run_job) or self.plans.searches

    def _begin(self, run_job: RunJob, found: Found) -> None:
        plan = self._plan(run_job, Kind.STARTING, found, self.plans.window.now)
        if found.environment is not None:
            self.resources.debit_environment(found.environment, found.slots)
        self._start(run_job, found.grants, found.environment)
        self._book(run_job, plan)
        quarters = self._quarters(run_job)
        if quarters is not None:
            quarters.reserved.debit(run_job.demand, found.grants)

    def _book(self, run_job: RunJob, plan: Plan) -> None:
        quarters = self._quarters(run_job)
        if quarters is not None:
            self.plans.diagrams.book_in(quarters.reserved.levels, plan)
        else:
            self.plans.diagrams.book(plan)

    def _quarters(self, run_job: RunJob) -> Quarters | None:
        """The advance reservation that a job is in."""
        return self.plans.quarters.get(run_job.job.request.advance_reservation or "")

    def _plan(self, run_job: RunJob, kind: Kind, found: Found, start: int) -> Plan:
        return Plan(
            kind=kind,
            job=run_job.id,
            task=run_job.queue[run_job.next_task],
            demand=run_job.demand,
            grants=found.grants,
            start=start,
            duration=self.plans.window.duration,
            environment=found.environment,
            slots=found.slots,
            party=party_of(run_job, found.environment),
        )

    def _reserve(self, run_job: RunJob) -> bool:
        """Make a reservation for the next task at the earliest time; False where there is none."""
        searches = self._searches(run_job)
        if run_job.job.request.pe is None:
            self.plans.order.rank()
            self._sort()
            first = searches.reserve(run_job)
            if first is None:
                return False
            found, start = Found(((first[0], 1),)), first[1]
        else:
            # The search for a start has put the hosts into an order of its own, and they are ranked in that.
            searches.parallel.hosts.catch_up()
            self.plans.order.rank(searches.parallel.hosts.ranks)
            searches.sequential.wipe()
            result, reservation = searches.collect_later(run_job, self._say)
            self._note_ranks(searches.parallel_plans)
            if reservation is None:
                return result == LATER and self._book_nothing(run_job)
            self.order.must_sort = run_job.demand.is_soft
            found, start = Found.of(reservation.assignment), reservation.start
        plan = self._plan(run_job, Kind.RESERVING, found, start)
        self._book(run_job, plan)
        self.plans.reserved.append(plan)
        return True

    def _book_nothing(self, run_job: RunJob) -> bool:
        """What could start later, but at none of the times that were tried, counts as a reservation without a place."""
        found = Found((), self._searches(run_job).parallel_plans.last, 0)
        self._book(run_job, self._plan(run_job, Kind.RESERVING, found, QUEUE_END))
        return True

    def _count_reservation(self, run_job: RunJob) -> bool:
        """After a reservation; where more are allowed, the job's next task is tried, too."""
        self.plans.reservations += 1
        self._reject(run_job)
        self._drop_full(())
        granted = self.plans.reserved[-1].grants if self.plans.reserved else ()
        if run_job.job.request.pe is None or self._searches(run_job).parallel_plans.adjusts:
            self._drop_overloaded(self.order.in_order(instance for instance, _ in granted), set())
        if run_job.remaining < 2 or self.plans.reservations >= self.policy.max_reservation:
            return False
        plain = max(run_job.next_task, len(run_job.split.enrolled))
        run_job.passed += tuple(run_job.queue[plain : plain + 1])
        run_job.queue = (*run_job.queue[:plain], *run_job.queue[plain + 1 :])
        return True

    def _reject(self, run_job: RunJob) -> None:
        """No job of the category is started any more in this run; what is said of this one is true of all."""
        category = run_job.category
        if category.rejected:
            self.notes.keep_back(run_job, self.plans.voice.lines)
            return
        category.rejected = True
        category.rejected_at = len(self.starts)
        category.rejected_with = run_job.id
        self.notes.spread(self._waiting[self._position - 1 :])
        self.notes.reject(run_job, self.plans.voice.lines)

    def _drop_suspended(self, instances: Sequence[int]) -> None:
        """They are put aside together with what is full."""

    def _drop_full(self, instances: Sequence[int]) -> None:
        """Put aside what is closed or full, wherever it is in the list; what is full only now comes last."""
        known = self.plans.known
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
            self.plans.aside.append(instance)
        Dispatch._remove(self, instance)
