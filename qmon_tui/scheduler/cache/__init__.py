"""Caches: results for one place are reused for equivalent places.

Each module caches a rule stated in another package. It returns no result if the rule might give another; then the rule
is applied. `tests/plain` compares both.
 reduced_check          matching.checker              one demand against all levels with equal values
 sequential_fast_path   placement.sequential_search   the search for one slot
 parallel_fast_path     parallel.slot_collection      the search for slots of a parallel job
 failed_visits          SlotCollection._visit         hosts that give no slots
"""

from qmon_tui.scheduler.cache.reduced_check import FastChecker as FastChecker
from qmon_tui.scheduler.cache.shortcuts import (
    KnownChecks as KnownChecks,
    Shortcuts as Shortcuts,
    shortcuts_of_run as shortcuts_of_run,
)
