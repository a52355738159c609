"""One scheduling run from the jobs' states to the decisions, in the order of dispatch.md#steps-of-a-run."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from qmon_tui.model import PastUsage, State, messages
from qmon_tui.scheduler.configuration import CompiledCluster
from qmon_tui.scheduler.dispatch import Dispatch, InitialState, RunEnd, in_list_order, prepare_dispatch
from qmon_tui.scheduler.jobs import RunJob, Tickets, apply_jc_filter
from qmon_tui.scheduler.matching import Resources, StartOrder, Thresholds
from qmon_tui.scheduler.placement import SequentialSearch, free_slots
from qmon_tui.scheduler.prepared_jobs import PreparedJobs
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


class RunUntil(NamedTuple):
    """The task for whose sake a run is made: it ends as soon as it is decided whether that one starts."""

    job: int
    task: int
    before: bool = False
    """End a step earlier, with all as it is when the task, or another one with which it is decided, is tried."""

    def among(self, pending: Iterable[RunJob]) -> RunEnd | None:
        """The end of the run; None where the job is not tried in it."""
        run_job = next((job for job in pending if job.id == self.job), None)
        return None if run_job is None else RunEnd(run_job, self.task, self.before)


@dataclass(slots=True)
class SchedulingRun:
    """What the scheduler has decided, with everything that was worked out on the way."""

    compiled: CompiledCluster
    state: State
    now: int
    jobs: list[RunJob]
    pending: list[RunJob]
    """The jobs with pending tasks, in the order in which they were sorted before the first placement."""
    states: Sequence[str]
    """The letters of the queue instances before the run."""
    threshold_suspensions: ThresholdSuspensions
    resources: Resources
    availability: Availability
    thresholds: Thresholds
    formula: WeightedSum
    usage: PastUsage
    """Everybody's usage as of this run."""
    run_share_tree: RunShareTree | None
    """The share tree, where there is one."""
    search: SequentialSearch
    dispatch: Dispatch
    quota_usage: QuotaUsage | None
    """What is counted against quotas after the run; None without any."""
    free_slots: int
    """Of all usable queue instances, before the first placement."""
    slots_reserved: Mapping[str, int]
    """Queue instance -> slots of advance reservations that have begun."""
    _starts_by_job: dict[int, list[StartOrder]] | None = None
    _plans_by_job: dict[int, dict[int, TaskAllocation]] | None = None

    def starts_of(self, job: int) -> Sequence[StartOrder]:
        """What the run starts of the job with a number, in its order."""
        by_job = self._starts_by_job
        if by_job is None:
            by_job = {}
            for start in self.dispatch.starts:
                by_job.setdefault(start.run_job.job.id, []).append(start)
            self._starts_by_job = by_job
        return by_job.get(job, ())

    def plans_of(self, job: int) -> Mapping[int, TaskAllocation]:
        """Task -> the reservation that the run has made for it, for the job with a number."""
        by_job = self._plans_by_job
        if by_job is None:
            by_job = {}
            for allocation in self.dispatch.reserved:
                by_job.setdefault(allocation.job, {})[allocation.task] = allocation
            self._plans_by_job = by_job
        return by_job.get(job, _NO_PLANS)


