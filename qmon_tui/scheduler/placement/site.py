"""What all attempts of a run to place parallel jobs look at."""

from collections.abc import Mapping
from dataclasses import dataclass

from qmon_tui.scheduler.compiled.cluster import Compiled
from qmon_tui.scheduler.compiled.queues import ClusterQueue
from qmon_tui.scheduler.matching.room import Counter
from qmon_tui.scheduler.matching.static import StaticRules
from qmon_tui.scheduler.placement.order import QueueList
from qmon_tui.scheduler.resources import Resources


@dataclass(frozen=True, slots=True)
class Site:
    """The parts of one run."""

    compiled: Compiled
    resources: Resources
    rules: StaticRules
    counter: Counter
    order: QueueList
    queues: Mapping[str, ClusterQueue]
