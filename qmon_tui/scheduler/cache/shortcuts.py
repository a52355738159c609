"""The caches of one run."""

from collections.abc import Sequence
from typing import NamedTuple

from qmon_tui.scheduler.cache.failed_visits import EquivalentHosts
from qmon_tui.scheduler.cache.parallel_fast_path import ParallelFastPath
from qmon_tui.scheduler.cache.reduced_check import FastChecker
from qmon_tui.scheduler.cache.sequential_fast_path import SequentialFastPath, ShapeChecks
from qmon_tui.scheduler.matching import InstanceClasses, Resources
from qmon_tui.scheduler.parallel import FailedVisitShortcuts, ParallelShortcuts
from qmon_tui.scheduler.placement import QueueOrder


class Shortcuts(NamedTuple):
    """Caches that may answer instead of the rules."""

    sequential: SequentialFastPath | None = None
    parallel: ParallelShortcuts | None = None
    failed_visits: FailedVisitShortcuts | None = None


class KnownChecks:
    """Reduced checks whose results depend only on the use of consumables.

    They stay valid from run to run while resources, load values and states of queue instances are the same.
    """

    def __init__(self, resources: Resources, checker: FastChecker, states: Sequence[str]) -> None:
        """`states` are qstat's states of the queue instances."""
        self.checker = checker
        self.classes = InstanceClasses(resources, states)
        self.sequential: dict[object, ShapeChecks] = {}
        """Key: base category and shape of the demand."""


def shortcuts_of_run(resources: Resources, known: KnownChecks, order: QueueOrder) -> Shortcuts:
    """Return all fast paths for one run."""
    checker, classes = known.checker, known.classes
    return Shortcuts(
        SequentialFastPath(resources, checker, order, classes, known.sequential),
        ParallelFastPath(resources, checker, order, classes),
        EquivalentHosts(resources, order, classes, resources.compiled.rule_matcher),
    )
