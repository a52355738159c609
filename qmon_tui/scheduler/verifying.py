"""Whether a job would find a place if nothing else were there: what -w e and -w v ask (dispatch.md section 13).

Consumables are whole, only load values that never change are looked at, states of queue instances and thresholds are
not. Of an advance reservation its own queue instances count, with nothing in use of them, whenever it begins. qsub asks
this for every job in an advance reservation that does not say otherwise with -w. A job with -w v is never submitted.
"""

from dataclasses import dataclass, replace
from typing import Final

from qmon_tui.model.state import Job, State
from qmon_tui.scheduler.advance.reserved import Reserved, compile_reservations, lasting
from qmon_tui.scheduler.advance.searches import quarters
from qmon_tui.scheduler.categories import Category
from qmon_tui.scheduler.compiled.attributes import Attribute, AttributeTable
from qmon_tui.scheduler.compiled.cluster import Compiled
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.matching.check import SLOTS, Checker
from qmon_tui.scheduler.matching.level import Adjustments
from qmon_tui.scheduler.matching.room import Counter
from qmon_tui.scheduler.matching.static import StaticRules
from qmon_tui.scheduler.placement.host_list import HostList
from qmon_tui.scheduler.placement.order import QueueList, QueueOrder
from qmon_tui.scheduler.placement.parallel import ParallelSearch
from qmon_tui.scheduler.placement.sequential import Search
from qmon_tui.scheduler.placement.site import Site
from qmon_tui.scheduler.requests import compile_demand
from qmon_tui.scheduler.resources import Resources
from qmon_tui.scheduler.split import Split
from qmon_tui.scheduler.timeline.check import EarliestChecker, TimedChecker
from qmon_tui.scheduler.timeline.diagrams import Diagrams
from qmon_tui.scheduler.timeline.durations import of_pending
from qmon_tui.scheduler.timeline.order import RankedOrder
from qmon_tui.scheduler.timeline.parallel import ParallelPlans
from qmon_tui.scheduler.timeline.planning import claim_of
from qmon_tui.scheduler.timeline.searches import Searches
from qmon_tui.scheduler.timeline.sequential import SequentialPlans
from qmon_tui.scheduler.timeline.voice import Voice
from qmon_tui.scheduler.timeline.window import Window

NO_PLACE: Final = "error: no suitable queues"
_NEVER_CHANGE: Final = frozenset(
    ("arch", "num_proc", "mem_total", "swap_total", "virtual_total", "m_socket", "m_core", "m_thread", "m_topology")
)
_ERROR, _ONLY = "e", "v"


@dataclass(frozen=True, slots=True)
class Verification:
    """What comes of it."""

    slots: int | None
    """How many the job would get; None where it finds no place."""
    said: tuple[str, ...] = ()
    """Why it does not, in qstat -j's words."""


def is_verified(job: Job) -> bool:
    """Tell whether qsub asks if the job would find a place before it takes the job."""
    verify = job.request.verify
    return verify in (_ERROR, _ONLY) or (not verify and job.request.advance_reservation is not None)


def objection(job: Job, found: Verification) -> str | None:
    """What qsub says where it does not submit the job then; None where it does."""
    if job.request.verify != _ONLY:
        return NO_PLACE if found.slots is None else None
    if found.slots is None:
        return "\n".join((*(f"Job {job.id} {line}" for line in found.said), "verification: no suitable queues"))
    return "verification: found suitable queue(s)"


def verified(compiled: Compiled, state: State, job: Job) -> Verification:
    """Whether the job would find a place in the empty cluster, or in its empty advance reservation."""
    loads = {
        host: {name: text for name, text in values.items() if name in _NEVER_CHANGE}
        for host, values in state.loads.items()
    }
    return _Empty(compiled, replace(State(now=state.now, loads=loads), reservations=lasting(state))).verified(job)


