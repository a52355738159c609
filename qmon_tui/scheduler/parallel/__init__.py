"""Where a parallel job fits: environments, slot ranges, the slots of one host after the other."""

from qmon_tui.scheduler.parallel.available_slots import AvailableSlots
from qmon_tui.scheduler.parallel.collected_slots import GrantedSlots
from qmon_tui.scheduler.parallel.host_list import HostList
from qmon_tui.scheduler.parallel.parallel_search import ParallelSearch, Violations
from qmon_tui.scheduler.parallel.pe_attempt import PeAttempt, SearchContext
from qmon_tui.scheduler.parallel.pe_range_alg import RangeSearch
from qmon_tui.scheduler.parallel.pe_search import Assignment, PeSearch
from qmon_tui.scheduler.parallel.shortcuts import FailedVisit, FailedVisitShortcuts, ParallelShortcuts
from qmon_tui.scheduler.parallel.slot_collection import SlotCollection

__all__ = [
    "Assignment",
    "AvailableSlots",
    "FailedVisit",
    "FailedVisitShortcuts",
    "GrantedSlots",
    "HostList",
    "ParallelSearch",
    "ParallelShortcuts",
    "PeAttempt",
    "PeSearch",
    "RangeSearch",
    "SearchContext",
    "SlotCollection",
    "Violations",
]
