"""Who may answer in place of the search for the slots of a parallel job; `cache` makes them, the rules do without."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from qmon_tui.scheduler.configuration import ParallelEnvironment
from qmon_tui.scheduler.jobs import Category, PeCache
from qmon_tui.scheduler.matching import Grants
from qmon_tui.scheduler.parallel.collected_slots import GrantedSlots
from qmon_tui.scheduler.parallel.pe_attempt import PeAttempt


class FailedVisit(NamedTuple):
    """A visit of a host that came to nothing."""

    is_full: bool
    """Whatever quotas leave, the host has no room."""
    stays_so: bool
    """It will come to nothing again until something changes on the host."""
    is_too_small: bool
    """It would with nothing in use, too."""


class HostShortcut(Protocol):
    """For one attempt: what a host has room for."""

    def free_slots(
        self, host: int, members: Sequence[int], granted_slots: GrantedSlots
    ) -> tuple[int, int, bool] | None:
        """As `SlotCollection._free_slots`; None where that is not certain."""


class PeCategoryShortcut(Protocol):
    """What is known of the jobs of one category in one parallel environment."""

    def find(self, pe_cache: PeCache, slots: int, adjusts: bool) -> Grants | None:
        """What the search would grant; None where that is not certain."""

    def learn(self, pe_cache: PeCache, grants: Grants) -> None:
        """Take note of what the search has granted."""

    def host_visit(self, pe_attempt: PeAttempt) -> HostShortcut:
        """The visits of hosts in one attempt that says nothing and asks for nothing but what is free now."""


class ParallelShortcuts(Protocol):
    """What is known in one run."""

    def of_category(self, category: Category, environment: ParallelEnvironment) -> PeCategoryShortcut | None:
        """For jobs without soft requests; None where they tell apart what is alike otherwise."""

    def forget(self) -> None:
        """The run is over, and nobody asks any more."""


class KnownFailedVisits(Protocol):
    """The visits of one attempt that came to nothing, as long as it stands as it did then."""

    @property
    def pe_attempt(self) -> PeAttempt:
        """What the attempt has to go by."""

    @property
    def known(self) -> dict[int, FailedVisit]:
        """By class of host."""

    def like(self, host: int) -> FailedVisit | None:
        """What a visit comes to; None where that is not known."""

    def learn(self, host: int, failed_visit: FailedVisit | None, collected: int) -> None:
        """Take note of a visit."""


class FailedVisitShortcuts(Protocol):
    """Which hosts are alike in one run."""

    def failed_visits(self, pe_attempt: PeAttempt) -> KnownFailedVisits | None:
        """For one attempt; None where something is asked for in which hosts differ that are alike otherwise."""
