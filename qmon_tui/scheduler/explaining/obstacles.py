"""What keeps each queue instance from taking a task, found by matching again on a finished run.

Of each queue instance the reason that weighs most: what the configuration rules out however little is in use; then
the state of the queue instance; then what others use. Queue instances that differ in nothing that matters share one
obstacle, so that a thousand hosts cost little more than one.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from qmon_tui.qmaster.run import Run
from qmon_tui.scheduler import messages
from qmon_tui.scheduler.closing import closing_of
from qmon_tui.scheduler.compiled.cluster import GLOBAL
from qmon_tui.scheduler.compiled.environments import Environment, matching_environments
from qmon_tui.scheduler.explaining.alike import Alike, Sorts
from qmon_tui.scheduler.explaining.dividing import together
from qmon_tui.scheduler.explaining.fitting import Fitting, SlotwiseChecker
from qmon_tui.scheduler.explaining.naming import hosts_as_called
from qmon_tui.scheduler.explaining.obstacle import Obstacle
from qmon_tui.scheduler.explaining.state_words import state_words
from qmon_tui.scheduler.explanation import ReasonGroup, Why
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.matching.access import Requester
from qmon_tui.scheduler.matching.check import SLOTS, Checker
from qmon_tui.scheduler.matching.level import Level
from qmon_tui.scheduler.matching.static import Applicant
from qmon_tui.scheduler.placement.sequential import GLOBAL_SCOPE, HOST_SCOPE, INSTANCE_SCOPE, QUEUE_SCOPE
from qmon_tui.scheduler.quotas.hits import Hit, why
from qmon_tui.scheduler.quotas.territory import Party

if TYPE_CHECKING:
    from qmon_tui.scheduler.explaining.next_slot import NextSlot

_NOWHERE: frozenset[str] = frozenset()
_STANDING = (messages.SUSPENDED, messages.NOT_AVAILABLE)
"""What is said of a queue instance that was suspended in the run, or before it."""


@dataclass(frozen=True, slots=True)
class _Host:
    """What a host has against the task: always, and now; and the attributes that it has."""

    never: Obstacle | None
    busy: Obstacle | None = None
    at_best: frozenset[str] = _NOWHERE
    now: frozenset[str] = _NOWHERE


class Obstacles:
    """The obstacles of one task in one run."""

    def __init__(self, run: Run, run_job: RunJob, alike: Alike) -> None:
        self.run = run
        self.run_job = run_job
        self.besides: tuple[ReasonGroup, ...] = ()
        """What would keep the job itself from taking part, if what does so were not there."""
        self.fits_unplanned: bool | None = None
        """There is room for all slots if nothing is reserved, as soon as somebody has asked."""
        self.is_busy = True
        """It is not known that a parallel job would not start even if there were no others."""
        self.next_slot: NextSlot | None = None
        """Of a parallel job that could get some of its slots, where somebody has found out what keeps it from more."""
        matching = _environments(run, run_job)
        is_open = [not run.dispatch.parallel.is_barred(run_job, one) for one in matching]
        self.is_barred = bool(matching) and not any(is_open)
        """No parallel environment that it asks for lets its owner in."""
        self.environments = tuple(one for one, lets_in in zip(matching, is_open, strict=True) if lets_in) or matching
        """Those that may take it, or would if they let it in."""
        site = run.dispatch.parallel.site
        demand = run_job.demand
        self._site, self._rules = site, site.rules
        known = site.counter.checker
        self.together = together(run_job.job.request.pe, self.environments)
        """Layer -> how many slots have to fit there; none for a sequential job."""
        checker = Checker(known.attributes, known.adjustments, known.slots)
        if self.environments:
            checker = SlotwiseChecker(known.attributes, known.adjustments, known.slots, self.together)
        self.checker = checker
        """The plain rule: what a run remembers of levels and demands is of no use here."""
        self._fitting = Fitting(self.checker, demand, self.together)
        self._applicants: dict[str | None, Applicant] = {}
        self._parties: dict[str | None, Party] = {}
        self._alike = alike
        self.collected: dict[str, int] = {}
        """How many slots of a parallel job can be had in an environment, as soon as somebody has asked."""
        self.everywhere = self._of_global_host()
        """What the global host has against it."""
        self._hosts = self._all_hosts()
        self.of = self._all_instances()
        """By queue instance; None for those that would take the task, or a slot of it.

        Amounts are those of one of the queue instances that share the obstacle; see `exactly`.
        """

    @cached_property
    def masters(self) -> frozenset[int]:
        """The queue instances that may be the master queue, where not all may and none of those takes a slot now."""
        patterns = self.run_job.demand.master_queues
        if not patterns or not self.environments:
            return frozenset()
        instances = self.run.resources.instances
        called = frozenset(number for number, one in enumerate(instances) if self._rules.matches(one, patterns))
        return called if all(self.of[number] is not None for number in called) else frozenset()

    @property
    def accepted_everywhere(self) -> frozenset[str]:
        """The attributes that the global host has."""
        return self._now.accepted

    def exactly(self, number: int) -> Obstacle | None:
        """The obstacle of a queue instance with its own amounts."""
        found = self.of[number]
        if found is None or (found.shortfall is None and found.quota is None):
            return found
        return self._look_at(number, self._of_host(self.run.resources.hosts[self.run.resources.host_of[number]]))

    @cached_property
    def places(self) -> Sequence[tuple[Obstacle, list[int]]]:
        """Each obstacle with the queue instances that share it."""
        found: dict[int, tuple[Obstacle, list[int]]] = {}
        for number, obstacle in enumerate(self.of):
            if obstacle is None:
                continue
            known = found.get(id(obstacle))
            if known is None:
                found[id(obstacle)] = (obstacle, [number])
            else:
                known[1].append(number)
        return tuple(found.values())

    def applicant(self, environment: str | None) -> Applicant:
        """The job as the static checks see it."""
        known = self._applicants.get(environment)
        if known is None:
            job = self.run_job.job
            slots = min(first for first, _, _ in job.request.pe.ranges) if job.request.pe is not None else 1
            requester = Requester(job.owner, job.group, self.run_job.project)
            known = Applicant(job.request, self.run_job.demand, requester, environment, slots, self.run_job.unclean)
            self._applicants[environment] = known
        return known

    def environment_at(self, number: int) -> str | None:
        """The parallel environment in which a queue instance is looked at: one that it offers, where there is one."""
        if not self.environments:
            return None
        offered = self.run.resources.instances[number].profile.pe_list
        return next((one.name for one in self.environments if one.name in offered), self.environments[0].name)

    def place(self, number: int, obstacle: Obstacle) -> str:
        """The name of the cluster queue, host or queue instance that an obstacle of a queue instance rules out."""
        instance = self.run.resources.instances[number]
        if obstacle.scope == QUEUE_SCOPE:
            return instance.queue
        return instance.host if obstacle.scope == HOST_SCOPE else instance.name

    def level(self, number: int, obstacle: Obstacle) -> Level:
        """The level of a queue instance on which an obstacle was found."""
        resources = self.run.resources
        if obstacle.scope == GLOBAL_SCOPE:
            return resources.global_level
        return resources.hosts[resources.host_of[number]] if obstacle.scope == HOST_SCOPE else resources.queues[number]

    def _of_global_host(self) -> Obstacle | None:
        level = self.run.resources.global_level
        environment = self.environments[0].name if self.environments else None
        refusal = self._rules.host(self.run.compiled.hosts[GLOBAL], level.loads, self.applicant(environment))
        self._best = self._fitting.at_best(level, GLOBAL_SCOPE, _NOWHERE)
        self._now = self._fitting.now(level, GLOBAL_SCOPE, _NOWHERE)
        if refusal is not None:
            return Obstacle.of_refusal(refusal, GLOBAL_SCOPE)
        return self._best.obstacle or self._now.obstacle

    def _all_instances(self) -> list[Obstacle | None]:
        hosts = [self._hosts[host] for host in self.run.resources.host_of]
        places = tuple(zip(map(id, hosts), self._kinds(), self._counted(), strict=True))
        found: dict[Hashable, Obstacle | None] = {}
        for number, place in enumerate(places):
            if place not in found:
                found[place] = self._look_at(number, hosts[number])
        return [found[place] for place in places]

    def _kinds(self) -> list[int]:
        """The same for queue instances with the same answers, those of their hosts and of quotas apart."""
        resources, causes = self.run.resources, self.run.availability.causes
        first: dict[Hashable, int] = {}
        kinds: dict[int, int] = {}
        for number in dict.fromkeys(self._alike.instances):
            likeness = self._fitting.likeness(resources.queues[number], id(resources.instances[number].profile))
            kinds[number] = first.setdefault((causes.get(number), likeness), number)
        return [kinds[number] for number in self._alike.instances]

    def _counted(self) -> Sorts:
        """The same for queue instances where the same quota rules count, and have counted as much."""
        names: list[str | None] = [*(one.name for one in self.environments)] or [None]
        of_environment = {name: self._alike.counted(self._party(name)) for name in names}
        if len(names) == 1:
            return of_environment[names[0]]
        numbers = range(len(self.run.resources.instances))
        return [of_environment[self.environment_at(number)][number] for number in numbers]

    def exceeded(self, number: int) -> tuple[Hit, ...]:
        """The quota rules that do not let the job into a queue instance."""
        if self.run_job.job.request.advance_reservation is not None:
            return ()
        checker = self._site.counter.checker
        return why(self.run.ledger, self._party(self.environment_at(number)), self.run_job.demand, number, checker)

    def _party(self, environment: str | None) -> Party:
        party = self._parties.get(environment)
        if party is None:
            job = self.run_job.job
            party = self._parties[environment] = Party(job.owner, job.group, self.run_job.project, environment)
        return party

    def _look_at(self, number: int, host: _Host) -> Obstacle | None:
        """What weighs most: the configuration, the state, what is in use."""
        instance = self.run.resources.instances[number]
        applicant = self.applicant(self.environment_at(number))
        refusal = self._rules.cluster_queue(self._site.queues[instance.queue], applicant)
        if refusal is not None:
            # That the whole cluster queue does not offer enough, its instance says with the amount.
            exact = self._fitting.at_best(self.run.resources.queues[number], INSTANCE_SCOPE, host.at_best).obstacle
            is_same = exact is not None and exact.attribute == refusal.attribute is not None
            return exact if is_same else Obstacle.of_refusal(refusal, QUEUE_SCOPE)
        if host.never is not None:
            return host.never
        refusal = self._rules.instance(instance, applicant)
        if refusal is not None:
            return Obstacle.of_refusal(refusal, INSTANCE_SCOPE)
        level = self.run.resources.queues[number]
        found = self._fitting.at_best(level, INSTANCE_SCOPE, host.at_best).obstacle
        if found is not None:
            return found
        cause = self.run.availability.causes.get(number)
        if cause is not None and cause[0] != messages.FULL:
            return self.in_state(number)
        exceeded = self.exceeded(number)
        if exceeded:
            return Obstacle.of_quota(exceeded[0])
        found = host.busy or self._fitting.now(level, INSTANCE_SCOPE, host.now).obstacle
        is_full = found is None or (found.scope == INSTANCE_SCOPE and found.attribute == SLOTS)
        return self.in_state(number) if is_full and cause is not None else found

    def in_state(self, number: int) -> Obstacle | None:
        """What was said of a queue instance when it was left out; None where it was not."""
        run = self.run
        cause = run.availability.causes.get(number)
        if cause is None:
            return None
        message, reasons = cause
        why = Why.BUSY if message == messages.FULL else Why.STATE
        closing = closing_of(run.compiled, number, run.availability.states[number], run.now)
        words = state_words(run, number) if message in _STANDING and closing is None else ""
        return Obstacle(why, INSTANCE_SCOPE, message, ("", *reasons), closing=closing, state=words)

    def _all_hosts(self) -> list[_Host]:
        resources, compiled = self.run.resources, self.run.compiled
        demand = self.run_job.demand
        forced = [one.name for one in compiled.attributes.forced]
        sorts = self._alike.hosts(demand.names.union(forced))
        called = hosts_as_called(demand, resources.host_names, compiled.groups, self.run_job.unclean)
        places: Sequence[Hashable] = sorts if called is None else tuple(zip(sorts, called, strict=True))
        looked_at: dict[Hashable, _Host] = {}
        found: dict[Hashable, _Host] = {}
        for number, place in enumerate(places):
            if place not in found:
                level = resources.hosts[number]
                access = compiled.hosts[level.name].access
                reported = tuple([name in level.loads for name in forced])
                likeness = self._fitting.likeness(level, id(level.configured))
                key = (None if access.is_open else access, called and called[number], reported, likeness)
                if key not in looked_at:
                    looked_at[key] = self._of_host(level)
                found[place] = looked_at[key]
        return [found[place] for place in places]

    def _of_host(self, level: Level) -> _Host:
        environment = self.environments[0].name if self.environments else None
        applicant = self.applicant(environment)
        refusal = self._rules.host_in_queue_list(level.name, applicant)
        refusal = refusal or self._rules.host(self.run.compiled.hosts[level.name], level.loads, applicant)
        if refusal is not None:
            return _Host(Obstacle.of_refusal(refusal, HOST_SCOPE))
        best = self._fitting.at_best(level, HOST_SCOPE, self._best.accepted)
        now = self._fitting.now(level, HOST_SCOPE, self._now.accepted)
        return _Host(best.obstacle, now.obstacle, best.accepted, now.accepted)


def _environments(run: Run, run_job: RunJob) -> tuple[Environment, ...]:
    request = run_job.job.request.pe
    return () if request is None else tuple(matching_environments(request.name, run.compiled.environments))
