"""The start of a run: the initial state, and the main loop with its lists and searches."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from qmon_tui.model import State
from qmon_tui.scheduler.configuration import CompiledCluster
from qmon_tui.scheduler.dispatch.consumable_alarms import ConsumableAlarms
from qmon_tui.scheduler.dispatch.list_order import listed_instances_and_hosts
from qmon_tui.scheduler.dispatch.main_loop import Dispatch
from qmon_tui.scheduler.dispatch.reservation_setup import with_reservation_search
from qmon_tui.scheduler.dispatch.scheduling_info import SchedulingInfo
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.matching import (
    SLOTS,
    Adjustments,
    Checker,
    FastChecker,
    Resources,
    SlotCounter,
    StaticChecks,
    Thresholds,
    debit_started,
)
from qmon_tui.scheduler.parallel import (
    EquivalentHosts,
    HostList,
    ParallelFastPath,
    ParallelSearch,
    RangeSearch,
    SearchContext,
)
from qmon_tui.scheduler.placement import (
    HostRanks,
    KnownChecks,
    PlainQueueList,
    QueueList,
    QueueOrder,
    SequentialFastPath,
    SequentialSearch,
)
from qmon_tui.scheduler.priority import Formulas, TicketlessPriority, WeightedSum
from qmon_tui.scheduler.quotas import QuotaUsage
from qmon_tui.scheduler.reservation import ResourceDiagrams, compile_reservations, holding
from qmon_tui.scheduler.suspension import Availability, left_out


@dataclass(frozen=True, slots=True)
class InitialState:
    """The state of one run before dispatch; its resources change with every start."""

    resources: Resources
    adjustments: Adjustments
    thresholds: Thresholds
    availability: Availability
    quota_usage: QuotaUsage | None
    """Quota counters; None without quotas."""
    started: Sequence[RunJob]
    """The jobs with running or suspended tasks, in the order of the scheduler's list."""

    @classmethod
    def before_dispatch(
        cls,
        compiled: CompiledCluster,
        state: State,
        states: Sequence[str],
        jobs: Sequence[RunJob],
        now: int,
        formulas: Formulas,
        *,
        fast: bool = True,
    ) -> "InitialState":
        """Book started tasks and select the usable queue instances; `states` are qstat's states of all instances."""
        policy = compiled.policy
        adjustments = Adjustments.of(policy.load_adjustments)
        resources = Resources(compiled, state, adjustments, fast=fast)
        started = [run_job for run_job in jobs if run_job.split.running or run_job.split.suspended]
        for run_job in started:
            debit_started(run_job, resources)
        running = [run_job for run_job in started if run_job.split.running]
        resources.correct_loads(running, now, left_out(compiled, states))
        resources.correct_capacities()
        by_priority = sorted(started, key=TicketlessPriority(policy, formulas).without_tickets, reverse=True)
        quota_usage = None
        if compiled.rule_matcher is not None:
            quota_usage = QuotaUsage(compiled.rule_matcher, resources, compiled.qmaster_rule_matcher)
            quota_usage.debit_started(by_priority)
        in_order, resources.hosts_in_order = listed_instances_and_hosts(resources, state, by_priority)
        thresholds = Thresholds(compiled.attributes, adjustments)
        plans_ahead = policy.max_reservation > 0 or bool(holding(state))
        numbers = resources.instance_numbers
        known_suspended = frozenset(numbers[name] for name in state.seen_suspended if name in numbers)
        availability = Availability(
            resources, states, thresholds, in_order, plans_ahead=plans_ahead, known_suspended=known_suspended
        )
        return cls(resources, adjustments, thresholds, availability, quota_usage, started)


def prepare_dispatch(
    initial_state: InitialState,
    state: State,
    jobs: Sequence[RunJob],
    pending: Sequence[RunJob],
    formula: WeightedSum,
    now: int,
    known: KnownChecks | None = None,
    diagrams: ResourceDiagrams | None = None,
) -> Dispatch:
    """Return the loop before its first step, with reservations if configured or if advance reservations exist.

    `known`: cached checks of earlier runs with the same resources, None: no cache yet; `diagrams`: the resource
    diagrams before the first placement, None: compute them if needed.
    """
    resources, availability = initial_state.resources, initial_state.availability
    compiled, policy = resources.compiled, resources.compiled.policy
    loads = _loads(resources)
    by_number = [loads[host] for host in resources.host_of]
    rank = partial(_ranked, resources)
    of_list = resources.seq_nos, by_number, policy.sort_by_seqno, availability.usable, rank
    of_checks = compiled.attributes, initial_state.adjustments, compiled.attributes.by_name.get(SLOTS)
    order: QueueList
    checker: Checker
    sequential = parallel_fast_path = equivalent_hosts = None
    if resources.fast:
        order = queue_order = QueueOrder(*of_list)
        known = known or KnownChecks(resources, FastChecker(*of_checks), availability.states)
        checker = known.checker
        sequential = SequentialFastPath(resources, known, queue_order)
        parallel_fast_path = ParallelFastPath(resources, known, queue_order)
        equivalent_hosts = EquivalentHosts(resources, queue_order, known.classes, compiled.rule_matcher)
    else:
        order, checker = PlainQueueList(*of_list), Checker(*of_checks)
    search = SequentialSearch(compiled, resources, checker, order, sequential, initial_state.quota_usage)
    advance = compile_reservations(state, compiled, resources, initial_state.started) if state.reservations else {}
    for reserved in advance.values():
        resources.note_reserved(reserved.environment, reserved.reservation.granted_at)
    queues = {queue.name: queue for queue in compiled.queues}
    context = SearchContext(
        compiled,
        resources,
        StaticChecks(compiled),
        SlotCounter(checker),
        order,
        queues,
    )
    parallel = ParallelSearch(
        context,
        resources.environments_in_order(),
        search.violations,
        RangeSearch(policy.range_algorithm, state.pe_alg),
        HostList(context, loads),
        initial_state.quota_usage,
        parallel_fast_path,
        equivalent_hosts,
    )
    dispatch = Dispatch(
        policy=policy,
        resources=resources,
        availability=availability,
        order=order,
        search=search,
        parallel=parallel,
        formula=formula,
        scheduling_info=SchedulingInfo(policy),
        alarms=ConsumableAlarms(resources, availability) or None,
        quota_usage=initial_state.quota_usage,
        tasks_of=_tasks_per_user(initial_state.started),
    )
    needs_plans = policy.max_reservation > 0 or advance or availability.orphaned
    if needs_plans or any(run_job.has_unclean for run_job in pending if run_job.job.tasks):
        return with_reservation_search(dispatch, checker, order, jobs, loads, now, advance, diagrams)
    return dispatch


def _loads(resources: Resources) -> list[float]:
    """Return the value of load_formula for each host, by host number."""
    return list(resources.all_steady_loads or map(resources.host_load, range(len(resources.hosts))))


def _ranked(resources: Resources) -> HostRanks:
    return HostRanks(resources.host_of, _loads(resources))


def _tasks_per_user(jobs: Iterable[RunJob]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for run_job in jobs:
        tasks = len(run_job.split.running) + len(run_job.split.suspended)
        if tasks:
            counts[run_job.job.owner] = counts.get(run_job.job.owner, 0) + tasks
    return counts
