"""Verification of a job: -w e, -w w and -w v on the empty cluster, -w p on the present one.

Source: dispatch.md#verification-of-a-job. On the empty cluster consumables are unused, only constant load values count,
states of queue instances and thresholds do not; quotas count, with usage 0. `-w p` uses present usage and leaves out
closed queue instances, but ignores thresholds. The qmaster answers instead of the scheduler: it scales no load values,
and its list keeps its order. In an advance reservation its own queue instances count, whenever it begins. qsub verifies
every job in an advance reservation unless -w says otherwise. A job with -w v or -w p is never submitted.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from qmon_tui.model import Job, State, messages
from qmon_tui.scheduler.configuration import (
    Attribute,
    AttributeTable,
    CompiledCluster,
    as_qmaster,
    matching_environments,
)
from qmon_tui.scheduler.dispatch import ar_allocation
from qmon_tui.scheduler.jobs import Category, Demand, RunJob, Split, as_typed, job_profiles_of
from qmon_tui.scheduler.matching import (
    SLOTS,
    Adjustments,
    Checker,
    PlacementRequest,
    Requester,
    Resources,
    SlotCounter,
    StaticChecks,
    debit_started,
    started_jobs,
)
from qmon_tui.scheduler.parallel import HostList, ParallelSearch, RangeSearch, SearchContext
from qmon_tui.scheduler.placement import QueueList, QueueOrder, SequentialSearch
from qmon_tui.scheduler.quotas import QuotaUsage
from qmon_tui.scheduler.reservation import (
    ArResources,
    ArStaticRules,
    EarliestChecker,
    JobMessages,
    RankedQueueList,
    ResourceDiagrams,
    TimedChecker,
    TimedParallelSearch,
    TimedSearches,
    TimedSequentialSearch,
    TimeWindow,
    ar_searches,
    compile_reservations,
    lasting,
    pending_duration,
)
from qmon_tui.scheduler.suspension import queue_states

NO_SUITABLE: Final = "no suitable queues"
FOUND: Final = "verification: found suitable queue(s)"
_NEVER_CHANGE: Final = frozenset(
    ("arch", "num_proc", "mem_total", "swap_total", "virtual_total", "m_socket", "m_core", "m_thread", "m_topology")
)
_REQUESTS: Final = "(-l "
"""Prefix of messages that print the requests."""
_ERROR, _WARNING, _ONLY, _POKE = "e", "w", "v", "p"
ONLY_VERIFY: Final = frozenset((_ONLY, _POKE))
"""Levels of -w at which nothing is submitted or changed."""
_CLOSED: Final = frozenset("sSCDdEuc")
"""States of queue instances that -w p leaves out."""


@dataclass(frozen=True, slots=True)
class Verification:
    """The result of a verification."""

    slots: int | None
    """The slots that the job would get; None if it fits nowhere."""
    messages: tuple[str, ...] = ()
    """The reasons why it fits nowhere, in qstat -j's words."""
    announced: frozenset[str] = frozenset()
    """Messages that concern all jobs, printed without `Job N` before them."""

    def lines(self, number: int) -> Iterator[str]:
        """Yield the lines that a command prints for a job that fits nowhere."""
        for text in self.messages:
            yield text if text in self.announced else f"Job {number} {text}"
        yield f"verification: {NO_SUITABLE}"


def is_verified(job: Job) -> bool:
    """True if qsub verifies the job before it submits it."""
    verify = job.request.verify
    return verify in (_ERROR, *ONLY_VERIFY) or (not verify and job.request.advance_reservation is not None)


def objection(job: Job, verification: Verification) -> str | None:
    """Return qsub's message if verification prevents the submission; None if it does not."""
    if job.request.verify in ONLY_VERIFY:
        return FOUND if verification.slots is not None else "\n".join(verification.lines(job.id))
    return None if verification.slots is not None else f"error: {NO_SUITABLE}"


def warning(compiled: CompiledCluster, state: State, job: Job) -> str | None:
    """Return the warning for a job with -w w that is admitted although it fits nowhere; None if there is none."""
    warns = job.request.verify == _WARNING and verified(compiled, state, job).slots is None
    return f"warning: {NO_SUITABLE}" if warns else None


def verified(compiled: CompiledCluster, state: State, job: Job) -> Verification:
    """Verify a job: with -w p on the present cluster, otherwise on the empty one."""
    compiled = as_qmaster(compiled)
    if job.request.verify == _POKE:
        return _Cluster(compiled, state, queue_states(compiled, state, state.now)).verified(job)
    return _empty(compiled, state, _constant(state.loads)).verified(job)


Loads = Mapping[str, Mapping[str, str]]


