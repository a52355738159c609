"""One scheduling run from the jobs' states to the decisions, in the order of dispatch.md section 4."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from qmon_tui.model.cluster import Cluster
from qmon_tui.model.state import Job, State, UsageBook
from qmon_tui.scheduler import messages
from qmon_tui.scheduler.acceptance import refuse_starts
from qmon_tui.scheduler.advance.reserved import compile_reservations, lasting, slots_reserved
from qmon_tui.scheduler.available import Availability
from qmon_tui.scheduler.collector import no_collection
from qmon_tui.scheduler.compiled.cluster import Compiled
from qmon_tui.scheduler.compiled.orphans import compile_with_orphans
from qmon_tui.scheduler.consumable_alarms import ConsumableAlarms
from qmon_tui.scheduler.dispatch import Dispatch
from qmon_tui.scheduler.formulas import GRID_ENGINE, Formulas
from qmon_tui.scheduler.immediate import remove_immediate
from qmon_tui.scheduler.intake import take_in
from qmon_tui.scheduler.job_filter import leave_out_others
from qmon_tui.scheduler.joblist import in_list_order
from qmon_tui.scheduler.jobs import RunJob, Tickets
from qmon_tui.scheduler.listing import listed
from qmon_tui.scheduler.matching.check import SLOTS
from qmon_tui.scheduler.matching.gist import GistChecker, GistCounter
from qmon_tui.scheduler.matching.level import Adjustments
from qmon_tui.scheduler.matching.static import StaticRules
from qmon_tui.scheduler.notes import Notes
from qmon_tui.scheduler.outcome import Outcome
from qmon_tui.scheduler.placement.host_list import HostList
from qmon_tui.scheduler.placement.lanes import Lanes
from qmon_tui.scheduler.placement.likeness import Likeness
from qmon_tui.scheduler.placement.order import QueueOrder
from qmon_tui.scheduler.placement.parallel import ParallelSearch
from qmon_tui.scheduler.placement.parallel_lanes import ParallelLanes
from qmon_tui.scheduler.placement.ranking import Ranking
from qmon_tui.scheduler.placement.sequential import Search, free_slots
from qmon_tui.scheduler.placement.site import Site
from qmon_tui.scheduler.placement.twins import Twins
from qmon_tui.scheduler.priority import Formula, without_tickets
from qmon_tui.scheduler.queue_states import left_out, queue_states
from qmon_tui.scheduler.quotas.ledger import Ledger
from qmon_tui.scheduler.report import build_outcome
from qmon_tui.scheduler.resources import Resources
from qmon_tui.scheduler.scale import Scale
from qmon_tui.scheduler.start import Start
from qmon_tui.scheduler.started import debit_started
from qmon_tui.scheduler.suspending.aftermath import Aftermath, aftermath
from qmon_tui.scheduler.suspending.over_threshold import relieve
from qmon_tui.scheduler.thresholds import Thresholds
from qmon_tui.scheduler.tickets.passes import work_out_tickets
from qmon_tui.scheduler.tickets.sharing import Sharing, share_tree_of
from qmon_tui.scheduler.tickets.usage import collected
from qmon_tui.scheduler.timeline.planning import with_reservations
from qmon_tui.scheduler.urgency import normalise_urgency, work_out_urgency


@dataclass(slots=True)
class Run:
    """A finished run with everything that was worked out on the way."""

    compiled: Compiled
    state: State
    now: int
    jobs: list[RunJob]
    rejected: list[tuple[Job, str]]
    pending: list[RunJob]
    """The jobs with pending tasks, in the order in which they were sorted before the first placement."""
    resources: Resources
    availability: Availability
    thresholds: Thresholds
    formula: Formula
    usage: UsageBook
    """Everybody's usage as of this run."""
    sharing: Sharing | None
    """The share tree, where there is one."""
    search: Search
    dispatch: Dispatch
    aftermath: Aftermath
    ledger: Ledger | None
    """What is counted against quotas after the run; None without any."""
    slots_reserved: Mapping[str, int]
    """Queue instance -> slots of advance reservations that have begun."""
    _starts_by_job: dict[int, list[Start]] = field(default_factory=dict)

    def starts_of(self, job: int) -> Sequence[Start]:
        """What the run starts of the job with a number, in its order."""
        found = self._starts_by_job
        if not found:
            for start in self.dispatch.starts:
                found.setdefault(start.run_job.job.id, []).append(start)
        return found.get(job, ())


def schedule(cluster: Cluster, state: State, *, at: int | None = None, formulas: Formulas = GRID_ENGINE) -> Outcome:
    """One scheduling run: what would be decided now, or at another time (seconds since the epoch)."""
    with no_collection():
        return build_outcome(simulate(cluster, state, at=at, formulas=formulas))


