"""The obstacles of a task on each queue instance, found by matching again on a finished run.

Each queue instance has its main reason: the configuration, even with nothing in use; then its state; then use by
others. Equivalent queue instances share one rejection, so that a thousand hosts cost little more than one.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from qmon_tui.explain.equivalent_places import ClassNumbers, EquivalentPlaces, hosts_by_request
from qmon_tui.explain.explanation import ReasonGroup, ReasonKind
from qmon_tui.explain.level_fit import AllSlotsChecker, LevelFit, fewest_slots_of_request, least_slots
from qmon_tui.explain.rejection import PlaceRejection, UnmetRequirement, crossed_thresholds
from qmon_tui.explain.suspension_reasons import state_words
from qmon_tui.model import messages
from qmon_tui.qmaster import Run
from qmon_tui.scheduler.configuration import GLOBAL, QuotaSubject, matching_environments
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.matching import HOST, SLOTS, Checker, Level, PlacementRequest, Requester
from qmon_tui.scheduler.placement import GLOBAL_SCOPE, HOST_SCOPE, INSTANCE_SCOPE, QUEUE_SCOPE
from qmon_tui.scheduler.quotas import MatchedRule, exceeded_rules
from qmon_tui.scheduler.suspension import closing_of

_NOWHERE: frozenset[str] = frozenset()
_EXPLAINED_STATES = (messages.SUSPENDED, messages.NOT_AVAILABLE)
"""Messages for a queue instance suspended in the run, or before it."""


@dataclass(frozen=True, slots=True)
class _Host:
    """A host's permanent and present obstacle (None if there is none), and the attributes known there in both cases."""

    never: PlaceRejection | None
    busy: PlaceRejection | None = None
    when_empty: frozenset[str] = _NOWHERE
    now: frozenset[str] = _NOWHERE


class OneSlotMore(Protocol):
    """The obstacles of a parallel job that could get some of its slots; `next_slot` implements it."""

    @property
    def rejections(self) -> "TaskRejections": ...

    @property
    def unmet_requirements(self) -> Sequence[tuple[UnmetRequirement, ...]]: ...

    def for_job(self, run_job: RunJob) -> "OneSlotMore": ...

    def reasons(self) -> Iterator[ReasonGroup]: ...


