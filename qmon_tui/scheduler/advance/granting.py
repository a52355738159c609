"""What qrsub grants: the slots that are free from the beginning to the end of an advance reservation (dispatch.md 15).

The qmaster looks for them as the scheduler looks for a place for a job, among what runs and the reservations that are
there already; pending jobs, load values and states of queue instances do not count, quotas neither.

It looks at the queue instances in the order in which they are configured, whatever queue_sort_method and load_formula
say, and so at the hosts. Only the first slots in a parallel environment that one of its worker threads grants come from
queue instances sorted by seq_no: the thread remembers from then on that its list is sorted, though it makes a new one
each time. What is in its memory nobody can see; here it is taken to be what it is where nothing else was verified.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from qmon_tui.model.cluster import Cluster
from qmon_tui.model.state import Job, State
from qmon_tui.scheduler.advance.asker import asker
from qmon_tui.scheduler.advance.considered import Considered
from qmon_tui.scheduler.advance.reserved import compile_reservations
from qmon_tui.scheduler.available import Availability
from qmon_tui.scheduler.categories import Category
from qmon_tui.scheduler.compiled.cluster import Compiled
from qmon_tui.scheduler.compiled.eyes import as_qmaster
from qmon_tui.scheduler.compiled.orphans import compile_with_orphans
from qmon_tui.scheduler.intake import take_in
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.matching.access import Requester
from qmon_tui.scheduler.matching.check import SLOTS
from qmon_tui.scheduler.matching.level import Adjustments
from qmon_tui.scheduler.matching.static import Applicant, StaticRules
from qmon_tui.scheduler.placement.algorithm import RangeSearch
from qmon_tui.scheduler.placement.attempt import Attempt
from qmon_tui.scheduler.placement.host_list import HostList
from qmon_tui.scheduler.placement.order import QueueOrder
from qmon_tui.scheduler.placement.sequential import Search
from qmon_tui.scheduler.placement.site import Site
from qmon_tui.scheduler.requests import compile_demand
from qmon_tui.scheduler.resources import Grants, Resources
from qmon_tui.scheduler.split import Split, is_enrolled
from qmon_tui.scheduler.started import debit_started
from qmon_tui.scheduler.thresholds import Thresholds
from qmon_tui.scheduler.timeline.check import TimedChecker
from qmon_tui.scheduler.timeline.diagrams import Diagrams
from qmon_tui.scheduler.timeline.parallel import ParallelPlans
from qmon_tui.scheduler.timeline.planning import diagrams_of
from qmon_tui.scheduler.timeline.room import TimedCounter
from qmon_tui.scheduler.timeline.voice import Voice
from qmon_tui.scheduler.timeline.window import Window


@dataclass(frozen=True, slots=True)
class Asking:
    """Who asks for what, when it begins (seconds since the epoch), how many seconds it lasts, and for whom (-u)."""

    job: Job
    start: int
    duration: int
    users: tuple[str, ...] = ()

    @property
    def seen(self) -> Job:
        """The job for which a place is looked for: that of all users of -u at once, or of who asks.

        The search is not told of a checkpointing environment.
        """
        owner, group = asker(self.job.owner, self.users)
        return replace(self.job, owner=owner, group=group, request=replace(self.job.request, checkpoint=None))


@dataclass(frozen=True, slots=True)
class Granted:
    """Queue instance -> slots, the master queue first; nothing where no place is found, and why."""

    slots: dict[str, int]
    environment: str | None = None
    notes: tuple[str, ...] = ()
    """What is said in any case."""
    said: tuple[str, ...] = ()
    """What is said of queues, hosts and environments where a verification was asked for."""


def grant(cluster: Cluster, state: State, asking: Asking) -> Granted:
    """What would be granted."""
    running = tuple(job for job in state.jobs if any(is_enrolled(task.state) for task in job.tasks.values()))
    known = replace(state, jobs=running, queue_states={})
    compiled = as_qmaster(compile_with_orphans(cluster, known))
    jobs = take_in(compiled, known, state.now).jobs
    resources = Resources(compiled, known, Adjustments())
    started = [run_job for run_job in jobs if run_job.split.running or run_job.split.suspended]
    for one in started:
        debit_started(one, resources)
    everything = range(len(resources.instances))
    availability = Availability(resources, [""] * len(everything), Thresholds(compiled.attributes, Adjustments()), ())
    advance = compile_reservations(known, compiled, resources, started)
    diagrams = diagrams_of(resources, availability, jobs, state.now, advance, schedules=True)
    window = Window(asking.start)
    window.open(asking.duration)
    checker = TimedChecker(compiled.attributes, Adjustments(), compiled.attributes.by_name.get(SLOTS), diagrams, window)
    demand = compile_demand(asking.job.request, compiled.attributes)
    run_job = RunJob(asking.seen, Split(), demand, Category(demand, jobs=1), None, "", ())
    applicant = Applicant(asking.job.request, demand, Requester(run_job.job.owner, run_job.job.group, None))
    groups = {job.owner: job.group for job in (*state.jobs, asking.job)}
    end = asking.start + asking.duration
    considered = Considered(compiled, applicant, asking.start, end, asking.users, groups)
    ground = _Ground(compiled, resources, considered.numbers(), checker, diagrams, window)
    if asking.job.request.pe is None:
        found, said = _sequential(ground, run_job)
    else:
        found, said = _parallel(ground, run_job, sorts=not any(one.environment for one in state.reservations))
    notes, told = tuple(considered.notes), (*considered.said, *said)
    if found is None:
        return Granted({}, notes=notes, said=told)
    # The environment is kept as it was asked for, a pattern as a pattern.
    environment = asking.job.request.pe.name if asking.job.request.pe is not None else None
    slots = {resources.instances[number].name: slots for number, slots in found}
    return Granted(slots, environment, notes, told)


@dataclass(frozen=True, slots=True)
class _Ground:
    """Where a place is looked for: the queue instances that are considered, and how what they have is checked."""

    compiled: Compiled
    resources: Resources
    numbers: Sequence[int]
    checker: TimedChecker
    diagrams: Diagrams
    window: Window

    def order(self, seq_nos: Sequence[int] | None = None, numbers: Sequence[int] | None = None) -> QueueOrder:
        """The queue instances as they are configured, or by seq_no."""
        nothing = [0] * len(self.resources.instances)
        return QueueOrder(seq_nos or nothing, nothing, True, self.numbers if numbers is None else numbers)

    def search(self, order: QueueOrder) -> Search:
        """The search for one slot."""
        return Search(self.compiled, self.resources, self.checker, order)


def _sequential(ground: _Ground, run_job: RunJob) -> tuple[Grants | None, list[str]]:
    """The first queue instance that fits, and what is said of those before it."""
    search = ground.search(ground.order())
    before = search.before(run_job)
    number = search.find(run_job)
    if number is None:
        return None, search.reasons(run_job, before)
    passed = ground.numbers[: list(ground.numbers).index(number)]
    return ((number, 1),), ground.search(ground.order(numbers=passed)).reasons(run_job, (0, 0))


class _AtOneTime(ParallelPlans):
    """The search for slots in the first parallel environment that has the least number of them at the given time."""

    def _times(self, attempt: Attempt, known: int | None) -> Iterator[int]:
        # The times at which something changes are collected, and said what that finds; only one time is tried.
        for _ in self._changes(attempt):
            pass
        yield self.window.start


def _parallel(ground: _Ground, run_job: RunJob, *, sorts: bool) -> tuple[Grants | None, list[str]]:
    """The most slots that can be had, and what is said on the way to them."""
    compiled, resources = ground.compiled, ground.resources
    order = ground.order([instance.profile.seq_no for instance in resources.instances] if sorts else None)
    counter = TimedCounter(ground.checker, ground.diagrams, ground.window)
    queues = {queue.name: queue for queue in compiled.queues}
    site = Site(compiled, resources, StaticRules(compiled), counter, order, queues)
    hosts = HostList(site, [0.0] * len(resources.hosts))
    hosts.catch_up()
    violations, ranges = ground.search(order).violations, RangeSearch(compiled.policy.range_algorithm)
    plans = _AtOneTime(site, compiled.environments, violations, ranges, hosts, ground.diagrams, ground.window, Voice())
    plans.tells_all = True
    said: list[str] = []
    found = plans.reserve(run_job, said.append)
    return None if found is None else found.assignment.grants, said