def simulate(
    cluster: Cluster,
    state: State,
    *,
    at: int | None = None,
    formulas: Formulas = GRID_ENGINE,
    until: tuple[int, int] | None = None,
) -> Run:
    """The run itself, for those who want to look inside. Formulas other than the default are not Grid Engine's.

    With `until`, the numbers of a job and of a task, it ends as soon as it is decided whether that task starts: what
    comes after a decision cannot change it.
    """
    compiled = compile_with_orphans(cluster, state)
    now = state.now if at is None else at
    policy = compiled.policy
    states = queue_states(compiled, state, now)
    intake = take_in(compiled, state, now)
    if policy.filters_jobs:
        leave_out_others(intake.jobs, compiled.instances, states)
    urgencies = Scale()
    if policy.uses_urgency:
        participants = [run_job for run_job in intake.jobs if run_job.split.takes_part]
        work_out_urgency(participants, policy.weights, compiled.attributes, now)
        urgencies = normalise_urgency(formulas.counting(participants), formulas.urgency)
    jobs = in_list_order(intake.jobs, policy)

    adjustments = Adjustments.of(policy.load_adjustments)
    resources = Resources(compiled, state, adjustments)
    started = [run_job for run_job in jobs if run_job.split.running or run_job.split.suspended]
    for run_job in started:
        debit_started(run_job, resources)
    running = [run_job for run_job in started if run_job.split.running]
    resources.correct_loads(running, now, left_out(compiled, states))
    resources.correct_capacities()

    thresholds = Thresholds(compiled.attributes, adjustments)
    by_priority = sorted(started, key=lambda run_job: -without_tickets(run_job, policy, formulas))
    ledger = None
    if compiled.territory is not None:
        ledger = Ledger(compiled.territory, resources, compiled.qmaster_territory)
        ledger.debit_started(by_priority)
    foresees = policy.max_reservation > 0 or bool(lasting(state))
    in_order, resources.hosts_in_order = listed(resources, state, by_priority)
    availability = Availability(resources, states, thresholds, in_order, foresees=foresees)

    relief = relieve(resources, availability, jobs, state.changed, now)
    if relief.halted:
        running = [run_job for run_job in running if run_job.split.running]
    pending = [run_job for run_job in jobs if run_job.queue]
    usage = collected(state.usage, jobs, now, policy.tickets.usage)
    sharing = share_tree_of(compiled, usage, jobs)
    free = free_slots(resources, availability.usable)
    tickets = work_out_tickets(running, pending, policy.tickets, free, formulas, sharing)
    for run_job, task in relief.halted:
        run_job.tickets[task] = Tickets()
    formula = Formula(policy, urgencies, tickets, formulas)
    formula.set_priorities(run_job for run_job in jobs if run_job.tickets)
    formulas.settle(running)
    for run_job in pending:
        run_job.prior = run_job.tickets[run_job.queue[0]].prior
        if run_job.split.pending:
            run_job.template = run_job.tickets.get(run_job.split.pending[0])
    pending.sort(key=RunJob.sort_key)

    loads = [resources.host_load(host) for host in range(len(resources.hosts))]
    seq_nos = [instance.profile.seq_no for instance in resources.instances]
    by_number = [loads[host] for host in resources.host_of]
    rank = partial(_ranked, resources)
    order = QueueOrder(seq_nos, by_number, policy.sort_by_seqno, availability.usable, rank)
    checker = GistChecker(compiled.attributes, adjustments, compiled.attributes.by_name.get(SLOTS))
    likeness = Likeness(resources, states)
    search = Search(compiled, resources, checker, order, Lanes(resources, checker, order, likeness), ledger)
    queues = {queue.name: queue for queue in compiled.queues}
    site = Site(compiled, resources, StaticRules(compiled), GistCounter(checker, checker), order, queues)
    advance = compile_reservations(state, compiled, resources, started) if state.reservations else {}
    for reserved in advance.values():
        resources.note_reserved(reserved.environment, reserved.reservation.granted_at)
    environments, hosts = resources.environments_in_order(), HostList(site, loads)
    wide_lanes = ParallelLanes(resources, checker, order, likeness)
    twins = Twins(resources, order, likeness, compiled.territory)
    parallel = ParallelSearch(
        site, environments, search.violations, policy.range_algorithm, hosts, ledger, wide_lanes, twins
    )
    dispatch = Dispatch(
        policy=policy,
        resources=resources,
        availability=availability,
        order=order,
        search=search,
        parallel=parallel,
        formula=formula,
        notes=Notes(policy),
        alarms=ConsumableAlarms(resources, availability) or None,
        ledger=ledger,
        tasks_of=_tasks_per_user(started),
    )
    needs_plans = policy.max_reservation > 0 or advance or availability.orphaned
    if needs_plans or any(run_job.has_unclean for run_job in pending if run_job.job.tasks):
        dispatch = with_reservations(dispatch, checker, order, jobs, loads, now, advance)
    if availability.usable or (policy.max_reservation > 0 and availability.aside):
        awaited = next(((one, until[1]) for one in pending if one.id == until[0]), None) if until is not None else None
        dispatch.run(pending if until is None or awaited is not None else (), awaited)
    else:
        availability.messages.append(messages.message(messages.ALL_DROPPED))
    dispatch.notes.finish(jobs)
    refuse_starts(dispatch.starts, resources, availability, ledger)
    removed = remove_immediate(pending, dispatch.starts, resources)
    return Run(
        compiled, state, now, jobs, intake.rejected + removed, pending, resources, availability, thresholds, formula,
        usage, sharing, dispatch.search, dispatch,
        aftermath(compiled, states, resources, jobs, dispatch.starts, relief, now, state.queue_states), ledger,
        slots_reserved(state),
    )  # fmt: skip


def _ranked(resources: Resources) -> Ranking:
    """The ranks of all hosts by their loads as they are now."""
    return Ranking(resources.host_of, [resources.host_load(host) for host in range(len(resources.hosts))])


def _tasks_per_user(jobs: list[RunJob]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for run_job in jobs:
        tasks = len(run_job.split.running) + len(run_job.split.suspended)
        if tasks:
            counts[run_job.job.owner] = counts.get(run_job.job.owner, 0) + tasks
    return counts
