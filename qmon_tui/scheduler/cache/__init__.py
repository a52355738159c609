"""The fast paths: what is known of places that are alike is not found out again.

Each module stands beside a rule that is stated elsewhere in full, and knows no answer wherever it is not certain that
the rule would come to the same; then the rule is asked. `tests/plain` compares both.

    reduced_check          matching.checker              one demand against all levels with equal values
    sequential_fast_path   placement.sequential_search   the search for one slot
    parallel_fast_path     parallel.slot_collection      the search for the slots of a parallel job, the visit of a host
    failed_visits          SlotCollection._visit         visits that come to nothing
"""

from qmon_tui.scheduler.cache.reduced_check import FastChecker as FastChecker
from qmon_tui.scheduler.cache.shortcuts import (
    KnownChecks as KnownChecks,
    Shortcuts as Shortcuts,
    shortcuts_of_run as shortcuts_of_run,
)
