"""The search for jobs in an advance reservation: its own stock instead of what everybody shares (dispatch.md 15).

Consumables of hosts and of the global host, and quotas, are not looked at; everything else is as for other jobs. That a
queue instance is not one of the reservation's is said to all jobs for a sequential one, and to nobody for others.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from qmon_tui.model.state import PeRequest
from qmon_tui.scheduler import messages
from qmon_tui.scheduler.advance.reserved import Reserved, without_consumables
from qmon_tui.scheduler.compiled.cluster import Compiled
from qmon_tui.scheduler.compiled.environments import Environment
from qmon_tui.scheduler.compiled.queues import ClusterQueue, Instance
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.matching.check import Checker, Failure
from qmon_tui.scheduler.matching.level import GLOBAL, QUEUE, Level, shortfall
from qmon_tui.scheduler.matching.merged import merged
from qmon_tui.scheduler.matching.refusal import Refusal, refused
from qmon_tui.scheduler.matching.room import FITS, NO_LIMIT, Counter, Room, Say
from qmon_tui.scheduler.matching.static import Applicant, StaticRules
from qmon_tui.scheduler.placement.parallel import ParallelSearch
from qmon_tui.scheduler.placement.sequential import HOST_SCOPE, Attempt, Search, Verdict
from qmon_tui.scheduler.placement.site import Site
from qmon_tui.scheduler.requests import Demand
from qmon_tui.scheduler.resources import Grants
from qmon_tui.scheduler.timeline.order import RankedOrder
from qmon_tui.scheduler.timeline.sequential import SequentialPlans


@dataclass(frozen=True, slots=True)
class View:
    """The levels as jobs of a reservation see them."""

    reserved: Reserved
    stocks: Mapping[str, Level]
    """By queue instance."""
    bare: dict[str, Level] = field(default_factory=dict)

    def of(self, level: Level) -> Level:
        """The stock of a queue instance, or a host without its consumables."""
        if level.layer == QUEUE:
            return self.stocks.get(level.name, level)
        if level.name not in self.bare:
            self.bare[level.name] = without_consumables(level, self.reserved.attributes)
        return self.bare[level.name]


@dataclass(frozen=True, slots=True)
class ReservedChecker(Checker):
    """The checks for one slot."""

    view: View

    def check(self, level: Level, demand: Demand, accepted: set[str]) -> Failure | None:
        """As in `Checker`; what a host lacks is found for each of its queue instances by `ReservedSearch`."""
        failure = Checker.check(self, self.view.of(level), demand, accepted)
        return failure if level.layer == QUEUE else None


@dataclass(frozen=True, slots=True)
class ReservedCounter(Counter):
    """The count of slots."""

    view: View

    def count(self, level: Level, demand: Demand, accepted: set[str], say: Say | None) -> Room:
        """As in `Counter` for a queue instance; nothing is asked of the global host, and nothing told of a host.

        A host has the slots that the reservation has there, and those requests that it meets are met.
        """
        if level.layer == QUEUE:
            return Counter.count(self, self.view.of(level), demand, accepted, say)
        if level.layer == GLOBAL:
            return Room(FITS, NO_LIMIT, NO_LIMIT)
        fixed = (wanted for wanted in demand.hard if not wanted.attribute.is_consumable)
        accepted.update(one.attribute.name for one in fixed if self._single(level, one).result == FITS)
        slots = self.view.reserved.slots_on(level.name)
        return Room(FITS, slots, slots)


@dataclass(frozen=True, slots=True)
class ReservedRules(StaticRules):
    """The static checks, of which the first is whether a queue instance is one of the reservation's."""

    reserved: Reserved
    stocks: Mapping[str, Level]
    texts: set[str] = field(default_factory=set)
    """What was said about those that are not."""

    def cluster_queue(self, queue: ClusterQueue, applicant: Applicant) -> Refusal | None:
        """Why no instance of a cluster queue can take the job: the queue list of -q comes first."""
        refusal = StaticRules.cluster_queue(self, queue, applicant)
        if refusal is not None and refusal.number == messages.NOT_IN_QUEUE_LIST:
            return refusal
        if not any(name.partition("@")[0] == queue.name for name in self.stocks):
            return refused(messages.QUEUE_NOT_RESERVED, queue.name, str(self.reserved.reservation.id))
        return refusal

    def instance(self, instance: Instance, applicant: Applicant) -> Refusal | None:
        """Why a queue instance does not take the job."""
        if instance.name not in self.stocks:
            refusal = refused(messages.NOT_RESERVED, instance.name, str(self.reserved.reservation.id))
            self.texts.add(refusal.message)
            return refusal
        return StaticRules.instance(self, instance, applicant)