class TaskRejections:
    """The rejections of one task in one run."""

    def __init__(self, run: Run, run_job: RunJob, equivalent_places: EquivalentPlaces) -> None:
        self.run = run
        self.run_job = run_job
        self.further_reasons: tuple[ReasonGroup, ...] = ()
        """Reasons that would keep the job from taking part if its present ones were gone."""
        self.fits_without_reservations: bool | None = None
        """True if all slots fit without future reservations; None if not yet calculated."""
        self.is_busy = True
        """False if a parallel job would not start even without other jobs."""
        self.impossible: tuple[ReasonGroup, ...] | None = None
        """Reasons that keep the task from starting on the empty cluster; None if not yet calculated."""
        self.next_slot: OneSlotMore | None = None
        """The obstacles of one more slot, for a parallel job that could get some of its slots."""
        wanted = run_job.job.request.pe
        matching = () if wanted is None else tuple(matching_environments(wanted.name, run.compiled.environments))
        is_open = [not run.dispatch.parallel.lacks_pe_access(run_job, environment) for environment in matching]
        self.lacks_pe_access = bool(matching) and not any(is_open)
        """True if no requested PE admits the job's owner."""
        self.environments = (
            tuple(environment for environment, lets_in in zip(matching, is_open, strict=True) if lets_in) or matching
        )
        """The PEs that may take the job, or would if they admitted its owner."""
        context = run.dispatch.parallel.context
        demand = run_job.demand
        self._context, self._rules = context, context.rules
        known = context.counter.checker
        self.least_slots = least_slots(wanted, self.environments)
        """Layer -> slots that must fit there; empty for a sequential job."""
        checker = Checker(known.attributes, known.adjustments, known.slots)
        if self.environments:
            checker = AllSlotsChecker(known.attributes, known.adjustments, known.slots, self.least_slots)
        self.checker = checker
        """The plain rule, without the run's cached checks."""
        self._level_fit = LevelFit(self.checker, demand, self.least_slots)
        self._equivalent_places = equivalent_places
        self.collected: dict[str, int] = {}
        """PE -> slots that a parallel job can get there, as far as calculated."""
        self.everywhere = self._global_obstacle()
        """The obstacle on the global host; None if there is none."""
        self._hosts = self._all_hosts()
        self.of = self._all_instances()
        """Queue instance number -> rejection; None if the instance would take the task, or a slot of it.

        Amounts are those of one of the queue instances that share the rejection; see `exactly`.
        """

    @cached_property
    def masters(self) -> frozenset[int]:
        """The queue instances named by -masterq, if none of them takes a slot now; else empty."""
        patterns = self.run_job.demand.master_queues
        if not patterns or not self.environments:
            return frozenset()
        instances = self.run.resources.instances
        requested = frozenset(
            number for number, instance in enumerate(instances) if self._rules.matches(instance, patterns)
        )
        return requested if all(self.of[number] is not None for number in requested) else frozenset()

    @property
    def accepted_everywhere(self) -> frozenset[str]:
        """The attributes that the global host has."""
        return self._now.accepted

    def exactly(self, number: int) -> PlaceRejection | None:
        """Return the rejection of a queue instance with its own amounts."""
        rejection = self.of[number]
        if rejection is None or (rejection.shortfall is None and rejection.quota is None):
            return rejection
        return self._main_obstacle(
            number, self._host_obstacles(self.run.resources.hosts[self.run.resources.host_of[number]])
        )

    @cached_property
    def places(self) -> Sequence[tuple[PlaceRejection, list[int]]]:
        """Each rejection with the queue instances that share it."""
        by_rejection: dict[int, tuple[PlaceRejection, list[int]]] = {}
        for number, rejection in enumerate(self.of):
            if rejection is None:
                continue
            known = by_rejection.get(id(rejection))
            if known is None:
                by_rejection[id(rejection)] = (rejection, [number])
            else:
                known[1].append(number)
        return tuple(by_rejection.values())

    @cached_property
    def place_classes(self) -> Sequence[Hashable]:
        """Queue instance number -> key, equal for instances that lack the same, amounts included."""
        host_of, classes = self.run.resources.host_of, self._equivalent_places
        by_host = classes.hosts(self._asked_of_hosts)
        requested = self._requested
        return [
            (by_host[host], requested and requested[host], instance, counted)
            for host, instance, counted in zip(host_of, classes.instances, self._quota_keys(), strict=True)
        ]

    def placement_request(self, environment: str | None) -> PlacementRequest:
        job = self.run_job.job
        requester, slots = (
            Requester(job.owner, job.group, self.run_job.project),
            fewest_slots_of_request(job.request.pe),
        )
        return PlacementRequest(job.request, self.run_job.demand, requester, environment, slots, self.run_job.unclean)

    def environment_at(self, number: int) -> str | None:
        """Return the PE for checks of a queue instance, if possible one that it offers; None for a sequential job."""
        if not self.environments:
            return None
        offered = self.run.resources.instances[number].profile.pe_list
        return next(
            (environment.name for environment in self.environments if environment.name in offered),
            self.environments[0].name,
        )

    def place(self, number: int, rejection: PlaceRejection) -> str:
        """Return the name of the cluster queue, host or queue instance that a rejection rules out."""
        instance = self.run.resources.instances[number]
        if rejection.scope == QUEUE_SCOPE:
            return instance.queue
        return instance.host if rejection.scope == HOST_SCOPE else instance.name

    def level(self, number: int, rejection: PlaceRejection) -> Level:
        """Return the level on which a rejection was found."""
        resources = self.run.resources
        if rejection.scope == GLOBAL_SCOPE:
            return resources.global_level
        return resources.hosts[resources.host_of[number]] if rejection.scope == HOST_SCOPE else resources.queues[number]

    def _global_obstacle(self) -> PlaceRejection | None:
        level = self.run.resources.global_level
        environment = self.environments[0].name if self.environments else None
        refusal = self._rules.host(self.run.compiled.hosts[GLOBAL], level.loads, self.placement_request(environment))
        self._best = self._level_fit.when_empty(level, GLOBAL_SCOPE, _NOWHERE)
        self._now = self._level_fit.now(level, GLOBAL_SCOPE, _NOWHERE)
        if refusal is not None:
            return PlaceRejection.of_refusal(refusal, GLOBAL_SCOPE)
        return self._best.rejection or self._now.rejection

    def _all_instances(self) -> list[PlaceRejection | None]:
        hosts = [self._hosts[host] for host in self.run.resources.host_of]
        # If a threshold is crossed, the exact rest of the consumable matters, too.
        own = (number if self.crossed(number) else None for number in range(len(hosts)))
        places = tuple(zip(map(id, hosts), self._result_keys(), self._quota_keys(), own, strict=True))
        rejections: dict[Hashable, PlaceRejection | None] = {}
        for number, place in enumerate(places):
            if place not in rejections:
                rejections[place] = self._main_obstacle(number, hosts[number])
        return [rejections[place] for place in places]

    def _result_keys(self) -> list[int]:
        """Return a key per queue instance, equal for those with the same results apart from hosts and quotas."""
        resources, causes = self.run.resources, self.run.availability.causes
        first: dict[Hashable, int] = {}
        keys: dict[int, int] = {}
        for number in dict.fromkeys(self._equivalent_places.instances):
            fit_key = self._level_fit.fit_key(resources.queues[number], id(resources.instances[number].profile))
            keys[number] = first.setdefault((causes.get(number), fit_key), number)
        return [keys[number] for number in self._equivalent_places.instances]

    def _quota_keys(self) -> ClassNumbers:
        """Return a key per queue instance, equal for those with the same quota rules and usage."""
        names: list[str | None] = [*(environment.name for environment in self.environments)] or [None]
        of_environment = {name: self._equivalent_places.counted(self._quota_subject(name)) for name in names}
        if len(names) == 1:
            return of_environment[names[0]]
        numbers = range(len(self.run.resources.instances))
        return [of_environment[self.environment_at(number)][number] for number in numbers]

    def exceeded(self, number: int) -> tuple[MatchedRule, ...]:
        """Return the quota rules that deny the job a queue instance."""
        if self.run_job.job.request.advance_reservation is not None:
            return ()
        checker = self._context.counter.checker
        return exceeded_rules(
            self.run.quota_usage, self._quota_subject(self.environment_at(number)), self.run_job.demand, number, checker
        )

    def crossed(self, number: int) -> Sequence[PlaceRejection]:
        """Return the load thresholds on consumables that a parallel job's slots would cross in a queue instance."""
        resources = self.run.resources
        if not self.environments or number not in resources.with_load_thresholds:
            return ()
        members = self._context.order.in_order(resources.instances_of[resources.host_of[number]])
        slots = self.least_slots.get(HOST, 1)
        crossed = crossed_thresholds(resources, members, number, self.run_job.demand, slots)
        return tuple(map(PlaceRejection.of_crossed, crossed))

    def _quota_subject(self, environment: str | None) -> QuotaSubject:
        job = self.run_job.job
        return QuotaSubject(job.owner, job.group, self.run_job.project, environment)

    def _main_obstacle(self, number: int, host: _Host) -> PlaceRejection | None:
        """Return the main obstacle of a queue instance: configuration, then state, then use; None if there is none."""
        instance = self.run.resources.instances[number]
        placement_request = self.placement_request(self.environment_at(number))
        refusal = self._rules.cluster_queue(self._context.queues[instance.queue], placement_request)
        if refusal is not None:
            # A shortage of the queue instance is the same obstacle, but states the amount.
            exact = self._level_fit.when_empty(
                self.run.resources.queues[number], INSTANCE_SCOPE, host.when_empty
            ).rejection
            is_same = exact is not None and exact.attribute == refusal.attribute is not None
            return exact if is_same else PlaceRejection.of_refusal(refusal, QUEUE_SCOPE)
        if host.never is not None:
            return host.never
        refusal = self._rules.instance(instance, placement_request)
        if refusal is not None:
            return PlaceRejection.of_refusal(refusal, INSTANCE_SCOPE)
        level = self.run.resources.queues[number]
        rejection = self._level_fit.when_empty(level, INSTANCE_SCOPE, host.when_empty).rejection
        if rejection is not None:
            return rejection
        cause = self.run.availability.causes.get(number)
        if cause is not None and cause[0] != messages.FULL:
            return self.state_rejection(number)
        exceeded = self.exceeded(number)
        if exceeded:
            return PlaceRejection.of_quota(exceeded[0])
        rejection = host.busy or self._level_fit.now(level, INSTANCE_SCOPE, host.now).rejection
        if rejection is None and cause is None:
            return next(iter(self.crossed(number)), None)
        is_full = rejection is None or (rejection.scope == INSTANCE_SCOPE and rejection.attribute == SLOTS)
        return self.state_rejection(number) if is_full and cause is not None else rejection

    def state_rejection(self, number: int) -> PlaceRejection | None:
        """Return the rejection by the state for which the run left a queue instance out; None if it did not."""
        run = self.run
        cause = run.availability.causes.get(number)
        if cause is None:
            return None
        message, reasons = cause
        why = ReasonKind.BUSY if message == messages.FULL else ReasonKind.STATE
        closing = closing_of(run.compiled, number, run.availability.states[number], run.now)
        words = state_words(run, number) if message in _EXPLAINED_STATES and closing is None else ""
        return PlaceRejection(why, INSTANCE_SCOPE, message, ("", *reasons), closing=closing, state=words)

    def _all_hosts(self) -> list[_Host]:
        resources, compiled = self.run.resources, self.run.compiled
        forced = [attribute.name for attribute in compiled.attributes.forced]
        classes, requested = self._equivalent_places.hosts(self._asked_of_hosts), self._requested
        places: Sequence[Hashable] = classes if requested is None else tuple(zip(classes, requested, strict=True))
        host_of_key: dict[Hashable, _Host] = {}
        host_of_place: dict[Hashable, _Host] = {}
        for number, place in enumerate(places):
            if place not in host_of_place:
                level = resources.hosts[number]
                access = compiled.hosts[level.name].access
                reported = tuple([name in level.loads for name in forced])
                fit_key = self._level_fit.fit_key(level, id(level.configured))
                key = (None if access.is_open else access, requested and requested[number], reported, fit_key)
                if key not in host_of_key:
                    host_of_key[key] = self._host_obstacles(level)
                host_of_place[place] = host_of_key[key]
        return [host_of_place[place] for place in places]

    @property
    def _asked_of_hosts(self) -> frozenset[str]:
        """The attributes for which the load values of hosts matter."""
        forced = (attribute.name for attribute in self.run.compiled.attributes.forced)
        return self.run_job.demand.names.union(forced)

    @cached_property
    def _requested(self) -> Sequence[Hashable] | None:
        """Host -> key; see `hosts_by_request`."""
        run, run_job = self.run, self.run_job
        return hosts_by_request(run_job.demand, run.resources.host_names, run.compiled.groups, run_job.unclean)

    def _host_obstacles(self, level: Level) -> _Host:
        environment = self.environments[0].name if self.environments else None
        placement_request = self.placement_request(environment)
        refusal = self._rules.host_in_queue_list(level.name, placement_request)
        refusal = refusal or self._rules.host(self.run.compiled.hosts[level.name], level.loads, placement_request)
        if refusal is not None:
            return _Host(PlaceRejection.of_refusal(refusal, HOST_SCOPE))
        best = self._level_fit.when_empty(level, HOST_SCOPE, self._best.accepted)
        now = self._level_fit.now(level, HOST_SCOPE, self._now.accepted)
        return _Host(best.rejection, now.rejection, best.accepted, now.accepted)
