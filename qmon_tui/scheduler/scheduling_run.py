"""One scheduling run, from jobs and state to decisions, in the order of dispatch.md#steps-of-a-run."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from qmon_tui.model import PastUsage, State, messages
from qmon_tui.scheduler.configuration import CompiledCluster
from qmon_tui.scheduler.dispatch import Dispatch, InitialState, RunEnd, in_list_order, prepare_dispatch
from qmon_tui.scheduler.jobs import RunJob, Tickets, apply_jc_filter
from qmon_tui.scheduler.matching import Resources, StartOrder, Thresholds
from qmon_tui.scheduler.placement import SequentialSearch, free_slots
from qmon_tui.scheduler.priority import (
    GRID_ENGINE,
    Formulas,
    RunShareTree,
    Scale,
    TicketlessPriority,
    TicketOrder,
    WeightedSum,
    collected,
    normalise_urgency,
    share_tree_of,
    tickets_per_job,
    work_out_tickets,
    work_out_urgency,
)
from qmon_tui.scheduler.quotas import QuotaUsage
from qmon_tui.scheduler.reservation import TaskAllocation, slots_reserved
from qmon_tui.scheduler.suspension import Availability, ThresholdSuspensions, apply_suspend_thresholds, queue_states

_NO_PLANS: Mapping[int, TaskAllocation] = {}
_NO_STARTS: Mapping[int, StartOrder] = {}


class RunUntil(NamedTuple):
    """The task that a run is made for: the run ends as soon as that task is decided."""

    job: int
    task: int
    before: bool = False
    """True: end before the task is tried; False: after it."""

    def among(self, pending: Iterable[RunJob]) -> RunEnd | None:
        """Return the end of the run; None if the job is not pending."""
        run_job = next((job for job in pending if job.id == self.job), None)
        return None if run_job is None else RunEnd(run_job, self.task, self.before)


@dataclass(slots=True)
class SchedulingRun:
    """The scheduler's decisions in one run, with all intermediate results."""

    compiled: CompiledCluster
    state: State
    now: int
    """Time of the run in seconds since the epoch."""
    jobs: list[RunJob]
    pending: list[RunJob]
    """The jobs with pending tasks, sorted as before the first placement."""
    states: Sequence[str]
    """qstat's states of the queue instances before the run."""
    threshold_suspensions: ThresholdSuspensions
    resources: Resources
    availability: Availability
    thresholds: Thresholds
    formula: WeightedSum
    usage: PastUsage
    """Usage of all users and projects as of this run."""
    run_share_tree: RunShareTree | None
    search: SequentialSearch
    dispatch: Dispatch
    quota_usage: QuotaUsage | None
    """Quota counters after the run; None without quotas."""
    free_slots: int
    """The free slots of all usable queue instances before the first placement."""
    slots_reserved: Mapping[str, int]
    """Queue instance -> slots of advance reservations that have begun."""
    _starts_by_job: dict[int, dict[int, StartOrder]] | None = None
    _plans_by_job: dict[int, dict[int, TaskAllocation]] | None = None

    def starts_of(self, job: int) -> Mapping[int, StartOrder]:
        """Return task -> start order of a job number, in order of the starts."""
        by_job = self._starts_by_job
        if by_job is None:
            by_job = {}
            for start in self.dispatch.starts:
                by_job.setdefault(start.run_job.job.id, {})[start.task] = start
            self._starts_by_job = by_job
        return by_job.get(job, _NO_STARTS)

    def plans_of(self, job: int) -> Mapping[int, TaskAllocation]:
        """Return task -> reservation of a job number."""
        by_job = self._plans_by_job
        if by_job is None:
            by_job = {}
            for allocation in self.dispatch.reserved:
                by_job.setdefault(allocation.job, {})[allocation.task] = allocation
            self._plans_by_job = by_job
        return by_job.get(job, _NO_PLANS)


