"""Grants of advance reservations by qrsub.

The qmaster searches slots as the scheduler does for a job, among running jobs and existing reservations; pending jobs,
load values, states of queue instances and quotas do not count.

It checks queue instances and hosts in configured order, regardless of queue_sort_method and load_formula. Only the
first slots in a PE that one of its worker threads grants come from queue instances sorted by seq_no: from then on the
thread treats its list as sorted, although it makes a new one each time. This hidden state is assumed to be that of a
qmaster without other verifications.

Source: reservation.md#advance-reservations.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from qmon_tui.model import Cluster, Job, State
from qmon_tui.qmaster.ar_candidates import ArCandidates
from qmon_tui.qmaster.run_jobs import collect_run_jobs
from qmon_tui.scheduler import session_of
from qmon_tui.scheduler.configuration import CompiledCluster, as_qmaster
from qmon_tui.scheduler.dispatch import initial_diagrams
from qmon_tui.scheduler.jobs import Category, RunJob, Split, compile_demand, is_enrolled
from qmon_tui.scheduler.matching import (
    SLOTS,
    Adjustments,
    Grants,
    PlacementRequest,
    Requester,
    Resources,
    StaticChecks,
    Thresholds,
    debit_started,
)
from qmon_tui.scheduler.parallel import HostList, PeSearch, RangeSearch, SearchContext
from qmon_tui.scheduler.placement import QueueOrder, SequentialSearch
from qmon_tui.scheduler.reservation import (
    JobMessages,
    ResourceDiagrams,
    TimedChecker,
    TimedCounter,
    TimedParallelSearch,
    TimeWindow,
    ar_requester,
    compile_reservations,
)
from qmon_tui.scheduler.suspension import Availability


@dataclass(frozen=True, slots=True)
class ArRequest:
    """A qrsub: the request as a job, its start (seconds since the epoch), duration in seconds, and users (-u)."""

    job: Job
    start: int
    duration: int
    users: tuple[str, ...] = ()

    @property
    def seen(self) -> Job:
        """The job of the search: its owner stands for all users of -u, or is the requester.

        The search ignores the checkpointing environment.
        """
        owner, group = ar_requester(self.job.owner, self.users)
        return replace(self.job, owner=owner, group=group, request=replace(self.job.request, checkpoint=None))


@dataclass(frozen=True, slots=True)
class ArGrant:
    """Queue instance -> slots, the master queue first; empty if none are found."""

    slots: dict[str, int]
    environment: str | None = None
    """The PE as requested, perhaps a pattern; None without a PE."""
    notes: tuple[str, ...] = ()
    """Messages printed in any case."""
    messages: tuple[str, ...] = ()
    """Messages about queues, hosts and PEs, for a verification."""


def grant(cluster: Cluster, state: State, ar_request: ArRequest) -> ArGrant:
    """Return the grant for a qrsub."""
    running = tuple(job for job in state.jobs if any(is_enrolled(task) for task in job.tasks.values()))
    known = replace(state, jobs=running, queue_states={})
    session = session_of(cluster)
    compiled = as_qmaster(session.compiled(known))
    jobs = collect_run_jobs(session, compiled, known, state.now).jobs
    resources = Resources(compiled, known, Adjustments())
    started = [run_job for run_job in jobs if run_job.split.running or run_job.split.suspended]
    for started_job in started:
        debit_started(started_job, resources)
    everything = range(len(resources.instances))
    availability = Availability(resources, [""] * len(everything), Thresholds(compiled.attributes, Adjustments()), ())
    advance = compile_reservations(known, compiled, resources, started)
    diagrams = initial_diagrams(resources, availability, jobs, state.now, advance, schedules=True)
    window = TimeWindow(ar_request.start)
    window.open(ar_request.duration)
    checker = TimedChecker(compiled.attributes, Adjustments(), compiled.attributes.by_name.get(SLOTS), diagrams, window)
    demand = compile_demand(ar_request.job.request, compiled.attributes)
    run_job = RunJob(ar_request.seen, Split(), demand, Category(demand, jobs=1), None, "", ())
    placement_request = PlacementRequest(
        ar_request.job.request, demand, Requester(run_job.job.owner, run_job.job.group, None)
    )
    groups = {job.owner: job.group for job in (*state.jobs, ar_request.job)}
    end = ar_request.start + ar_request.duration
    considered = ArCandidates(compiled, placement_request, ar_request.start, end, ar_request.users, groups)
    setup = _SearchSetup(compiled, resources, considered.numbers(), checker, diagrams, window)
    if ar_request.job.request.pe is None:
        granted, texts = _sequential(setup, run_job)
    else:
        granted, texts = _parallel(
            setup, run_job, sorts=not any(reservation.environment for reservation in state.reservations)
        )
    notes, all_texts = tuple(considered.notes), (*considered.messages, *texts)
    if granted is None:
        return ArGrant({}, notes=notes, messages=all_texts)
    # The PE is recorded as requested, even a pattern.
    environment = ar_request.job.request.pe.name if ar_request.job.request.pe is not None else None
    slots = {resources.instances[number].name: slots for number, slots in granted}
    return ArGrant(slots, environment, notes, all_texts)


@dataclass(frozen=True, slots=True)
class _SearchSetup:
    """The input of the search: the candidates and the check of their resources."""

    compiled: CompiledCluster
    resources: Resources
    numbers: Sequence[int]
    checker: TimedChecker
    diagrams: ResourceDiagrams
    window: TimeWindow

    def order(self, seq_nos: Sequence[int] | None = None, numbers: Sequence[int] | None = None) -> QueueOrder:
        """Return the queue instances in configured order, or by seq_no."""
        nothing = [0] * len(self.resources.instances)
        return QueueOrder(seq_nos or nothing, nothing, True, self.numbers if numbers is None else numbers)

    def search(self, order: QueueOrder) -> SequentialSearch:
        return SequentialSearch(self.compiled, self.resources, self.checker, order)


def _sequential(setup: _SearchSetup, run_job: RunJob) -> tuple[Grants | None, list[str]]:
    """Return the first queue instance that fits, and the messages about those before it."""
    search = setup.search(setup.order())
    before = search.before(run_job)
    number = search.find(run_job)
    if number is None:
        return None, search.reasons(run_job, before)
    passed = setup.numbers[: list(setup.numbers).index(number)]
    return ((number, 1),), setup.search(setup.order(numbers=passed)).reasons(run_job, (0, 0))


class _FixedTimeSearch(TimedParallelSearch):
    """The search for slots at a fixed time, in the first PE that has the least number."""

    def _times(self, attempt: PeSearch, known: int | None) -> Iterator[int]:
        # The times of changes are collected for the messages; only one time is tried.
        for _ in self._changes(attempt):
            pass
        yield self.window.start


def _parallel(setup: _SearchSetup, run_job: RunJob, *, sorts: bool) -> tuple[Grants | None, list[str]]:
    """Return the most slots available, and the messages of the search."""
    compiled, resources = setup.compiled, setup.resources
    order = setup.order([instance.profile.seq_no for instance in resources.instances] if sorts else None)
    counter = TimedCounter(setup.checker, setup.diagrams, setup.window)
    queues = {queue.name: queue for queue in compiled.queues}
    context = SearchContext(compiled, resources, StaticChecks(compiled), counter, order, queues)
    hosts = HostList(context, [0.0] * len(resources.hosts))
    hosts.catch_up()
    violations, ranges = setup.search(order).violations, RangeSearch(compiled.policy.range_algorithm)
    plans = _FixedTimeSearch(
        context, compiled.environments, violations, ranges, hosts, setup.diagrams, setup.window, JobMessages()
    )
    plans.reports_all = True
    texts: list[str] = []
    reservation = plans.reserve(run_job, texts.append)
    return None if reservation is None else reservation.assignment.grants, texts
