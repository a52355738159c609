"""The main loop with all that it asks: the orders of queue instances and hosts, and the searches for places."""

from collections.abc import Iterable, Sequence
from functools import partial

from qmon_tui.model.state import State
from qmon_tui.scheduler.advance.reserved import compile_reservations
from qmon_tui.scheduler.consumable_alarms import ConsumableAlarms
from qmon_tui.scheduler.dispatch import Dispatch
from qmon_tui.scheduler.ground import Ground
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.matching.check import SLOTS
from qmon_tui.scheduler.matching.static import StaticRules
from qmon_tui.scheduler.notes import Notes
from qmon_tui.scheduler.placement.algorithm import RangeSearch
from qmon_tui.scheduler.placement.host_list import HostList
from qmon_tui.scheduler.placement.likeness import Likeness
from qmon_tui.scheduler.placement.order import QueueOrder
from qmon_tui.scheduler.placement.parallel import ParallelSearch
from qmon_tui.scheduler.placement.ranking import Ranking
from qmon_tui.scheduler.placement.sequential import Search
from qmon_tui.scheduler.placement.site import Site
from qmon_tui.scheduler.priority import Formula
from qmon_tui.scheduler.quick.gist import GistChecker, GistCounter
from qmon_tui.scheduler.quick.lanes import Lanes
from qmon_tui.scheduler.quick.parallel_lanes import ParallelLanes
from qmon_tui.scheduler.quick.twins import Twins
from qmon_tui.scheduler.resources import Resources
from qmon_tui.scheduler.timeline.planning import with_reservations


def prepared(
    ground: Ground, state: State, jobs: Sequence[RunJob], pending: Sequence[RunJob], formula: Formula, now: int
) -> Dispatch:
    """The loop before its first step; it reserves where the configuration, or something that was granted, says so."""
    resources, availability = ground.resources, ground.availability
    compiled, policy = resources.compiled, resources.compiled.policy
    loads = _loads(resources)
    seq_nos = [instance.profile.seq_no for instance in resources.instances]
    by_number = [loads[host] for host in resources.host_of]
    rank = partial(_ranked, resources)
    order = QueueOrder(seq_nos, by_number, policy.sort_by_seqno, availability.usable, rank)
    checker = GistChecker(compiled.attributes, ground.adjustments, compiled.attributes.by_name.get(SLOTS))
    likeness = Likeness(resources, availability.states)
    search = Search(compiled, resources, checker, order, Lanes(resources, checker, order, likeness), ground.ledger)
    advance = compile_reservations(state, compiled, resources, ground.started) if state.reservations else {}
    for reserved in advance.values():
        resources.note_reserved(reserved.environment, reserved.reservation.granted_at)
    queues = {queue.name: queue for queue in compiled.queues}
    site = Site(compiled, resources, StaticRules(compiled), GistCounter(checker, checker), order, queues)
    parallel = ParallelSearch(
        site,
        resources.environments_in_order(),
        search.violations,
        RangeSearch(policy.range_algorithm, state.pe_alg),
        HostList(site, loads),
        ground.ledger,
        ParallelLanes(resources, checker, order, likeness),
        Twins(resources, order, likeness, compiled.territory),
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
        ledger=ground.ledger,
        tasks_of=_tasks_per_user(ground.started),
    )
    needs_plans = policy.max_reservation > 0 or advance or availability.orphaned
    if needs_plans or any(run_job.has_unclean for run_job in pending if run_job.job.tasks):
        return with_reservations(dispatch, checker, order, jobs, loads, now, advance)
    return dispatch


def _loads(resources: Resources) -> list[float]:
    return [resources.host_load(host) for host in range(len(resources.hosts))]


def _ranked(resources: Resources) -> Ranking:
    """The ranks of all hosts by their loads as they are now."""
    return Ranking(resources.host_of, _loads(resources))


def _tasks_per_user(jobs: Iterable[RunJob]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for run_job in jobs:
        tasks = len(run_job.split.running) + len(run_job.split.suspended)
        if tasks:
            counts[run_job.job.owner] = counts.get(run_job.job.owner, 0) + tasks
    return counts