@dataclass(slots=True)
class RunBeforeDispatch:
    """A run before its first placement: `prioritised` sorts the pending jobs, `dispatched` places them."""

    compiled: CompiledCluster
    state: State
    now: int
    jobs: list[RunJob]
    """In the order of the scheduler's list."""
    states: Sequence[str]
    """qstat's states of the queue instances, by number."""
    formulas: Formulas
    initial_state: InitialState
    threshold_suspensions: ThresholdSuspensions
    usage: PastUsage
    """The usage of users and projects as of this run."""
    run_share_tree: RunShareTree | None
    free_slots: int
    """Free slots of all usable queue instances."""

    @classmethod
    def of(
        cls,
        compiled: CompiledCluster,
        state: State,
        states: Sequence[str],
        jobs: list[RunJob],
        now: int,
        formulas: Formulas,
        *,
        fast: bool,
    ) -> "RunBeforeDispatch":
        """Book started tasks, apply suspend thresholds and update past usage; `jobs` are in the scheduler's order."""
        initial_state = InitialState.before_dispatch(compiled, state, states, jobs, now, formulas, fast=fast)
        resources, availability = initial_state.resources, initial_state.availability
        suspensions = apply_suspend_thresholds(resources, availability, jobs, state.changed, now)
        usage = collected(state.usage, jobs, now, compiled.policy.tickets.usage)
        tree, free = share_tree_of(compiled, usage, jobs), free_slots(resources, availability.usable)
        return cls(compiled, state, now, jobs, states, formulas, initial_state, suspensions, usage, tree, free)

    @property
    def tickets_per_job(self) -> int:
        """Number of pending tasks of each job that get tickets."""
        return tickets_per_job(self.compiled.policy.tickets, self.free_slots)

    @property
    def moves_tasks(self) -> bool:
        """True if suspend thresholds suspend or resume a task."""
        return bool(self.threshold_suspensions.halted or self.threshold_suspensions.resumed)

    def prioritised(self, urgencies: Scale) -> tuple[WeightedSum, list[RunJob]]:
        """Compute tickets and priorities; return the priority formula and the pending jobs, sorted by priority."""
        policy = self.compiled.policy
        running = [run_job for run_job in self.jobs if run_job.split.running]
        pending = [run_job for run_job in self.jobs if run_job.queue]
        free, tree = self.free_slots, self.run_share_tree
        order = TicketOrder()
        tickets = work_out_tickets(running, pending, policy.tickets, free, self.formulas, tree, order=order)
        for run_job, task in self.threshold_suspensions.halted:
            run_job.tickets[task] = Tickets()
        formula = WeightedSum(TicketlessPriority(policy, self.formulas), urgencies, tickets, order)
        formula.set_priorities(run_job for run_job in self.jobs if run_job.tickets)
        self.formulas.settle(running)
        return formula, in_order(self.jobs)

    def dispatched(self, formula: WeightedSum, pending: list[RunJob], until: RunUntil | None) -> SchedulingRun:
        """Place the pending jobs; return the finished run."""
        initial_state, availability = self.initial_state, self.initial_state.availability
        dispatch = prepare_dispatch(initial_state, self.state, self.jobs, pending, formula, self.now)
        if availability.usable or (self.compiled.policy.max_reservation > 0 and availability.waitable):
            end = until.among(pending) if until is not None else None
            dispatch.run(pending if until is None or end is not None else (), end)
        else:
            availability.messages.append(messages.message(messages.ALL_DROPPED))
        dispatch.scheduling_info.finish(self.jobs)
        return SchedulingRun(
            compiled=self.compiled,
            state=self.state,
            now=self.now,
            jobs=self.jobs,
            pending=pending,
            states=self.states,
            threshold_suspensions=self.threshold_suspensions,
            resources=initial_state.resources,
            availability=availability,
            thresholds=initial_state.thresholds,
            formula=formula,
            usage=self.usage,
            run_share_tree=self.run_share_tree,
            search=dispatch.search,
            dispatch=dispatch,
            quota_usage=initial_state.quota_usage,
            free_slots=self.free_slots,
            slots_reserved=slots_reserved(self.state),
        )


def run_scheduler(
    compiled: CompiledCluster,
    state: State,
    jobs: Sequence[RunJob],
    now: int,
    formulas: Formulas = GRID_ENGINE,
    until: RunUntil | None = None,
    *,
    fast: bool = True,
) -> SchedulingRun:
    """Decide which tasks to start, reserve for, suspend and resume; with `until` the run ends early.

    `jobs`: the jobs that the qmaster has accepted, by number; `now`: seconds since the epoch. `fast` False applies
    every rule plainly, without indexes and caches that the real scheduler does not have.
    """
    states = queue_states(compiled, state, now)
    if compiled.policy.filters_jobs:
        apply_jc_filter(jobs, compiled.instances, states)
    urgencies = urgencies_of(compiled, jobs, now, formulas)
    listed = in_list_order(jobs, compiled.policy)
    before = RunBeforeDispatch.of(compiled, state, states, listed, now, formulas, fast=fast)
    return before.dispatched(*before.prioritised(urgencies), until)


def urgencies_of(compiled: CompiledCluster, jobs: Sequence[RunJob], now: int, formulas: Formulas) -> Scale:
    """Set the urgency of all jobs that take part; return the scale that normalises it to 0..1."""
    policy = compiled.policy
    if not policy.uses_urgency:
        return Scale()
    participants = [run_job for run_job in jobs if run_job.split.takes_part]
    work_out_urgency(participants, policy.weights, compiled.attributes, now)
    return normalise_urgency(formulas.counting(participants), formulas.urgency)


def in_order(jobs: Iterable[RunJob]) -> list[RunJob]:
    """Return the jobs with pending tasks by descending priority; each job gets the priority of its first task."""
    pending = [run_job for run_job in jobs if run_job.queue]
    for run_job in pending:
        tickets, plain = run_job.tickets, run_job.split.pending
        run_job.prior = tickets[run_job.queue[0]].prior
        if plain:
            run_job.template = tickets.get(plain[0])
    pending.sort(key=RunJob.sort_key)
    return pending
