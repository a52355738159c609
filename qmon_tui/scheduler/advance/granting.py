"""What qrsub grants: the slots that are free from the beginning to the end of an advance reservation (dispatch.md 15).

The qmaster looks for them as the scheduler looks for a place for a job, among what runs and the reservations that are
there already; pending jobs, load values and states of queue instances do not count, quotas neither.
"""

from dataclasses import dataclass, replace

from qmon_tui.model.cluster import Cluster
from qmon_tui.model.state import Job, State
from qmon_tui.scheduler.advance.reserved import compile_reservations
from qmon_tui.scheduler.available import Availability
from qmon_tui.scheduler.categories import Category
from qmon_tui.scheduler.compiled.orphans import compile_with_orphans
from qmon_tui.scheduler.intake import take_in
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.matching.check import SLOTS
from qmon_tui.scheduler.matching.level import Adjustments
from qmon_tui.scheduler.matching.static import StaticRules
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
from qmon_tui.scheduler.timeline.parallel import ParallelPlans
from qmon_tui.scheduler.timeline.planning import diagrams_of
from qmon_tui.scheduler.timeline.room import TimedCounter
from qmon_tui.scheduler.timeline.voice import Voice
from qmon_tui.scheduler.timeline.window import Window


@dataclass(frozen=True, slots=True)
class Granted:
    """Queue instance -> slots, the master queue first; nothing where no place is found, and why."""

    slots: dict[str, int]
    environment: str | None = None
    said: tuple[str, ...] = ()


def grant(cluster: Cluster, state: State, wanted: Job, start: int, duration: int) -> Granted:
    """What would be granted for what `wanted` asks for, from a second on for so many seconds."""
    running = tuple(job for job in state.jobs if any(is_enrolled(task.state) for task in job.tasks.values()))
    state = replace(state, jobs=running, queue_states={})
    compiled = compile_with_orphans(cluster, state)
    jobs = take_in(compiled, state, state.now).jobs
    resources = Resources(compiled, state, Adjustments())
    started = [run_job for run_job in jobs if run_job.split.running or run_job.split.suspended]
    for one in started:
        debit_started(one, resources)
    everything = range(len(resources.instances))
    thresholds = Thresholds(compiled.attributes, Adjustments())
    availability = Availability(resources, [""] * len(everything), thresholds, ())
    advance = compile_reservations(state, compiled, resources, started)
    diagrams = diagrams_of(resources, availability, jobs, state.now, advance, schedules=True)
    window = Window(start)
    window.open(duration)
    checker = TimedChecker(compiled.attributes, Adjustments(), compiled.attributes.by_name.get(SLOTS), diagrams, window)
    loads = [resources.host_load(host) for host in range(len(resources.hosts))]
    seq_nos = [instance.profile.seq_no for instance in resources.instances]
    order = QueueOrder(seq_nos, [loads[host] for host in resources.host_of], compiled.policy.sort_by_seqno, everything)
    search = Search(compiled, resources, checker, order)
    demand = compile_demand(wanted.request, compiled.attributes)
    run_job = RunJob(wanted, Split(), demand, Category(demand, jobs=1), None, "", ())
    if wanted.request.pe is None:
        seen = search.before(run_job)
        number = search.find(run_job)
        if number is None:
            return Granted({}, said=tuple(search.reasons(run_job, seen)))
        return Granted(_slots(resources, ((number, 1),)))
    queues = {queue.name: queue for queue in compiled.queues}
    counter = TimedCounter(checker, diagrams, window)
    site = Site(compiled, resources, StaticRules(compiled), counter, order, queues)
    hosts, algorithm = HostList(site, loads), compiled.policy.range_algorithm
    parallel = ParallelPlans(
        site, compiled.environments, search.violations, algorithm, hosts, diagrams, window, Voice()
    )
    before = parallel.before(run_job)
    assignment = parallel.find(run_job)
    if assignment is None:
        return Granted({}, said=tuple(parallel.reasons(run_job, before)))
    # The environment is kept as it was asked for, a pattern as a pattern.
    return Granted(_slots(resources, assignment.grants), wanted.request.pe.name)


def _slots(resources: Resources, grants: Grants) -> dict[str, int]:
    return {resources.instances[number].name: slots for number, slots in grants}