def run_scheduler(
    compiled: CompiledCluster,
    state: State,
    jobs: Sequence[RunJob],
    now: int,
    formulas: Formulas = GRID_ENGINE,
    until: RunUntil | None = None,
    *,
    fast: bool = True,
    prepared: PreparedJobs | None = None,
    keep: Callable[[PreparedJobs], None] | None = None,
) -> SchedulingRun:
    """Decide what is to be started, reserved, suspended and resumed; with `until` the run ends early.

    Without `fast` every rule is followed plainly: nothing is indexed, nothing remembered that the real scheduler does
    not remember. That is the oracle of the fast paths.

    `jobs` are those that the qmaster has let in, in the order of their numbers, `now` are seconds since the epoch.
    Where they are `prepared`, an earlier run has sorted them already and worked out their urgencies, and their tickets,
    too, unless other tasks get any now. `keep` is given what this run has worked out before it places anything.
    """
    states = queue_states(compiled, state, now)
    if prepared is None:
        if compiled.policy.filters_jobs:
            apply_jc_filter(jobs, compiled.instances, states)
        urgencies = _urgencies(compiled, jobs, now, formulas)
        listed = in_list_order(jobs, compiled.policy)
    else:
        urgencies, listed = prepared.formula.urgencies, prepared.listed
    initial_state = InitialState.before_dispatch(compiled, state, states, listed, now, formulas, fast=fast)
    resources, availability = initial_state.resources, initial_state.availability
    threshold_suspensions = apply_suspend_thresholds(resources, availability, listed, state.changed, now)
    usage = collected(state.usage, listed, now, compiled.policy.tickets.usage)
    run_share_tree = share_tree_of(compiled, usage, listed)
    free = free_slots(resources, availability.usable)
    limit = tickets_per_job(compiled.policy.tickets, free)
    is_other = threshold_suspensions.halted or threshold_suspensions.resumed
    if prepared is not None and (prepared.tickets_per_job != limit or is_other):
        prepared.forget_tickets()
        prepared = None
    if prepared is None:
        formula = _prioritised(initial_state, listed, threshold_suspensions, urgencies, run_share_tree, formulas, free)
        pending = _in_order(listed)
        if keep is not None and not is_other:
            keep(PreparedJobs(listed, pending, formula, limit))
    else:
        formula, pending = prepared.formula, prepared.pending
    dispatch = prepare_dispatch(initial_state, state, listed, pending, formula, now)
    if availability.usable or (compiled.policy.max_reservation > 0 and availability.waitable):
        end = until.among(pending) if until is not None else None
        dispatch.run(pending if until is None or end is not None else (), end)
    else:
        availability.messages.append(messages.message(messages.ALL_DROPPED))
    dispatch.scheduling_info.finish(listed)
    return SchedulingRun(
        compiled=compiled,
        state=state,
        now=now,
        jobs=listed,
        pending=pending,
        states=states,
        threshold_suspensions=threshold_suspensions,
        resources=resources,
        availability=availability,
        thresholds=initial_state.thresholds,
        formula=formula,
        usage=usage,
        run_share_tree=run_share_tree,
        search=dispatch.search,
        dispatch=dispatch,
        quota_usage=initial_state.quota_usage,
        free_slots=free,
        slots_reserved=slots_reserved(state),
    )


def _urgencies(compiled: CompiledCluster, jobs: Sequence[RunJob], now: int, formulas: Formulas) -> Scale:
    """Work out the urgency of all jobs that take part; returns the scale on which they are normalised."""
    policy = compiled.policy
    if not policy.uses_urgency:
        return Scale()
    participants = [run_job for run_job in jobs if run_job.split.takes_part]
    work_out_urgency(participants, policy.weights, compiled.attributes, now)
    return normalise_urgency(formulas.counting(participants), formulas.urgency)


def _prioritised(
    initial_state: InitialState,
    jobs: Sequence[RunJob],
    threshold_suspensions: ThresholdSuspensions,
    urgencies: Scale,
    run_share_tree: RunShareTree | None,
    formulas: Formulas,
    free: int,
) -> WeightedSum:
    """Work out tickets and priorities of all tasks that take part; returns the formula that was used."""
    policy = initial_state.resources.compiled.policy
    running = [run_job for run_job in jobs if run_job.split.running]
    pending = [run_job for run_job in jobs if run_job.queue]
    fast = initial_state.resources.fast
    order = TicketOrder()
    tickets = work_out_tickets(running, pending, policy.tickets, free, formulas, run_share_tree, fast=fast, order=order)
    for run_job, task in threshold_suspensions.halted:
        run_job.tickets[task] = Tickets()
    formula = WeightedSum(TicketlessPriority(policy, formulas), urgencies, tickets, order)
    formula.set_priorities(run_job for run_job in jobs if run_job.tickets)
    formulas.settle(running)
    return formula


def _in_order(jobs: Iterable[RunJob]) -> list[RunJob]:
    """The jobs with pending tasks in the order in which they are tried, each with the priority of its first one."""
    pending = [run_job for run_job in jobs if run_job.queue]
    for run_job in pending:
        tickets, plain = run_job.tickets, run_job.split.pending
        run_job.prior = tickets[run_job.queue[0]].prior
        if plain:
            run_job.template = tickets.get(plain[0])
    pending.sort(key=RunJob.sort_key)
    return pending
