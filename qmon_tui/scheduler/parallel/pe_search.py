"""The search in one PE: the number of slots and the queue instances (parallel.md#one-attempt)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from qmon_tui.model import PeRequest, messages
from qmon_tui.scheduler.configuration import ParallelEnvironment
from qmon_tui.scheduler.jobs import RunJob
from qmon_tui.scheduler.matching import FITS, LATER, NEVER, Grants, Say
from qmon_tui.scheduler.parallel.available_slots import AvailableSlots
from qmon_tui.scheduler.parallel.collected_slots import CollectedSlots
from qmon_tui.scheduler.parallel.parallel_fast_path import PeCategoryChecks
from qmon_tui.scheduler.parallel.slot_collection import SlotCollection

if TYPE_CHECKING:
    from qmon_tui.scheduler.parallel.parallel_search import ParallelSearch


@dataclass(frozen=True, slots=True)
class Assignment:
    """The PE, slots and queue instances of a parallel job."""

    environment: str
    slots: int
    grants: tuple[tuple[int, int], ...]
    """(queue instance, slots), the master queue first."""
    violations: int = 0
    adjusts: bool = True
    """True if load thresholds were checked with job_load_adjustments; see `PeSearch.adjusts`."""


@dataclass(slots=True)
class PeSearch:
    """The search for one job in one PE."""

    search: "ParallelSearch"
    run_job: RunJob
    environment: ParallelEnvironment
    request: PeRequest
    say: Say | None
    unsorted: Sequence[int] | None
    """The order of queue instances before the first attempt; None once an attempt has visited hosts."""
    offered: int = 0
    result: int = NEVER
    violations: int = 0
    """Initial count of violations for a job without soft requests: that of the best assignment so far."""
    adjusts: bool = True
    """False once a slot number fits: 8.1.9 then drops job_load_adjustments, so load thresholds limit no host."""
    asks_for_later: bool = True
    """False once a slot number fits later: 8.1.9 does not check the next numbers for a later start."""

    def highest(self, least: int) -> Assignment | None:
        """Return the assignment with the most slots, `least` or more; None if none fits."""
        pe_cache = self.search.pe_cache(self.run_job, self.environment)
        first = min(bounds[0] for bounds in self.request.ranges)
        lowest = least or first
        highest = min(max(bounds[1] for bounds in self.request.ranges), self.environment.slots)
        if highest < lowest or lowest <= 0:
            return None
        if not pe_cache.counts:
            pe_cache.counts = self._counts(lowest, highest)
        if not pe_cache.counts:
            return None
        attempt: Callable[[int, bool], Assignment | None] = self.attempt
        quick = self._quick(pe_cache.counts[-1]) if pe_cache.counts[0] > 1 else None
        if quick is not None:
            # The highest number fits, and so do all lower ones, which start with the same hosts.
            attempt = self._quickly(pe_cache.counts[-1], quick)
        assignment = self.search.ranges.highest(pe_cache.counts, attempt)
        self.search.end_silence()
        if assignment is not None:
            self.result = FITS
        return assignment

    def _counts(self, lowest: int, highest: int) -> Sequence[int]:
        ranges = self.request.ranges
        per_host = self.environment.per_host
        if len(ranges) == 1 and ranges[0][2] == 1 and not self.environment.rule[:1].isdigit():
            return range(lowest, highest + 1) if per_host(highest) else ()
        wanted = {number for first, last, step in ranges for number in range(first, min(last, highest) + 1, step)}
        return [number for number in sorted(wanted) if number >= lowest and per_host(number)]

    def attempt(self, slots: int, is_first: bool) -> Assignment | None:
        """Return the assignment for a number of slots; None if it does not fit. Only the first attempt reports."""
        say = self.say if is_first or self.search.reports_all else None
        environment, run_job = self.environment, self.run_job
        self.offered = 0
        self.result = NEVER
        if environment.slots == 0:
            if say is not None:
                say(messages.message(messages.NO_SLOTS_IN_PE, environment.name))
            return None
        if self.search.lacks_pe_access(run_job, environment):
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
            return self._quickly(slots, quick)(slots, is_first)
        asks_for_later = self.search.asks_for_later and self.asks_for_later
        pe_attempt = self.search.pe_attempt(
            run_job,
            environment,
            slots,
            say,
            learns=is_first,
            adjusts=self.adjusts,
            asks_for_later=asks_for_later,
        )
        later_slots = self.search.later_slots
        later = CollectedSlots(pe_attempt, later_slots) if later_slots is not None and asks_for_later else None
        has_messages = self.say is not None
        failed_visits = (
            self.search.failed_visits.failed_visits(pe_attempt)
            if self.search.failed_visits is not None and not self._gives_back_violations
            else None
        )
        if failed_visits is not None:
            pe_attempt = failed_visits.pe_attempt
        # A single slot is left out: its check of cluster queues rules out more.
        is_plain = say is None and later_slots is None and slots > 1 and not pe_attempt.placement_request.unclean
        category_checks = self._category_checks() if is_plain else None
        host_shortcut = self.search.timed_visits(pe_attempt)
        # Without messages and reservations, the order of hosts is not read before the next job.
        host_list = self.search.hosts if has_messages or later_slots is not None else None
        slot_collection = SlotCollection(
            pe_attempt, host_list, self.unsorted, later, later_slots, failed_visits, host_shortcut
        )
        slot_collection.granted_slots.violations = self.violations
        succeeds = slot_collection.succeeds()
        if pe_attempt.soft is None:
            self.violations = slot_collection.granted_slots.violations
        self.result = slot_collection.result
        self.asks_for_later = slot_collection.later is not None
        self.offered = slot_collection.offered
        if slot_collection.has_visited_hosts:
            self.unsorted = None
            self.search.has_visited_hosts = True
            if not has_messages:
                self.search.silent_attempts[id(run_job.category), environment.name] = slot_collection.available_slots
        if not succeeds:
            return None
        adjusts, self.adjusts = self.adjusts, False
        granted_slots = slot_collection.granted_slots
        grants = tuple((number, granted_slots.granted[number]) for number in granted_slots.sequence)
        if self.search.shortcuts is not None and category_checks is not None:
            self.search.shortcuts.learn(category_checks, pe_attempt.pe_cache, grants)
        return Assignment(environment.name, slots, grants, granted_slots.violations, adjusts)

    def _category_checks(self) -> PeCategoryChecks | None:
        """Return the category's cache for this PE; None if results cannot be shared by equivalent queue instances."""
        shortcuts = self.search.shortcuts
        if shortcuts is None:
            return None
        # Soft -q requests are not part of the category.
        is_soft = self.run_job.demand.is_soft
        return (
            None
            if is_soft or self._gives_back_violations
            else shortcuts.of_category(self.run_job.category, self.environment)
        )

    @property
    def _gives_back_violations(self) -> bool:
        """True if returning slots changes the count of violations (`GrantedSlots.violations`)."""
        return any(self.search.context.resources.left_violations.values())

    def _quick(self, slots: int) -> Grants | None:
        """Return the cached grants for a number of slots; None if unknown."""
        search, run_job, environment = self.search, self.run_job, self.environment
        if self.say is not None or search.quota_usage is not None or search.later_slots is not None:
            return None
        category_checks = self._category_checks()
        if search.shortcuts is None or category_checks is None or slots > search.slots_of(environment)[0]:
            return None
        if search.lacks_pe_access(run_job, environment):
            return None
        return search.shortcuts.find(category_checks, search.pe_cache(run_job, environment), slots, self.adjusts)

    def _quickly(self, slots: int, grants: Grants) -> Callable[[int, bool], Assignment]:
        """Return an attempt function that always returns the cached grants, with `adjusts` only the first time."""
        search, name = self.search, self.environment.name
        self.result, self.offered, self.asks_for_later = FITS, slots, False
        self.unsorted = None
        search.has_visited_hosts = True
        key = (id(self.run_job.category), name)
        if key not in search.silent_attempts:
            search.silent_attempts[key] = AvailableSlots(search.pe_attempt(self.run_job, self.environment, slots))
        first = later = Assignment(name, slots, tuple(grants), 0, self.adjusts)
        if self.adjusts:
            later = Assignment(name, slots, first.grants, 0, adjusts=False)
            self.adjusts = False
        attempts = iter((first,))
        return lambda *_: next(attempts, later)
