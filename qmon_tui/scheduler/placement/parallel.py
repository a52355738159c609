"""Where a parallel job fits: its parallel environment, the number of slots and the queue instances (dispatch.md 8)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from qmon_tui.model.state import PeRequest
from qmon_tui.scheduler import messages
from qmon_tui.scheduler.compiled.environments import Environment, matching_environments
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.matching.access import Requester
from qmon_tui.scheduler.matching.room import FITS, LATER, NEVER, NOT_MASTER, NOT_NOW_MASTER, Say
from qmon_tui.scheduler.matching.static import Applicant
from qmon_tui.scheduler.placement.algorithm import RangeSearch
from qmon_tui.scheduler.placement.basket import Basket
from qmon_tui.scheduler.placement.errand import Errand
from qmon_tui.scheduler.placement.harvest import Harvest
from qmon_tui.scheduler.placement.host_list import HostList, Key
from qmon_tui.scheduler.placement.memory import NOTHING, Memory, Snapshot
from qmon_tui.scheduler.placement.offers import Offers
from qmon_tui.scheduler.placement.parallel_lanes import ParallelLane, ParallelLanes
from qmon_tui.scheduler.placement.site import Site
from qmon_tui.scheduler.placement.twins import Twins
from qmon_tui.scheduler.quotas.ledger import Ledger, party_of
from qmon_tui.scheduler.quotas.purse import Means, Purse
from qmon_tui.scheduler.quotas.territory import Party
from qmon_tui.scheduler.resources import Grants

Violations = Callable[[int, Applicant], int]


@dataclass(frozen=True, slots=True)
class Assignment:
    """What a parallel job gets."""

    environment: str
    slots: int
    grants: tuple[tuple[int, int], ...]
    """(queue instance, slots), the master queue first."""
    violations: int = 0
    adjusts: bool = True
    """The search for the number of slots had not forgotten job_load_adjustments; see `Attempt.adjusts`."""


@dataclass(frozen=True, slots=True)
class Before:
    """What a search can change without placing anything."""

    memories: Mapping[str, Snapshot]
    scores: Mapping[str, int]
    unsorted: Sequence[int] | None
    """The list of queue instances, where the search may sort it."""


class ParallelSearch:
    """The search of one run."""

    def __init__(
        self,
        site: Site,
        environments: Mapping[str, Environment],
        violations: Violations,
        algorithm: str,
        hosts: HostList,
        ledger: Ledger | None = None,
        lanes: ParallelLanes | None = None,
        twins: Twins | None = None,
    ) -> None:
        self.site = site
        self.lanes = lanes
        self.twins = twins
        self.environments = environments
        self.violations = violations
        self.ranges = RangeSearch(algorithm)
        self.result = NEVER
        """Whether the last job was found to fit now, later or never."""
        self.asks_for_later = False
        """It matters for the job whether it could start some time; see `Harvest.later`."""
        self.later_rooms: dict[int, int] | None = None
        """See `Harvest.later_rooms`; None where nobody ever asks."""
        self.uses_memory = True
        """The category's memory is for starts only."""
        self.tells_all = False
        """Every attempt says something, not only the first of a search: so it is in a verification."""
        self.has_looked = False
        """Hosts were looked at since somebody has set this back."""
        self.ledger = ledger
        self._means: dict[tuple[int, Party], Means | None] = {}
        self._masters: dict[int, int] = {}
        self.adjusts = True
        """See `Assignment.adjusts`, of the last job."""
        self.hosts = hosts
        self.silent_attempts: dict[Key, Offers] = {}
        """Those for the last job that have not put `hosts` into their order."""

    def left_over(self) -> set[int]:
        """Queue instances that the last job found in exclusive use.

        Their mark is the same as that of a queue instance in alarm, and is taken for it after the next start.
        """
        if not self._masters:
            return set()
        marked = {number for number, master in self._masters.items() if master == NOT_NOW_MASTER}
        for number in marked:
            self._masters[number] = NOT_MASTER
        return marked

    def before(self, run_job: RunJob) -> Before:
        """What `reasons` needs to know of the moment before the search."""
        memories = run_job.category.memories
        return Before(
            {name: memory.snapshot() for name, memory in memories.items()},
            dict(self.ranges.scores),
            None if self.site.order.is_sorted and not run_job.demand.is_soft else list(self.site.order),
        )

    def find(self, run_job: RunJob) -> Assignment | None:
        """The best assignment for the job's next task; None where there is none."""
        self.silent_attempts.clear()
        found = self.search(run_job, None)
        if found is not None:
            self.site.order.must_sort = run_job.demand.is_soft
            for key, offers in self.silent_attempts.items():
                self.hosts.note_attempt(key, offers)
        return found

    def reasons(self, run_job: RunJob, before: Before) -> list[str]:
        """All that a search says that has found nothing; it is made once more, from where it began."""
        for name, memory in run_job.category.memories.items():
            memory.restore(before.memories.get(name, NOTHING))
        self.ranges.scores = dict(before.scores)
        if run_job.demand.is_soft and before.unsorted is not None:
            self.site.order.leave(before.unsorted)
        said: list[str] = []
        self.hosts.catch_up()
        self.search(run_job, said.append, before.unsorted)
        return said

    def errand(
        self,
        run_job: RunJob,
        environment: Environment,
        slots: int,
        say: Say | None = None,
        *,
        learns: bool = True,
        adjusts: bool = True,
        asks_for_later: bool = False,
    ) -> Errand:
        """What an attempt goes by."""
        category = run_job.category
        applicant = self.applicant(run_job, environment.name, slots)
        return Errand(
            site=self.site,
            applicant=applicant,
            environment=environment,
            rule=environment.per_host(slots),
            memory=category.memories.setdefault(environment.name, Memory()),
            remembers=category.jobs > 1 and self.uses_memory,
            masters=self._masters,
            soft=(lambda number: self.violations(number, applicant)) if run_job.demand.is_soft else None,
            purse=self._purse(run_job, environment.name, asks_for_later),
            say=say,
            learns=learns,
            adjusts=adjusts,
        )

    def _purse(self, run_job: RunJob, environment: str, asks_for_later: bool) -> Purse | None:
        """The quotas of one attempt; None where none is for the job."""
        party = party_of(run_job, environment) if self.ledger is not None else None
        if self.ledger is None or party is None:
            return None
        key = (id(run_job.demand), party)
        if key not in self._means:
            account = self.ledger.account(party)
            self._means[key] = Means(account, run_job.demand, self.site.counter) if account.is_limited else None
        means = self._means[key]
        return None if means is None else Purse(means, asks_for_later)

    def search(self, run_job: RunJob, say: Say | None, unsorted: Sequence[int] | None = None) -> Assignment | None:
        """The best assignment, with what is said on the way to it."""
        request = run_job.job.request.pe
        assert request is not None
        self._masters = {}
        self.result = NEVER
        best: Assignment | None = None
        environments = self.candidates(request)
        for environment in environments:
            adjusts = best is None or best.adjusts
            attempt = Attempt(self, run_job, environment, request, say, unsorted, adjusts=adjusts)
            found = attempt.highest(0 if best is None else best.slots)
            unsorted = attempt.unsorted
            self.result = min(self.result, attempt.result)
            if found is None:
                if say is not None:
                    say(messages.message(messages.PE_SLOTS, environment.name, str(attempt.offered % 2**32)))
            elif best is None or found.slots > best.slots or found.violations < best.violations:
                best = found
        if not environments and say is not None:
            say(messages.message(messages.NO_PE))
        self.adjusts = best is None or best.adjusts
        return best

    def candidates(self, request: PeRequest) -> list[Environment]:
        """The parallel environments that a job may run in, in the order in which they are tried."""
        return list(matching_environments(request.name, self.environments))

    def applicant(self, run_job: RunJob, environment: str, slots: int) -> Applicant:
        """A job as the static checks see it."""
        job = run_job.job
        requester = Requester(job.owner, job.group, run_job.project)
        return Applicant(job.request, run_job.demand, requester, environment, slots, run_job.unclean)

    def is_barred(self, run_job: RunJob, environment: Environment) -> bool:
        """Tell whether the lists of a parallel environment keep a job's owner out."""
        job = run_job.job
        return not environment.access.permits(job.owner, job.group, self.site.compiled.usersets)

    def speak(self) -> None:
        """The numbers of slots have been tried: what comes next is said, whatever it was before."""

    def slots_of(self, environment: Environment) -> tuple[int, int]:
        """The free slots of a parallel environment, now and in the end."""
        used = self.site.resources.environment_slots.get(environment.name, 0)
        return environment.slots - used, environment.slots


