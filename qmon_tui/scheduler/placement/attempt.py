"""A parallel job in one parallel environment: how many slots it gets there, and where (dispatch.md 8)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from qmon_tui.model.state import PeRequest
from qmon_tui.scheduler import messages
from qmon_tui.scheduler.compiled.environments import Environment
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.matching.room import FITS, LATER, NEVER, Say
from qmon_tui.scheduler.placement.basket import Basket
from qmon_tui.scheduler.placement.harvest import Harvest
from qmon_tui.scheduler.placement.offers import Offers
from qmon_tui.scheduler.quick.glance import Glance
from qmon_tui.scheduler.quick.parallel_lanes import ParallelLane
from qmon_tui.scheduler.resources import Grants

if TYPE_CHECKING:
    from qmon_tui.scheduler.placement.parallel import ParallelSearch


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


@dataclass(slots=True)
class Attempt:
    """A job in one parallel environment."""

    search: "ParallelSearch"
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
        memory = self.search.memory(self.run_job, self.environment)
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
        if environment.slots == 0:
            if say is not None:
                say(messages.message(messages.NO_SLOTS_IN_PE, environment.name))
            return None
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
        # For a single slot cluster queues are ruled out that may take part in more.
        is_plain = say is None and rooms is None and slots > 1 and not errand.applicant.unclean
        lane = self._lane() if is_plain else None
        glance = Glance(errand, self.search.lanes, lane) if lane is not None and self.search.lanes is not None else None
        # Where nothing is said and nothing reserved, nobody asks for the order of the hosts before the next job.
        host_list = self.search.hosts if is_told or rooms is not None else None
        harvest = Harvest(errand, host_list, self.unsorted, later, rooms, losses, glance)
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
        if lane is not None and self.search.lanes is not None:
            self.search.lanes.learn(lane, errand.memory, grants)
        return Assignment(environment.name, slots, grants, basket.violations, adjusts)

    def _lane(self) -> ParallelLane | None:
        """What is known of the category; None where it asks for what tells apart what is alike otherwise."""
        search = self.search
        if search.lanes is None:
            return None
        # Of soft requests only -l is part of the category.
        is_soft = self.run_job.demand.is_soft
        return None if is_soft else search.lanes.lane(self.run_job.category, self.environment)

    def _quick(self, slots: int) -> Grants | None:
        """What the fast path finds for a number of slots; None where the rule has to be asked."""
        search, run_job, environment = self.search, self.run_job, self.environment
        if self.say is not None or search.ledger is not None or search.later_rooms is not None:
            return None
        lane = self._lane()
        if lane is None or search.lanes is None or slots > search.slots_of(environment)[0]:
            return None
        if search.is_barred(run_job, environment):
            return None
        return search.lanes.find(lane, search.memory(run_job, environment), slots, self.adjusts)

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
