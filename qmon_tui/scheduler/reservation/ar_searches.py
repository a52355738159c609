"""The search for jobs in an advance reservation (-ar), in the reservation's own stock.

Consumables of hosts and of the global host, and quotas, are not checked; all other checks are those of normal jobs. The
message that a queue instance is not in the reservation goes to all jobs, each time the instance is checked.

Source: reservation.md#advance-reservations.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from qmon_tui.model import PeRequest, messages
from qmon_tui.scheduler.configuration import ClusterQueue, CompiledCluster, ParallelEnvironment, QueueInstance
from qmon_tui.scheduler.jobs import Demand, ResourceRequest, RunJob
from qmon_tui.scheduler.matching import (
    FITS,
    GLOBAL,
    NEVER,
    NO_LIMIT,
    QUEUE,
    Checker,
    Failure,
    Level,
    PlacementRequest,
    Refusal,
    Say,
    SlotCount,
    StaticChecks,
    merged,
    refused,
    shortfall,
)
from qmon_tui.scheduler.parallel import Assignment, ParallelSearch, PeAttempt, PeSearch
from qmon_tui.scheduler.placement import GLOBAL_SCOPE, HOST_SCOPE, INSTANCE_SCOPE, Attempt, Rejection, SequentialSearch
from qmon_tui.scheduler.reservation.ar_resources import ArResources
from qmon_tui.scheduler.reservation.timed_check import TimedCounter
from qmon_tui.scheduler.reservation.timed_parallel import Reservation, TimedParallelSearch
from qmon_tui.scheduler.reservation.timed_searches import TimedSearches

_NO_REASON: Final = "(null)"


@dataclass(frozen=True, slots=True)
class ArView:
    """The levels of queue instances for jobs in a reservation."""

    reserved: ArResources
    ar_levels: Mapping[str, Level]
    """Queue instance -> stock."""

    def of(self, level: Level) -> Level:
        """Return the stock in a queue instance; `level` itself if there is none."""
        return self.ar_levels.get(level.name, level)


@dataclass(frozen=True, slots=True)
class ArChecker(Checker):
    """The checks for one slot, which read only the stock."""

    inner: Checker
    view: ArView

    def check(self, level: Level, demand: Demand, accepted: set[str]) -> Failure | None:
        """Check the stock in a queue instance; for other levels return None, as `ArSearch` checks them."""
        return self.inner.check(self.view.of(level), demand, accepted) if level.layer == QUEUE else None


@dataclass(frozen=True, slots=True)
class ArCounter(TimedCounter):
    """The slot counts in a reservation."""

    view: ArView

    def count(self, level: Level, demand: Demand, accepted: set[str], say: Say | None) -> SlotCount:
        """Return the slots of one level; only queue instances report shortages.

        The global host allows any number; a host allows as many slots as are reserved there, and adds the fixed values
        that fit to `accepted`.
        """
        if level.layer == QUEUE:
            return TimedCounter.count(self, self.view.of(level), demand, accepted, say)
        if level.layer == GLOBAL:
            return SlotCount(FITS, NO_LIMIT, NO_LIMIT)
        fixed = _fixed(demand)
        accepted.update(request.attribute.name for request in fixed if self._single(level, request).result == FITS)
        slots = self.view.reserved.slots_on(level.name)
        return SlotCount(FITS, slots, slots)


@dataclass(frozen=True, slots=True)
class ArStaticRules(StaticChecks):
    """The static checks, and before them the check whether the reservation has the queue instance."""

    reserved: ArResources
    ar_levels: Mapping[str, Level]
    texts: set[str] = field(default_factory=set)
    """Messages about queue instances outside the reservation."""

    def cluster_queue(self, queue: ClusterQueue, placement_request: PlacementRequest) -> Refusal | None:
        """Check -q first, then whether the reservation has an instance of the cluster queue."""
        refusal = StaticChecks.cluster_queue(self, queue, placement_request)
        if refusal is not None and refusal.number == messages.NOT_IN_QUEUE_LIST:
            return refusal
        if not any(name.partition("@")[0] == queue.name for name in self.ar_levels):
            return refused(messages.QUEUE_NOT_RESERVED, queue.name, str(self.reserved.reservation.id))
        return refusal

    def instance(self, instance: QueueInstance, placement_request: PlacementRequest) -> Refusal | None:
        if instance.name not in self.ar_levels:
            refusal = refused(messages.NOT_RESERVED, instance.name, str(self.reserved.reservation.id))
            self.texts.add(refusal.message)
            self.announce(refusal.message)
            return refusal
        return StaticChecks.instance(self, instance, placement_request)


@dataclass(frozen=True, slots=True)
class HostRejection(Rejection):
    """A rejection of a queue instance whose message names the host."""

    @property
    def message(self) -> str:
        reason = self.failure.reason if self.failure is not None else _NO_REASON
        return messages.message(messages.AT_HOST, self.printed, self.name.partition("@")[2], reason)


class ArSearch(SequentialSearch):
    """The search for one slot. Fixed values (not consumables) are checked first, merged over all levels.

    If the previous queue instance did not fit, this one's host passed before, and the job requests no fixed value,
    8.1.9 reuses the previous failure instead of checking the instance, and prints no reason.
    """

    _attempt: Attempt | None = None
    """The attempt that `_has_failed` belongs to."""
    _has_failed = False
    """True if the check of the previous queue instance failed."""

    def examine_global(self, attempt: Attempt) -> Rejection | None:
        """Check only the checkpointing environment, nothing of the global host."""
        refusal = self._rules.checkpoint(attempt.placement_request)
        attempt.accepted = {request.attribute.name for request in _fixed(attempt.placement_request.demand)}
        return None if refusal is None else Rejection(GLOBAL_SCOPE, refusal)

    def examine(self, number: int, attempt: Attempt) -> Rejection | None:
        has_failed = self._has_failed and self._attempt is attempt
        is_known = self.resources.host_of[number] in attempt.clear_hosts
        rejection = SequentialSearch.examine(self, number, attempt)
        self._attempt = attempt
        if rejection is not None and rejection.failure is None:
            is_host = rejection.scope == HOST_SCOPE and not rejection.remembered
            is_passed = rejection.scope == INSTANCE_SCOPE and not is_known
            self._has_failed = is_host or (has_failed and not is_passed)
            return rejection
        demand = attempt.placement_request.demand
        name = self.resources.instances[number].name
        missing = self._missing(number, demand)
        if missing is not None:
            rejection = HostRejection(INSTANCE_SCOPE, None, missing, demand.printed, name, True)
        elif has_failed and is_known and not _fixed(demand):
            rejection = HostRejection(INSTANCE_SCOPE, None, None, demand.printed, name, True)
        self._has_failed = rejection is not None
        return rejection

    def _missing(self, number: int, demand: Demand) -> Failure | None:
        """Return the failure for the first requested fixed value that no level fulfils; None if all fit."""
        levels = self.resources.levels_of(number)
        for wanted in _fixed(demand):
            attribute = wanted.attribute
            value = merged(attribute, self.checker.adjustments, *levels)
            if value is None:
                return Failure(attribute.name, text=messages.MISSING_ATTRIBUTE.format(attribute.name))
            missing = shortfall(value.kind[0], value.offer, attribute, wanted.amount, wanted.text, 1)
            if missing is not None:
                return Failure(attribute.name, missing)
        return None


def _fixed(demand: Demand) -> list[ResourceRequest]:
    return [wanted for wanted in demand.hard if not wanted.attribute.is_consumable]


class ArParallelSearch(ParallelSearch):
    """The search for parallel jobs in the reservation's PE, regardless of the PE they request."""

    granted: str | None
    """The PE of the reservation."""

    def candidates(self, _: PeRequest) -> list[ParallelEnvironment]:
        return [environment for name, environment in self.environments.items() if name == self.granted]

    def lacks_pe_access(self, _: RunJob, __: ParallelEnvironment) -> bool:
        return False

    def slots_of(self, _: ParallelEnvironment) -> tuple[int, int]:
        return NO_LIMIT, NO_LIMIT


