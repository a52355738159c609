"""The order in which waiting jobs are tried, without computing the priorities of all of them.

The rules are `work_out_urgency`, `work_out_tickets` and `WeightedSum`. Waiting jobs fall into classes in which only
the time of submission makes priorities differ. A job that has waited longer is no less urgent, so a class sorted by
submission is in the order of tries. Functional tickets are handed out in turn to the first task of each group of
classes; every task that gets none has what the next of its group would get. So only the first job of each class is
compared.
"""

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Container, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heapreplace
from itertools import chain

from qmon_tui.incremental.known_jobs import KnownJob, ListKey
from qmon_tui.incremental.ticket_groups import TicketGroup, TieBreak, hand_out
from qmon_tui.scheduler.configuration import CompiledCluster
from qmon_tui.scheduler.jobs import Category, RunJob, TicketHolders, Tickets
from qmon_tui.scheduler.priority import (
    GRID_ENGINE,
    Scale,
    TicketlessPriority,
    WeightedSum,
    functional_keys,
    requirement_contribution,
    sums_of_running,
    waiting_time,
)

_Place = tuple[int, int]
"""Time of submission and number of a job."""


@dataclass(slots=True, eq=False)
class _Group:
    """Jobs whose tasks are worth the same functional tickets, in the order in which they get them."""

    has_shares: bool
    places: list[tuple[object, int]] = field(default_factory=list)
    """(sort key, job number) of each job, sorted."""
    arrays: dict[int, int] = field(default_factory=dict)
    """Job number -> number of pending tasks, for jobs with several."""
    rest: float = 0.0
    """Tickets of each task that is not picked."""


@dataclass(slots=True, eq=False)
class _JobClass:
    """Jobs whose priorities differ only by the time of submission, sorted by it."""

    category: Category
    group: _Group
    requirements: float
    given: int
    """-p"""
    reserves: bool
    """-R"""
    places: list[_Place] = field(default_factory=list)


_Claim = Hashable
"""A key that jobs share whose tasks get the same tickets."""
_Key = tuple[int, _Claim, int, bool]
"""Category, claim, -p and -R."""


