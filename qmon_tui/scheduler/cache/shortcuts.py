"""All fast paths of one run together."""

from collections.abc import Sequence
from typing import NamedTuple

from qmon_tui.scheduler.cache.failed_visits import EquivalentHosts
from qmon_tui.scheduler.cache.parallel_fast_path import ParallelFastPath
from qmon_tui.scheduler.cache.reduced_check import FastChecker, FastSlotCounter
from qmon_tui.scheduler.cache.sequential_fast_path import SequentialFastPath
from qmon_tui.scheduler.matching import InstanceClasses, Resources, SlotCounter
from qmon_tui.scheduler.parallel import FailedVisitShortcuts, ParallelShortcuts
from qmon_tui.scheduler.placement import QueueOrder, SequentialShortcuts


class Shortcuts(NamedTuple):
    """What may answer in place of the rules; where there is nothing but a counter, the rules do everything."""

    counter: SlotCounter
    sequential: SequentialShortcuts | None = None
    parallel: ParallelShortcuts | None = None
    failed_visits: FailedVisitShortcuts | None = None


def shortcuts_of_run(resources: Resources, checker: FastChecker, order: QueueOrder, states: Sequence[str]) -> Shortcuts:
    """All that there are; `states` are the letters of the queue instances."""
    classes = InstanceClasses(resources, states)
    return Shortcuts(
        FastSlotCounter(checker, checker),
        SequentialFastPath(resources, checker, order, classes),
        ParallelFastPath(resources, checker, order, classes),
        EquivalentHosts(resources, order, classes, resources.compiled.rule_matcher),
    )