@dataclass(slots=True)
class Attempt:
    """A job in one parallel environment."""

    search: ParallelSearch
    run_job: RunJob
    environment: Environment
    request: PeRequest
    say: Say | None
    unsorted: Sequence[int] | None
    """Set until the first attempt has looked at the cluster queues."""
    offered: int = 0
    result: int = NEVER
    adjusts: bool = True
    """8.1.9 forgets job_load_adjustments once a number of slots can be had: then they limit no host any more."""
    asks_for_later: bool = True
    """8.1.9 stops asking as soon as one number of slots can be had later, so that for the next it cannot tell."""

    def highest(self, least: int) -> Assignment | None:
        """The assignment with the most slots, `least` or more."""
        memory = self.run_job.category.memories.setdefault(self.environment.name, Memory())
        first = min(one[0] for one in self.request.ranges)
        lowest = least or first
        highest = min(max(one[1] for one in self.request.ranges), self.environment.slots)
        if highest < lowest or lowest <= 0:
            return None
        if not memory.counts:
            memory.counts = self._counts(lowest, highest)
        if not memory.counts:
            return None
        attempt = self.attempt
        quick = self._quick(memory.counts[-1]) if memory.counts[0] > 1 else None
        if quick is not None:
            # Then the fast path knows the same of all the others, which start with the same hosts.
            attempt = partial(self._quickly, memory.counts[-1], quick)
        found = self.search.ranges.highest(memory.counts, attempt)
        self.search.speak()
        if found is not None:
            self.result = FITS
        return found

    def _counts(self, lowest: int, highest: int) -> Sequence[int]:
        ranges = self.request.ranges
        per_host = self.environment.per_host
        if len(ranges) == 1 and ranges[0][2] == 1 and not self.environment.rule[:1].isdigit():
            return range(lowest, highest + 1) if per_host(highest) else ()
        wanted = {number for first, last, step in ranges for number in range(first, min(last, highest) + 1, step)}
        return [number for number in sorted(wanted) if number >= lowest and per_host(number)]

    def attempt(self, slots: int, is_first: bool) -> Assignment | None:
        """The assignment for one number of slots; as a rule only the first of a search says anything."""
        say = self.say if is_first or self.search.tells_all else None
        environment, run_job = self.environment, self.run_job
        self.offered = 0
        self.result = NEVER
        if self.search.is_barred(run_job, environment):
            if say is not None:
                say(messages.message(messages.NO_PE_ACCESS, environment.name))
            return None
        free, free_later = self.search.slots_of(environment)
        if slots > free:
            self.offered = min(free, free_later)
            if slots <= free_later:
                self.result = LATER
            elif say is not None:
                say(messages.message(messages.PE_SLOTS, environment.name, str(free_later % 2**32)))
            return None
        quick = self._quick(slots)
        if quick is not None:
            return self._quickly(slots, quick)
        asks_for_later = self.search.asks_for_later and self.asks_for_later
        errand = self.search.errand(
            run_job,
            environment,
            slots,
            say,
            learns=is_first,
            adjusts=self.adjusts,
            asks_for_later=asks_for_later,
        )
        rooms = self.search.later_rooms
        later = Basket(errand, rooms) if rooms is not None and asks_for_later else None
        is_told = self.say is not None
        losses = self.search.twins.losses(errand) if self.search.twins is not None else None
        if losses is not None:
            errand = losses.errand
        harvest = Harvest(errand, self.search.hosts if is_told else None, self.unsorted, later, rooms, losses)
        succeeds = harvest.succeeds()
        self.result = harvest.result
        self.asks_for_later = harvest.later is not None
        self.offered = harvest.offered
        if harvest.has_looked:
            self.unsorted = None
            self.search.has_looked = True
            if not is_told:
                self.search.silent_attempts[id(run_job.category), environment.name] = harvest.offers
        if not succeeds:
            return None
        adjusts, self.adjusts = self.adjusts, False
        basket = harvest.basket
        grants = tuple((number, basket.granted[number]) for number in basket.sequence)
        lane = self._lane()
        if lane is not None and self.search.lanes is not None:
            self.search.lanes.learn(lane, errand.memory, grants)
        return Assignment(environment.name, slots, grants, basket.violations, adjusts)

    def _lane(self) -> ParallelLane | None:
        """The fast path, where nothing is said, and nothing counts but what is free now."""
        search = self.search
        if search.lanes is None or self.say is not None or search.ledger is not None or search.later_rooms is not None:
            return None
        # Of soft requests only -l is part of the category.
        is_soft = self.run_job.demand.is_soft
        return None if is_soft else search.lanes.lane(self.run_job.category, self.environment)

    def _quick(self, slots: int) -> Grants | None:
        """What the fast path finds for a number of slots; None where the rule has to be asked."""
        search, run_job, environment = self.search, self.run_job, self.environment
        lane = self._lane()
        if lane is None or search.lanes is None or slots > search.slots_of(environment)[0]:
            return None
        if search.is_barred(run_job, environment):
            return None
        return search.lanes.find(lane, run_job.category.memories[environment.name], slots, self.adjusts)

    def _quickly(self, slots: int, grants: Grants, *_: object) -> Assignment:
        """The assignment that the fast path has found."""
        search, name = self.search, self.environment.name
        self.result, self.offered, self.asks_for_later = FITS, slots, False
        self.unsorted = None
        search.has_looked = True
        key = (id(self.run_job.category), name)
        if key not in search.silent_attempts:
            search.silent_attempts[key] = Offers(search.errand(self.run_job, self.environment, slots))
        adjusts, self.adjusts = self.adjusts, False
        return Assignment(name, slots, tuple(grants), 0, adjusts)