class WaitingOrder:
    """The waiting and running jobs from which the order of tries follows."""

    def __init__(self, compiled: CompiledCluster) -> None:
        policy = compiled.policy
        self._compiled = compiled
        self._policy = policy
        weights, tickets = policy.weights, policy.tickets
        self.is_possible = (
            not compiled.share_tree
            and weights.urgency >= 0
            and weights.waiting_time >= 0
            and min(tickets.user, tickets.project, tickets.department, tickets.job) >= 0
            and "slots" in compiled.attributes.by_name
        )
        self._jobs: dict[int, KnownJob] = {}
        self._classes: dict[_Key, _JobClass] = {}
        self._groups: dict[_Claim, _Group] = {}
        self._keys = functional_keys()
        self._by_seniority = "F" in policy.tickets.dependent
        self._requirements: dict[int, float] = {}
        self._running: list[ListKey] = []
        """Keys of the jobs with running tasks, sorted."""
        self._running_claims: list[tuple[int, ...]] = []
        """For each job in `_running`: the claim number of each of its running tasks."""
        self._claim_numbers: dict[tuple[int, int], int] = {}
        self._claims: dict[int, tuple[TicketHolders, int]] = {}
        """Claim number -> ticket holders and -js."""
        self._times: dict[float, list[int]] = {}
        """Urgency of the resource requests -> submission times of all jobs that take part in runs, sorted."""
        self._unclassed = 0
        """Number of jobs with a deadline or override tickets, which fit into no class."""
        self._tasks_of: Counter[int] = Counter()
        """Claim number -> number of running tasks with that claim."""

    def add(self, known: KnownJob) -> None:
        run_job, job = known.run_job, known.job
        if not self.is_possible or not run_job.split.takes_part:
            return
        self._unclassed += _is_unclassed(run_job)
        insort(self._times.setdefault(self._required(run_job), []), job.submitted)
        running = run_job.split.running
        if running:
            claim = self._claim_number(known)
            place = bisect_left(self._running, known.key)
            self._running.insert(place, known.key)
            self._running_claims.insert(place, (claim,) * len(running))
            self._tasks_of[claim] += len(running)
        if run_job.split.pending:
            self._jobs[job.id] = known
            job_class, group = self._class_of(known)
            insort(job_class.places, (job.submitted, job.id))
            insort(group.places, self._place_in_group(known))
            if len(run_job.split.pending) > 1:
                group.arrays[job.id] = len(run_job.split.pending)

    def remove(self, known: KnownJob) -> None:
        """Remove a job, given as it was when it was added."""
        run_job, job = known.run_job, known.job
        if not self.is_possible or not run_job.split.takes_part:
            return
        self._unclassed -= _is_unclassed(run_job)
        requirements = self._required(run_job)
        times = self._times[requirements]
        del times[bisect_left(times, job.submitted)]
        if not times:
            del self._times[requirements]
        running = run_job.split.running
        if running:
            claim = self._claim_number(known)
            place = bisect_left(self._running, known.key)
            del self._running[place], self._running_claims[place]
            self._tasks_of[claim] -= len(running)
        if run_job.split.pending:
            del self._jobs[job.id]
            job_class, group = self._class_of(known)
            del job_class.places[bisect_left(job_class.places, (job.submitted, job.id))]
            del group.places[bisect_left(group.places, self._place_in_group(known))]
            group.arrays.pop(job.id, None)
            if not job_class.places:
                del self._classes[self._class_key(known)]
            if not group.places:
                del self._groups[self._claim(known)]

    def replace(self, before: KnownJob, after: KnownJob) -> None:
        if _counts_the_same(before, after):
            if after.job.id in self._jobs:
                self._jobs[after.job.id] = after
            return
        self.remove(before)
        self.add(after)

    def holds(self, now: int) -> bool:
        """True if this order is the order of priorities at `now` (seconds since the epoch)."""
        return self.is_possible and not self._unclassed and all(times[-1] <= now for times in self._times.values())

    def formula(self, now: int, limit: int) -> tuple[WeightedSum, Iterator[RunJob]]:
        """Return the formula of a run and the waiting jobs in order; the first `limit` tasks of each get tickets."""
        policy = self._policy
        urgencies = self._urgencies(now) if policy.uses_urgency else Scale()
        ticketless = TicketlessPriority(policy)
        picked, tickets = self._tickets(limit)
        formula = WeightedSum(ticketless, urgencies, tickets)
        return formula, self._in_turn(formula, picked, now, limit)

    def _urgencies(self, now: int) -> Scale:
        """Return the scale of all urgencies; in each list of `_times` the first and last job have the extremes."""
        totals: list[float] = []
        for requirements, times in self._times.items():
            totals += (self._urgency(times[0], requirements, now), self._urgency(times[-1], requirements, now))
        return GRID_ENGINE.urgency(totals)

    def _urgency(self, submitted: int, requirements: float, now: int) -> float:
        return self._policy.weights.waiting_time * waiting_time(now, submitted) + requirements

    def _tickets(self, limit: int) -> tuple[dict[int, list[Tickets]], Scale]:
        """Return the functional tickets of each job, and the scale of all tickets."""
        for group in self._groups.values():
            group.rest = 0.0
        if self._policy.tickets.functional <= 0:
            return {}, Scale(0.0, 0.0)
        policy = self._policy.tickets
        self._count_running(1)
        claims = list(chain.from_iterable(self._running_claims))
        of_claims = {claim: self._claims[claim] for claim, count in self._tasks_of.items() if count}
        sums, highest = sums_of_running(claims, of_claims, policy)
        groups = [group for group in self._groups.values() if group.has_shares]
        turns = [self._turns_of(group, limit) for group in groups]
        is_any_picked = hand_out(turns, sums, policy)
        self._count_running(-1)
        picked: dict[int, list[Tickets]] = {}
        for group, of_group in zip(groups, turns, strict=True):
            for number, functional in of_group.picked:
                picked.setdefault(number, []).append(Tickets(functional=functional))
                highest = max(highest, functional)
            if is_any_picked and of_group.next is not None:
                group.rest = of_group.worth
                highest = max(highest, group.rest)
        return picked, Scale(0.0, max(0.0, highest))

    def _turns_of(self, group: _Group, limit: int) -> TicketGroup:
        first = self._jobs[group.places[0][1]]
        tasks = len(group.places) + sum(min(limit, tasks) - 1 for tasks in group.arrays.values())
        return TicketGroup(first.run_job.ticket_holders, first.job.request.job_share, tasks, self._ahead(group, limit))

    def _ahead(self, group: _Group, limit: int) -> Iterator[TieBreak]:
        for _, number in group.places:
            known = self._jobs[number]
            submitted = known.job.submitted
            for task in known.run_job.split.pending[:limit]:
                yield submitted, number, task

    def _count_running(self, change: int) -> None:
        for claim, count in self._tasks_of.items():
            for holder in self._claims[claim][0]:
                if holder is not None:
                    holder.running += change * count

    def _in_turn(
        self, formula: WeightedSum, picked: dict[int, list[Tickets]], now: int, limit: int
    ) -> Iterator[RunJob]:
        heads: list[tuple[tuple[float, int, int], int, _JobClass | None]] = []
        normalise = formula.tickets.normalise
        for number, tickets in picked.items():
            known = self._jobs[number]
            self._set_urgency(known.run_job, formula, self._required(known.run_job), now)
            prior = formula.prior_with(known.run_job, normalise(tickets[0].functional))
            heads.append(((-prior, known.job.submitted, number), number, None))
        positions: dict[int, int] = {}
        for job_class in self._classes.values():
            position = _next_position(job_class, 0, picked)
            if position is not None:
                positions[id(job_class)] = position
                key = self._sort_key(job_class, position, formula, now)
                heads.append((key, job_class.places[position][1], job_class))
        heapify(heads)
        while heads:
            _, number, next_class = heads[0]
            known = self._jobs[number]
            if next_class is None:
                heappop(heads)
                self._prepare(known.run_job, formula, picked[number], now, limit)
                yield known.run_job
                continue
            is_over = self._is_over(next_class)
            if not is_over:
                self._prepare(known.run_job, formula, (), now, limit)
                yield known.run_job
                is_over = self._is_over(next_class)
            position = _next_position(next_class, positions[id(next_class)] + 1, picked)
            if is_over or position is None:
                heappop(heads)
                continue
            positions[id(next_class)] = position
            key = self._sort_key(next_class, position, formula, now)
            heapreplace(heads, (key, next_class.places[position][1], next_class))

    def _is_over(self, job_class: _JobClass) -> bool:
        """True if no job of a class is tried any more."""
        category = job_class.category
        if not category.rejected:
            return False
        return not job_class.reserves or category.reservation_rejected or self._policy.max_reservation <= 0

    def _sort_key(self, job_class: _JobClass, position: int, formula: WeightedSum, now: int) -> tuple[float, int, int]:
        submitted, number = job_class.places[position]
        run_job = self._jobs[number].run_job
        self._set_urgency(run_job, formula, job_class.requirements, now)
        prior = formula.prior_with(run_job, formula.tickets.normalise(job_class.group.rest))
        return (-prior, submitted, number)

    def _set_urgency(self, run_job: RunJob, formula: WeightedSum, requirements: float, now: int) -> None:
        if self._policy.uses_urgency:
            urgency = run_job.urgency
            urgency.total = self._urgency(run_job.job.submitted, requirements, now)
            urgency.normalised = formula.urgencies.normalise(urgency.total)

    def _prepare(self, run_job: RunJob, formula: WeightedSum, picked: Sequence[Tickets], now: int, limit: int) -> None:
        """Set the urgency, tickets and priority that the main loop reads from a job."""
        known = self._jobs[run_job.id]
        job_class, group = self._class_of(known)
        self._set_urgency(run_job, formula, job_class.requirements, now)
        queue = run_job.split.pending
        run_job.queue, run_job.next_task, run_job.passed = queue, 0, ()
        run_job.template, run_job.excluded_at = None, None
        run_job.tickets = {}
        for position, task in enumerate(queue[:limit]):
            tickets = picked[position] if position < len(picked) else Tickets(functional=group.rest)
            tickets.total = tickets.functional
            run_job.tickets[task] = tickets
        formula.set_priorities((run_job,))
        run_job.template = run_job.tickets[queue[0]]
        run_job.prior = run_job.template.prior

    def _required(self, run_job: RunJob) -> float:
        """Return the urgency of the resource requests of a job's category."""
        key = id(run_job.category)
        worth = self._requirements.get(key)
        if worth is None:
            contribution = requirement_contribution(run_job.demand, run_job.slots, self._compiled.attributes)
            assert contribution is not None
            worth = self._requirements[key] = contribution
        return worth

    def _claim_number(self, known: KnownJob) -> int:
        ticket_holders, job_share = known.run_job.ticket_holders, known.job.request.job_share
        key = id(ticket_holders), job_share
        number = self._claim_numbers.get(key)
        if number is None:
            number = self._claim_numbers[key] = len(self._claim_numbers)
            self._claims[number] = ticket_holders, job_share
        return number

    def _class_key(self, known: KnownJob) -> _Key:
        request = known.job.request
        return id(known.run_job.category), self._claim(known), request.priority, request.reserve

    def _claim(self, known: KnownJob) -> _Claim:
        return self._keys.of(known.run_job.ticket_holders, known.job.request.job_share)

    def _place_in_group(self, known: KnownJob) -> tuple[object, int]:
        """Return (sort key, job number): by submission if earlier policies count, else in the order of the job list."""
        return (known.job.submitted if self._by_seniority else known.key), known.job.id

    def _class_of(self, known: KnownJob) -> tuple[_JobClass, _Group]:
        key = self._class_key(known)
        job_class = self._classes.get(key)
        if job_class is None:
            claim = self._claim(known)
            group = self._groups.get(claim)
            if group is None:
                group = self._groups[claim] = _Group(claim is not None)
            run_job = known.run_job
            requirements = self._required(run_job)
            job_class = self._classes[key] = _JobClass(run_job.category, group, requirements, key[2], key[3])
        return job_class, job_class.group


def _counts_the_same(before: KnownJob, after: KnownJob) -> bool:
    """True if nothing has changed that decides a job's place in the order."""
    run_job_before, run_job_after = before.run_job, after.run_job
    return (
        before.key == after.key
        and before.job.request is after.job.request
        and before.job.submitted == after.job.submitted
        and run_job_before.category is run_job_after.category
        and run_job_before.ticket_holders is run_job_after.ticket_holders
        and run_job_before.demand is run_job_after.demand
        and run_job_before.split.running == run_job_after.split.running
        and run_job_before.split.pending == run_job_after.split.pending
        and run_job_before.split.takes_part == run_job_after.split.takes_part
    )


def _is_unclassed(run_job: RunJob) -> bool:
    request = run_job.job.request
    if request.deadline or request.override_tickets:
        return True
    return any(holder is not None and holder.entitlement.override_tickets for holder in run_job.ticket_holders)


def _next_position(job_class: _JobClass, position: int, picked: Container[int]) -> int | None:
    """Return the first position from `position` on of a job without picked tasks; None if there is none."""
    places = job_class.places
    while position < len(places):
        if places[position][1] not in picked:
            return position
        position += 1
    return None
