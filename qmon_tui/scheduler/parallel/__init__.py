"""Placement of parallel jobs: PEs, slot ranges, and the slots of one host after the other."""

from qmon_tui.scheduler.parallel.available_slots import AvailableSlots as AvailableSlots
from qmon_tui.scheduler.parallel.collected_slots import GrantedSlots as GrantedSlots
from qmon_tui.scheduler.parallel.failed_visits import EquivalentHosts as EquivalentHosts
from qmon_tui.scheduler.parallel.host_list import HostList as HostList
from qmon_tui.scheduler.parallel.parallel_fast_path import ParallelFastPath as ParallelFastPath
from qmon_tui.scheduler.parallel.parallel_search import ParallelSearch as ParallelSearch, Violations as Violations
from qmon_tui.scheduler.parallel.pe_attempt import PeAttempt as PeAttempt, SearchContext as SearchContext
from qmon_tui.scheduler.parallel.pe_range_alg import RangeSearch as RangeSearch
from qmon_tui.scheduler.parallel.pe_search import Assignment as Assignment, PeSearch as PeSearch
from qmon_tui.scheduler.parallel.slot_collection import SlotCollection as SlotCollection