class ArTimedParallelSearch(TimedParallelSearch):
    """The search for the earliest time, in any PE that the job requests, regardless of the reservation's PE."""

    view: ArView

    def timed_visits(self, _: PeAttempt) -> None:
        """Return None: the cache reads the diagrams of hosts, not those of the stock."""
        return

    def slots_of(self, _: ParallelEnvironment) -> tuple[int, int]:
        return NO_LIMIT, NO_LIMIT

    def shared_change_times(self, _: PeSearch) -> Iterator[int]:
        """Yield nothing: jobs in a reservation need nothing of the PE or the global host."""
        yield from ()

    def change_times_of(self, level: Level, run_job: RunJob) -> Iterator[int]:
        """Yield the change times of the stock, or of a host, although the job uses nothing there."""
        return TimedParallelSearch.change_times_of(
            self, self.view.of(level) if level.layer == QUEUE else level, run_job
        )


@dataclass(slots=True)
class ArSearches(TimedSearches):
    """The searches for jobs in one reservation."""

    timed_parallel: ArTimedParallelSearch
    reserved: ArResources
    rules: ArStaticRules

    def start(self, run_job: RunJob, say: Say | None) -> tuple[int, int | None]:
        if self._is_refused(run_job, say):
            return NEVER, None
        return TimedSearches.start(self, run_job, self._without_announced(say))

    def collect(self, run_job: RunJob, say: Say | None, order: Sequence[int] | None) -> tuple[int, Assignment | None]:
        if self._is_refused(run_job, say):
            return NEVER, None
        return TimedSearches.collect(self, run_job, self._without_announced(say), order)

    def reserve(self, run_job: RunJob) -> tuple[int, int] | None:
        return None if self._is_refused(run_job, None) else TimedSearches.reserve(self, run_job)

    def collect_later(self, run_job: RunJob, say: Say | None) -> tuple[int, Reservation | None]:
        """Search without checking whether the job may use the reservation now."""
        return TimedSearches.collect_later(self, run_job, self._without_announced(say))

    def _is_refused(self, run_job: RunJob, say: Say | None) -> bool:
        text = self.reserved.refusal(run_job)
        if text is not None and say is not None:
            say(text)
        return text is not None

    def _without_announced(self, say: Say | None) -> Say | None:
        """Return a `say` that drops messages which go to all jobs."""
        if say is None:
            return None
        return lambda text: say(text) if text not in self.rules.texts else None