def _empty(compiled: CompiledCluster, state: State, loads: Loads) -> "_Cluster":
    return _Cluster(compiled, replace(State(now=state.now, loads=loads), reservations=lasting(state)))


def _constant(loads: Loads) -> Loads:
    return {
        host: {name: text for name, text in values.items() if name in _NEVER_CHANGE} for host, values in loads.items()
    }


class EmptyCluster:
    """The cluster without its jobs and states of queue instances, on which many jobs are verified."""

    def __init__(self, compiled: CompiledCluster, state: State) -> None:
        compiled = as_qmaster(compiled)
        # A job may request load values that are reported now although they are not constant.
        self._clusters = [_empty(compiled, state, loads) for loads in (_constant(state.loads), state.loads)]

    def fits(self, job: Job) -> bool:
        """True if the job fits somewhere."""
        return any(cluster.verified(job).slots is not None for cluster in self._clusters)


class _Cluster:
    """Queue instances with usage and load values, on which jobs are verified."""

    def __init__(self, compiled: CompiledCluster, state: State, states: Sequence[str] = ()) -> None:
        """`states`: states of all queue instances if these count."""
        self._compiled, self._now, self._states = compiled, state.now, states
        resources = self._resources = Resources(compiled, state, Adjustments(), scales_loads=False)
        started = list(started_jobs(compiled, state))
        for run_job in started:
            debit_started(run_job, resources)
        self._reserved = compile_reservations(state, compiled, resources, started)
        self._checker = Checker(compiled.attributes, Adjustments(), compiled.attributes.by_name.get(SLOTS))
        self._quota_usage: QuotaUsage | None = None
        if compiled.rule_matcher is not None:
            self._quota_usage = QuotaUsage(compiled.rule_matcher, resources, compiled.qmaster_rule_matcher)
            self._quota_usage.debit_started(started)
        self._messages: list[str] = []
        self._announced: set[str] = set()
        self._rules = StaticChecks(compiled, orphaned=compiled.orphans, announce=self._announced.add)

    def verified(self, job: Job) -> Verification:
        """Verify a job.

        Requests are checked in the order typed until a message prints them, which sorts them: reasons up to that
        message follow the order typed, later ones the sorted order.
        """
        demand = job_profiles_of(self._compiled).of(job).demand
        by_name = self._verified(job, demand)
        typed = as_typed(job.request, demand, self._compiled.attributes)
        if by_name.slots is not None or typed == demand:
            return by_name
        as_typed_texts = self._verified(job, typed).messages
        printed = next((count for count, text in enumerate(as_typed_texts, 1) if text.startswith(_REQUESTS)), 0)
        return replace(by_name, messages=(*as_typed_texts[:printed], *by_name.messages[printed:]))

    def _verified(self, job: Job, demand: Demand) -> Verification:
        self._messages.clear()
        job_profile = job_profiles_of(self._compiled).of(job)
        run_job = RunJob(
            job, Split(), demand, Category(demand, jobs=1), job_profile.project, job_profile.department, ()
        )
        name = job.request.advance_reservation
        reserved = self._reserved.get(name) if name is not None else None
        if name is not None and reserved is None:
            return Verification(None)
        members = list(self._members(run_job, reserved))
        slots = (
            self._slots_outside(run_job, members)
            if reserved is None
            else self._slots_in_reservation(reserved, run_job, members)
        )
        return Verification(slots, tuple(self._messages), frozenset(self._announced))

    def _members(self, run_job: RunJob, reserved: ArResources | None) -> Iterator[int]:
        """Yield the queue instances to check; messages about others are recorded."""
        job, compiled = run_job.job, self._compiled
        rules = self._rules
        if reserved is not None:
            rules = ArStaticRules(compiled, reserved, {stock.name: stock for stock in reserved.levels.values()})
        placement_request = PlacementRequest(
            job.request, run_job.demand, Requester(job.owner, job.group, run_job.project)
        )
        wanted: set[str] | None = None
        if job.request.pe is not None:
            wanted = {
                environment.name for environment in matching_environments(job.request.pe.name, compiled.environments)
            }
        shut: dict[str, bool] = {}
        queues = {queue.name: queue for queue in compiled.queues}
        for number, instance in enumerate(self._resources.instances):
            if instance.queue not in shut:
                refusal = rules.cluster_queue(queues[instance.queue], placement_request)
                shut[instance.queue] = refusal is not None
                if refusal is not None:
                    self._messages.append(refusal.message)
            if shut[instance.queue]:
                continue
            if self._states and _CLOSED & set(self._states[number]):
                self._messages.append(messages.message(messages.NOT_AVAILABLE, instance.name))
            elif run_job.demand.queues and not rules.matches(instance, run_job.demand.queues):
                self._messages.append(messages.message(messages.NOT_IN_QUEUE_LIST, instance.name))
            elif reserved is not None and number not in reserved.levels:
                continue
            elif wanted is None or not wanted.isdisjoint(instance.profile.pe_list):
                yield number

    def _slots_outside(self, run_job: RunJob, members: Sequence[int]) -> int | None:
        """Return the slots that the job gets outside advance reservations; None if it does not fit."""
        compiled = self._compiled
        if run_job.job.request.pe is not None:
            order = self._order(members)
            parallel = self._parallel(self._search(self._checker, order), order)
            before = parallel.before(run_job)
            assignment = parallel.find(run_job)
            if assignment is not None:
                return assignment.slots
            self._messages += parallel.reasons(run_job, before)
            return None
        # Claims of advance reservations block jobs with one slot, but not those with several.
        policy = compiled.policy
        window = TimeWindow(self._now)
        window.open(pending_duration(run_job.demand, policy.default_duration, policy.duration_offset))
        # On the empty cluster the list is not sorted for one slot.
        order = self._order(members, is_sorted=run_job.job.request.verify == _POKE)
        search = self._search(TimedChecker(*self._parts, self._claims(), window), order)
        seen = search.before(run_job)
        if search.find(run_job) is not None:
            return 1
        self._messages += search.reasons(run_job, seen)
        return None

    @property
    def _parts(self) -> tuple[AttributeTable, Adjustments, Attribute | None]:
        return self._checker.attributes, self._checker.adjustments, self._checker.slots

    @property
    def _loads(self) -> list[float]:
        """A load of 0 for each host: the qmaster does not calculate the load formula."""
        return [0.0] * len(self._resources.hosts)

    def _order(self, members: Sequence[int], *, is_sorted: bool = True) -> QueueOrder:
        seq_nos = [instance.profile.seq_no if is_sorted else 0 for instance in self._resources.instances]
        return QueueOrder(seq_nos, [0.0] * len(seq_nos), self._compiled.policy.sort_by_seqno, members)

    def _search(self, checker: Checker, order: QueueOrder) -> SequentialSearch:
        return SequentialSearch(
            self._compiled, self._resources, checker, order, quota_usage=self._quota_usage, rules=self._rules
        )

    def _claims(self) -> ResourceDiagrams:
        numbers = frozenset(range(len(self._resources.instances)))
        diagrams = ResourceDiagrams(self._compiled.attributes, self._resources, False, numbers)
        for reserved in self._reserved.values():
            diagrams.claim(ar_allocation(reserved))
        return diagrams

    def _parallel(self, search: SequentialSearch, order: QueueList) -> ParallelSearch:
        compiled = self._compiled
        queues = {queue.name: queue for queue in compiled.queues}
        context = SearchContext(compiled, self._resources, self._rules, SlotCounter(self._checker), order, queues)
        hosts = HostList(context, self._loads)
        ranges = RangeSearch(compiled.policy.range_algorithm)
        parallel = ParallelSearch(context, compiled.environments, search.violations, ranges, hosts, self._quota_usage)
        parallel.reports_all = True
        return parallel

    def _slots_in_reservation(self, reserved: ArResources, run_job: RunJob, members: Sequence[int]) -> int | None:
        """Return the slots that the job gets in an advance reservation, as if it had begun; None if it does not fit."""
        begun = replace(reserved, reservation=replace(reserved.reservation, state="r"))
        seq_nos = [instance.profile.seq_no for instance in self._resources.instances]
        by_seqno = self._compiled.policy.sort_by_seqno
        ranked = RankedQueueList(seq_nos, self._resources.host_of, self._loads, by_seqno, members)
        search = self._search(self._checker, self._order(members))
        diagrams, window, job_messages = self._claims(), TimeWindow(self._now), JobMessages()
        earliest = EarliestChecker(*self._parts, diagrams, window)
        sequential = TimedSequentialSearch(self._resources, ranked, search, search, earliest, job_messages)
        plain = self._parallel(search, ranked)
        plans = TimedParallelSearch(
            plain.context,
            plain.environments,
            plain.violations,
            plain.ranges,
            plain.hosts,
            diagrams,
            window,
            job_messages,
        )
        own = ar_searches(begun, self._compiled, TimedSearches(sequential, plain, plans), self._announced.add)
        if run_job.job.request.pe is None:
            return 1 if own.start(run_job, self._messages.append)[1] is not None else None
        assignment = own.collect(run_job, self._messages.append, None)[1]
        return None if assignment is None else assignment.slots
