"""The order in which one run handed out tickets, from which each number can be derived."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from qmon_tui.scheduler.priority.share_tree_nodes import Node, TaskRef


@dataclass(frozen=True, slots=True)
class TreeGrant:
    """Share tree tickets of a pending task."""

    ref: TaskRef
    node: Node
    part: float
    """The node's fraction among its siblings."""
    ahead: int
    """The divisor: one more than the slots of the tasks before it on the node."""


@dataclass(slots=True)
class TicketOrder:
    """The tasks that got tickets, and the order in which the policies handled them."""

    running: Sequence[TaskRef] = ()
    pending: Sequence[TaskRef] = ()
    functional: Sequence[TaskRef] = ()
    """The pending tasks in the order of picking; the others got the last value of their group."""
    override: Sequence[TaskRef] = ()
    """The pending tasks in the order in which shared override tickets were handed out; empty if none are shared."""
    share_tree: list[TreeGrant] = field(default_factory=list)
