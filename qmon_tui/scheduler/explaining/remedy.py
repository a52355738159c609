"""A way out of one obstacle, and how small a change it is."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

from qmon_tui.scheduler.explaining.edits import Edited

MOST_STEPS = 64


class Reach(IntEnum):
    """Whom a change concerns; the fewer, the smaller it is. A change of what a job is for comes late."""

    JOB = 0
    PLACE = 1
    """One host or queue instance."""
    GROUP = 2
    """A cluster queue, a parallel environment, a user set, a quota."""
    CLUSTER = 3
    """Everybody."""
    PURPOSE = 4
    """Only the job, but it gives something up that it asked for."""
    OTHERS = 5
    """Jobs that run have to end."""


@dataclass(frozen=True, slots=True)
class Remedy:
    """One change. An amount is changed by steps: the fewest that do are looked for."""

    kind: str
    """Changes of one kind are offered once, the smallest of them."""
    reach: Reach
    size: float
    """How much of what is there is changed, about 0 to 1."""
    edit: Callable[[Edited, int], Edited]
    """The world with the change, in so many steps."""
    steps: int = 1
    """How far it can be taken."""
    least: int = 1
    """In fewer steps it changes nothing for the task."""