def ar_searches(
    reserved: ArResources,
    compiled: CompiledCluster,
    shared: TimedSearches,
    announce: Say,
) -> ArSearches:
    """Return the searches of one reservation over the shared list of queue instances."""
    plans, plain = shared.sequential, shared.timed_parallel
    context, diagrams, window = plain.context, plain.diagrams, plain.window
    view = ArView(reserved, {level.name: level for level in reserved.levels.values()})
    rules = ArStaticRules(compiled, reserved, view.ar_levels, announce=announce)

    def search(inner: Checker) -> SequentialSearch:
        own = ArChecker(inner.attributes, inner.adjustments, inner.slots, inner, view)
        return ArSearch(compiled, context.resources, own, plans.now.order, rules=rules)

    now = search(plans.now.checker)
    checker = Checker(plans.now.checker.attributes, plans.now.checker.adjustments, plans.now.checker.slots)
    own_context = replace(context, counter=ArCounter(checker, diagrams, window, view), rules=rules)
    parallel = ArParallelSearch(own_context, plain.environments, now.violations, plain.ranges, plain.hosts)
    parallel.granted = reserved.environment
    timed_parallel = ArTimedParallelSearch(
        own_context, plain.environments, now.violations, plain.ranges, plain.hosts, diagrams, window, plans.job_messages
    )
    timed_parallel.view = view
    for parallel_search in (parallel, timed_parallel):
        parallel_search.later_slots = plans.times
    sequential = replace(plans, now=now, some_time=search(plans.earliest), passes_over=False)
    return ArSearches(sequential, parallel, timed_parallel, reserved, rules)