class _Empty:
    """The cluster with nothing but advance reservations in it."""

    def __init__(self, compiled: Compiled, state: State) -> None:
        self._compiled, self._now = compiled, state.now
        resources = self._resources = Resources(compiled, state, Adjustments())
        self._reserved = compile_reservations(state, compiled, resources, ())
        self._checker = Checker(compiled.attributes, Adjustments(), compiled.attributes.by_name.get(SLOTS))
        self._loads = [resources.host_load(host) for host in range(len(resources.hosts))]
        seq_nos = [instance.profile.seq_no for instance in resources.instances]
        everything, by_seqno = range(len(seq_nos)), compiled.policy.sort_by_seqno
        self._order = QueueOrder(seq_nos, [self._loads[host] for host in resources.host_of], by_seqno, everything)
        self._ranked = RankedOrder(seq_nos, resources.host_of, self._loads, by_seqno, everything)

    def verified(self, job: Job) -> Verification:
        """Whether a job finds a place."""
        compiled = self._compiled
        demand = compile_demand(job.request, compiled.attributes)
        project = job.request.project or compiled.shares.default_project(job.owner)
        run_job = RunJob(job, Split(), demand, Category(demand, jobs=1), project, "", ())
        name = job.request.advance_reservation
        if name is not None:
            return self._in_reservation(run_job, self._reserved[name]) if name in self._reserved else Verification(None)
        if job.request.pe is not None:
            parallel = self._parallel(Search(compiled, self._resources, self._checker, self._order), self._order)
            before = parallel.before(run_job)
            assignment = parallel.find(run_job)
            if assignment is not None:
                return Verification(assignment.slots)
            return Verification(None, tuple(parallel.reasons(run_job, before)))
        # What is kept free for advance reservations is not there for one slot, but is for several.
        policy = compiled.policy
        window = Window(self._now)
        window.open(of_pending(demand, policy.default_duration, policy.duration_offset))
        search = Search(compiled, self._resources, TimedChecker(*self._rules, self._claims(), window), self._order)
        seen = search.before(run_job)
        if search.find(run_job) is not None:
            return Verification(1)
        return Verification(None, tuple(search.reasons(run_job, seen)))

    @property
    def _rules(self) -> tuple[AttributeTable, Adjustments, Attribute | None]:
        return self._checker.attributes, self._checker.adjustments, self._checker.slots

    def _claims(self) -> Diagrams:
        numbers = frozenset(range(len(self._resources.instances)))
        diagrams = Diagrams(self._compiled.attributes, self._resources, False, numbers)
        for reserved in self._reserved.values():
            diagrams.claim(claim_of(reserved))
        return diagrams

    def _parallel(self, search: Search, order: QueueList) -> ParallelSearch:
        compiled = self._compiled
        queues = {queue.name: queue for queue in compiled.queues}
        site = Site(compiled, self._resources, StaticRules(compiled), Counter(self._checker), order, queues)
        hosts = HostList(site, self._loads)
        return ParallelSearch(site, compiled.environments, search.violations, compiled.policy.range_algorithm, hosts)

    def _in_reservation(self, run_job: RunJob, reserved: Reserved) -> Verification:
        """As if it had begun, and none of its jobs were there."""
        begun = replace(reserved, reservation=replace(reserved.reservation, state="r"))
        search = Search(self._compiled, self._resources, self._checker, self._order)
        diagrams, window, voice = self._claims(), Window(self._now), Voice()
        earliest = EarliestChecker(*self._rules, diagrams, window)
        sequential = SequentialPlans(self._resources, self._ranked, search, search, earliest, voice)
        plain = self._parallel(search, self._ranked)
        plans = ParallelPlans(
            plain.site, plain.environments, plain.violations, plain.ranges.setting, plain.hosts, diagrams, window, voice
        )
        own = quarters(begun, self._compiled, Searches(sequential, plain, plans), lambda text: None)
        said: list[str] = []
        if run_job.job.request.pe is None:
            found = own.start(run_job, said.append)[1] is not None
            return Verification(1 if found else None, () if found else tuple(said))
        assignment = own.collect(run_job, said.append, None)[1]
        return Verification(None, tuple(said)) if assignment is None else Verification(assignment.slots)
