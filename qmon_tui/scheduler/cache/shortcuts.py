"""All fast paths of one run together."""

from collections.abc import Sequence
from typing import NamedTuple

from qmon_tui.scheduler.cache.failed_visits import EquivalentHosts
from qmon_tui.scheduler.cache.parallel_fast_path import ParallelFastPath
from qmon_tui.scheduler.cache.reduced_check import FastChecker, FastSlotCounter
from qmon_tui.scheduler.cache.sequential_fast_path import SequentialFastPath, ShapeChecks
from qmon_tui.scheduler.matching import InstanceClasses, Resources, SlotCounter
from qmon_tui.scheduler.parallel import FailedVisitShortcuts, ParallelShortcuts
from qmon_tui.scheduler.placement import QueueOrder


class Shortcuts(NamedTuple):
    """Fast paths that may answer in place of the rules; with a counter alone the rules do everything."""

    counter: SlotCounter
    sequential: SequentialFastPath | None = None
    parallel: ParallelShortcuts | None = None
    failed_visits: FailedVisitShortcuts | None = None


class KnownChecks:
    """Reduced checks whose results depend only on the use of consumables.

    It holds for one run, and from run to run where the same resources are used in all of them, with the same loads and
    letters of queue instances.
    """

    def __init__(self, resources: Resources, checker: FastChecker, states: Sequence[str]) -> None:
        """`states` are the letters of the queue instances."""
        self.checker = checker
        self.classes = InstanceClasses(resources, states)
        self.sequential: dict[object, ShapeChecks] = {}
        """Key: base category and shape of the demand."""


def shortcuts_of_run(resources: Resources, known: KnownChecks, order: QueueOrder) -> Shortcuts:
    """Return all fast paths for one run."""
    checker, classes = known.checker, known.classes
    return Shortcuts(
        FastSlotCounter(checker, checker),
        SequentialFastPath(resources, checker, order, classes, known.sequential),
        ParallelFastPath(resources, checker, order, classes),
        EquivalentHosts(resources, order, classes, resources.compiled.rule_matcher),
    )
