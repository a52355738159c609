"""How the tickets of one run were handed out: all that a number of theirs can be derived from."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from qmon_tui.scheduler.priority.share_tree_nodes import Node, TaskRef


@dataclass(frozen=True, slots=True)
class TreeGrant:
    """What a pending task has got from the share tree."""

    ref: TaskRef
    node: Node
    part: float
    """What the node gets among its siblings, 0 to 1."""
    ahead: int
    """By how many this is divided: one more than the slots of the tasks that come before it there."""


@dataclass(slots=True)
class TicketOrder:
    """The tasks that got tickets, and in which order policies have looked at them."""

    running: Sequence[TaskRef] = ()
    pending: Sequence[TaskRef] = ()
    functional: Sequence[TaskRef] = ()
    """The pending tasks that were picked for functional tickets, in their order; the others got what is left."""
    override: Sequence[TaskRef] = ()
    """The pending tasks in the order in which shared override tickets were handed out; empty where none are shared."""
    share_tree: list[TreeGrant] = field(default_factory=list)
