"""The search for jobs in an advance reservation: its own stock instead of what everybody shares (dispatch.md 15).

Consumables of hosts and of the global host, and quotas, are not looked at; everything else is as for other jobs. That a
queue instance is not one of the reservation's is said to all jobs, each time that one is found out.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from qmon_tui.model.state import PeRequest
from qmon_tui.scheduler import messages
from qmon_tui.scheduler.advance.reserved import Reserved
from qmon_tui.scheduler.compiled.cluster import Compiled
from qmon_tui.scheduler.compiled.environments import Environment
from qmon_tui.scheduler.compiled.queues import ClusterQueue, Instance
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.matching.check import Checker, Failure
from qmon_tui.scheduler.matching.level import GLOBAL, QUEUE, Level, shortfall
from qmon_tui.scheduler.matching.merged import merged
from qmon_tui.scheduler.matching.refusal import Refusal, refused
from qmon_tui.scheduler.matching.room import FITS, NEVER, NO_LIMIT, Room, Say
from qmon_tui.scheduler.matching.static import Applicant, StaticRules
from qmon_tui.scheduler.placement.attempt import Assignment
from qmon_tui.scheduler.placement.attempt import Attempt as ParallelAttempt
from qmon_tui.scheduler.placement.parallel import ParallelSearch
from qmon_tui.scheduler.placement.sequential import GLOBAL_SCOPE, HOST_SCOPE, INSTANCE_SCOPE, Attempt, Search, Verdict
from qmon_tui.scheduler.requests import Demand, Wanted
from qmon_tui.scheduler.timeline.parallel import ParallelPlans, Reservation
from qmon_tui.scheduler.timeline.room import TimedCounter
from qmon_tui.scheduler.timeline.searches import Searches

_NO_REASON: Final = "(null)"


@dataclass(frozen=True, slots=True)
class View:
    """The queue instances as jobs of a reservation see them."""

    reserved: Reserved
    stocks: Mapping[str, Level]
    """By queue instance."""

    def of(self, level: Level) -> Level:
        """The stock of a queue instance."""
        return self.stocks.get(level.name, level)


@dataclass(frozen=True, slots=True)
class ReservedChecker(Checker):
    """The checks for one slot: those of another checker, but of the stock only."""

    inner: Checker
    view: View

    def check(self, level: Level, demand: Demand, accepted: set[str]) -> Failure | None:
        """As in `Checker`; what a host lacks is found for each of its queue instances by `ReservedSearch`."""
        return self.inner.check(self.view.of(level), demand, accepted) if level.layer == QUEUE else None


@dataclass(frozen=True, slots=True)
class ReservedCounter(TimedCounter):
    """The count of slots."""

    view: View

    def count(self, level: Level, demand: Demand, accepted: set[str], say: Say | None) -> Room:
        """As in `Counter` for a queue instance; nothing is asked of the global host, and nothing told of a host.

        A host has the slots that the reservation has there, and those requests that it meets are met.
        """
        if level.layer == QUEUE:
            return TimedCounter.count(self, self.view.of(level), demand, accepted, say)
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
            self.announce(refusal.message)
            return refusal
        return StaticRules.instance(self, instance, applicant)


@dataclass(frozen=True, slots=True)
class OfHost(Verdict):
    """A verdict on a queue instance that is told of its host."""

    @property
    def message(self) -> str:
        """The text for qstat -j."""
        reason = self.failure.reason if self.failure is not None else _NO_REASON
        return messages.message(messages.AT_HOST, self.printed, self.name.partition("@")[2], reason)


class ReservedSearch(Search):
    """The search for one slot. Fixed values come before the stock, and are told of the host wherever they are.

    8.1.9 asks a queue instance nothing, and has no words for it, where the one before it did not fit, its host is known
    to be all right, and the job asks for no fixed value: it still has the other's result in its hands.
    """

    _attempt: Attempt | None = None
    _has_failed = False
    """What was looked at last in the attempt did not fit."""

    def examine_global(self, attempt: Attempt) -> Verdict | None:
        """Nothing is asked of the global host."""
        refusal = self._rules.checkpoint(attempt.applicant)
        attempt.accepted = {one.attribute.name for one in _fixed(attempt.applicant.demand)}
        return None if refusal is None else Verdict(GLOBAL_SCOPE, refusal)

    def examine(self, number: int, attempt: Attempt) -> Verdict | None:
        """Why a queue instance does not take the job."""
        has_failed = self._has_failed and self._attempt is attempt
        is_known = self.resources.host_of[number] in attempt.clear_hosts
        verdict = Search.examine(self, number, attempt)
        self._attempt = attempt
        if verdict is not None and verdict.failure is None:
            is_host = verdict.scope == HOST_SCOPE and not verdict.remembered
            is_passed = verdict.scope == INSTANCE_SCOPE and not is_known
            self._has_failed = is_host or (has_failed and not is_passed)
            return verdict
        demand = attempt.applicant.demand
        name = self.resources.instances[number].name
        missing = self._missing(number, demand)
        if missing is not None:
            verdict = OfHost(INSTANCE_SCOPE, None, missing, demand.printed, name, True)
        elif has_failed and is_known and not _fixed(demand):
            verdict = OfHost(INSTANCE_SCOPE, None, None, demand.printed, name, True)
        self._has_failed = verdict is not None
        return verdict

    def _missing(self, number: int, demand: Demand) -> Failure | None:
        """The first fixed value that all levels together do not have."""
        levels = self.resources.levels_of(number)
        for wanted in _fixed(demand):
            attribute = wanted.attribute
            found = merged(attribute, self.checker.adjustments, *levels)
            if found is None:
                return Failure(attribute.name, text=messages.MISSING_ATTRIBUTE.format(attribute.name))
            missing = shortfall(found.kind[0], found.offer, attribute, wanted.amount, wanted.text, 1)
            if missing is not None:
                return Failure(attribute.name, missing)
        return None


def _fixed(demand: Demand) -> list[Wanted]:
    return [wanted for wanted in demand.hard if not wanted.attribute.is_consumable]


class ReservedParallel(ParallelSearch):
    """The search for parallel jobs: in the reservation's parallel environment, whichever they ask for."""

    granted: str | None

    def candidates(self, request: PeRequest) -> list[Environment]:
        """The reservation's parallel environment."""
        del request
        return [one for name, one in self.environments.items() if name == self.granted]

    def is_barred(self, run_job: RunJob, environment: Environment) -> bool:
        """Who may use the reservation may use its parallel environment."""
        del run_job, environment
        return False

    def slots_of(self, environment: Environment) -> tuple[int, int]:
        """Nobody asks what is in use of the parallel environment."""
        del environment
        return NO_LIMIT, NO_LIMIT


