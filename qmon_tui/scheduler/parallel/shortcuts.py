"""Interfaces of caches that may answer instead of the search for parallel jobs; `cache` implements them."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from qmon_tui.scheduler.configuration import ParallelEnvironment
from qmon_tui.scheduler.jobs import Category, PeCache
from qmon_tui.scheduler.matching import Grants
from qmon_tui.scheduler.parallel.collected_slots import GrantedSlots
from qmon_tui.scheduler.parallel.pe_attempt import PeAttempt


class FailedVisit(NamedTuple):
    """A visit of a host that gave nothing."""

    is_full: bool
    """True if the host lacks resources, regardless of quotas."""
    stays_so: bool
    """True if a visit fails again until the host changes."""
    is_too_small: bool
    """True if it would fail with nothing in use, too."""


class HostShortcut(Protocol):
    """The slots of hosts, for one attempt."""

    def free_slots(
        self, host: int, members: Sequence[int], granted_slots: GrantedSlots
    ) -> tuple[int, int, bool] | None:
        """Return the result of `SlotCollection._free_slots`; None if uncertain."""


class PeCategoryShortcut(Protocol):
    """Cached results for one category in one PE."""

    def find(self, pe_cache: PeCache, slots: int, adjusts: bool) -> Grants | None:
        """Return the grants of the search; None if uncertain."""

    def learn(self, pe_cache: PeCache, grants: Grants) -> None:
        """Cache the grants of a search."""


class ParallelShortcuts(Protocol):
    """Caches for parallel jobs in one run."""

    def of_category(self, category: Category, environment: ParallelEnvironment) -> PeCategoryShortcut | None:
        """Return the cache for jobs without soft requests; None if the category allows no equivalence classes."""

    def forget(self) -> None:
        """Drop the caches at the end of the run."""


class KnownFailedVisits(Protocol):
    """Failed host visits of one attempt, by host class; cleared when the attempt collects slots."""

    @property
    def pe_attempt(self) -> PeAttempt: ...

    @property
    def known(self) -> dict[int, FailedVisit]:
        """Host class -> failed visit."""

    def like(self, host: int) -> FailedVisit | None:
        """Return the known result of a visit; None if unknown."""

    def learn(self, host: int, failed_visit: FailedVisit | None, collected: int) -> None:
        """Record a visit."""


class FailedVisitShortcuts(Protocol):
    """The classes of equivalent hosts in one run."""

    def failed_visits(self, pe_attempt: PeAttempt) -> KnownFailedVisits | None:
        """Return the failed visits for an attempt; None if its requests distinguish hosts of a class."""