class ReservedSearch(Search):
    """The search for one slot. Fixed values come before the stock, and are told of the host wherever they are."""

    def examine(self, number: int, attempt: Attempt) -> Verdict | None:
        """Why a queue instance does not take the job."""
        verdict = Search.examine(self, number, attempt)
        if verdict is not None and verdict.failure is None:
            return verdict
        demand = attempt.applicant.demand
        failure = self._fixed(number, demand)
        if failure is None:
            return verdict
        return Verdict(HOST_SCOPE, None, failure, demand.printed, self.resources.instances[number].host)

    def _fixed(self, number: int, demand: Demand) -> Failure | None:
        levels = self.resources.levels_of(number)
        for wanted in demand.hard:
            attribute = wanted.attribute
            if attribute.is_consumable:
                continue
            found = merged(attribute, self.checker.adjustments, *levels)
            if found is None:
                return Failure(attribute.name, text=messages.MISSING_ATTRIBUTE.format(attribute.name))
            missing = shortfall(found.kind[0], found.offer, attribute, wanted.amount, wanted.text, 1)
            if missing is not None:
                return Failure(attribute.name, missing)
        return None


class ReservedParallel(ParallelSearch):
    """The search for parallel jobs: in the reservation's parallel environment, whichever they ask for."""

    reserved: Reserved

    def candidates(self, request: PeRequest) -> list[Environment]:
        """The reservation's parallel environment."""
        del request
        return list(self.environments.values())

    def slots_of(self, environment: Environment) -> tuple[int, int]:
        """Nobody asks what is in use of the parallel environment."""
        del environment
        return NO_LIMIT, NO_LIMIT


@dataclass(slots=True)
class Quarters:
    """All that is needed to place jobs in one reservation."""

    reserved: Reserved
    rules: ReservedRules
    sequential: SequentialPlans
    parallel: ReservedParallel
    announce: Callable[[str], None]
    """Says something to all jobs."""

    def place(self, run_job: RunJob, order: RankedOrder, say: Say | None) -> tuple[Grants, str | None, int] | None:
        """Queue instances, parallel environment and number of slots for the next task; None where none fits."""
        text = self.reserved.refusal(run_job)
        if text is not None:
            if say is not None:
                say(text)
            return None
        if run_job.job.request.pe is None:
            _, number = self.sequential.start(run_job, self._say(say, self.announce))
            return None if number is None else (((number, 1),), None, 1)
        self.parallel.hosts.catch_up()
        found = self.parallel.search(run_job, self._say(say, None))
        if found is None:
            return None
        order.must_sort = run_job.demand.is_soft
        return found.grants, found.environment, found.slots

    def _say(self, say: Say | None, announce: Say | None) -> Say | None:
        """Tell what the job is told from what all are told, or nobody."""
        if say is None:
            return None

        def tell(text: str) -> None:
            listener = announce if text in self.rules.texts else say
            if listener is not None:
                listener(text)

        return tell


def quarters(
    reserved: Reserved,
    compiled: Compiled,
    site: Site,
    plans: SequentialPlans,
    plain: ParallelSearch,
    announce: Callable[[str], None],
) -> Quarters:
    """The searches of one reservation over the list of queue instances of everybody."""
    checker = site.counter.checker
    stocks = {level.name: level for level in reserved.levels.values()}
    view = View(reserved, stocks)
    own = ReservedChecker(checker.attributes, checker.adjustments, checker.slots, view)
    plain_checker = Checker(checker.attributes, checker.adjustments, checker.slots)
    rules = ReservedRules(compiled, reserved, stocks)
    search = ReservedSearch(compiled, site.resources, own, plans.now.order, rules=rules)
    environment = reserved.reservation.environment
    environments = {name: one for name, one in plain.environments.items() if name == environment}
    parallel = ReservedParallel(
        replace(site, counter=ReservedCounter(plain_checker, view), rules=rules),
        environments,
        search.violations,
        plain.ranges.setting,
        plain.hosts,
    )
    parallel.reserved = reserved
    parallel.later_rooms = plans.times
    sequential = replace(plans, now=search, some_time=search)
    return Quarters(reserved, rules, sequential, parallel, announce)