class ReservedPlans(ParallelPlans):
    """The search for a time, in any parallel environment that the job asks for, whichever the reservation has."""

    view: View

    def slots_of(self, environment: Environment) -> tuple[int, int]:
        """Nobody asks what is in use of the parallel environment."""
        del environment
        return NO_LIMIT, NO_LIMIT

    def changes_everywhere(self, attempt: ParallelAttempt) -> Iterator[int]:
        """Neither the parallel environment nor the global host counts."""
        del attempt
        yield from ()

    def changes_of(self, level: Level, run_job: RunJob) -> Iterator[int]:
        """Those of the stock; a host's count, too, although a job in a reservation uses nothing there."""
        return ParallelPlans.changes_of(self, self.view.of(level) if level.layer == QUEUE else level, run_job)


@dataclass(slots=True)
class Quarters(Searches):
    """All that is needed to place jobs in one reservation."""

    parallel_plans: ReservedPlans
    reserved: Reserved
    rules: ReservedRules

    def start(self, run_job: RunJob, say: Say | None) -> tuple[int, int | None]:
        """As everywhere, if the job may use the reservation at the moment."""
        if self._is_refused(run_job, say):
            return NEVER, None
        return Searches.start(self, run_job, self._heard(say))

    def collect(self, run_job: RunJob, say: Say | None, order: Sequence[int] | None) -> tuple[int, Assignment | None]:
        """As everywhere, if the job may use the reservation at the moment."""
        if self._is_refused(run_job, say):
            return NEVER, None
        return Searches.collect(self, run_job, self._heard(say), order)

    def reserve(self, run_job: RunJob) -> tuple[int, int] | None:
        """As everywhere, if the job may use the reservation at the moment."""
        return None if self._is_refused(run_job, None) else Searches.reserve(self, run_job)

    def collect_later(self, run_job: RunJob, say: Say | None) -> tuple[int, Reservation | None]:
        """As everywhere; whether the job may use the reservation is not asked here."""
        return Searches.collect_later(self, run_job, self._heard(say))

    def _is_refused(self, run_job: RunJob, say: Say | None) -> bool:
        text = self.reserved.refusal(run_job)
        if text is not None and say is not None:
            say(text)
        return text is not None

    def _heard(self, say: Say | None) -> Say | None:
        """What all jobs are told is not told to the one."""
        if say is None:
            return None
        return lambda text: say(text) if text not in self.rules.texts else None


def quarters(
    reserved: Reserved,
    compiled: Compiled,
    everybody: Searches,
    announce: Say,
) -> Quarters:
    """The searches of one reservation over the list of queue instances of everybody."""
    plans, plain = everybody.sequential, everybody.parallel_plans
    site, diagrams, window = plain.site, plain.diagrams, plain.window
    view = View(reserved, {level.name: level for level in reserved.levels.values()})
    rules = ReservedRules(compiled, reserved, view.stocks, announce=announce)

    def search(inner: Checker) -> Search:
        own = ReservedChecker(inner.attributes, inner.adjustments, inner.slots, inner, view)
        return ReservedSearch(compiled, site.resources, own, plans.now.order, rules=rules)

    now = search(plans.now.checker)
    checker = Checker(plans.now.checker.attributes, plans.now.checker.adjustments, plans.now.checker.slots)
    own_site = replace(site, counter=ReservedCounter(checker, diagrams, window, view), rules=rules)
    parallel = ReservedParallel(own_site, plain.environments, now.violations, plain.ranges, plain.hosts)
    parallel.granted = reserved.environment
    parallel_plans = ReservedPlans(
        own_site, plain.environments, now.violations, plain.ranges, plain.hosts, diagrams, window, plans.voice
    )
    parallel_plans.view = view
    for one in (parallel, parallel_plans):
        one.later_rooms = plans.times
    sequential = replace(plans, now=now, some_time=search(plans.earliest), passes_over=False)
    return Quarters(sequential, parallel, parallel_plans, reserved, rules)
