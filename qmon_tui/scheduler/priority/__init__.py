"""From policies to the order of jobs: urgency, tickets, POSIX priority."""

from qmon_tui.scheduler.priority.formulas import FORMULAS, GRID_ENGINE, Formulas
from qmon_tui.scheduler.priority.functional_tickets import (
    TENTATIVE,
    Parts,
    functional_keys,
    pending_weights,
    sums_of_running,
)
from qmon_tui.scheduler.priority.normalisation import Scale
from qmon_tui.scheduler.priority.past_usage import (
    Booking,
    LeftOver,
    bookings_of,
    collected,
    decayed_usage,
    faded,
    set_usage,
    with_booking,
)
from qmon_tui.scheduler.priority.priority import TicketlessPriority, WeightedSum
from qmon_tui.scheduler.priority.share_tree_nodes import Node, NodeScope, ShareTree, TaskRef
from qmon_tui.scheduler.priority.share_tree_targets import NodeStatus, RunShareTree, share_tree_of
from qmon_tui.scheduler.priority.ticket_calculation import tickets_per_job, work_out_tickets
from qmon_tui.scheduler.priority.ticket_order import TicketOrder, TreeGrant
from qmon_tui.scheduler.priority.urgency import (
    normalise_urgency,
    requirement_contribution,
    waiting_time,
    work_out_urgency,
)

__all__ = [
    "FORMULAS",
    "GRID_ENGINE",
    "TENTATIVE",
    "Booking",
    "Formulas",
    "LeftOver",
    "Node",
    "NodeScope",
    "NodeStatus",
    "Parts",
    "RunShareTree",
    "Scale",
    "ShareTree",
    "TaskRef",
    "TicketOrder",
    "TicketlessPriority",
    "TreeGrant",
    "WeightedSum",
    "bookings_of",
    "collected",
    "decayed_usage",
    "faded",
    "functional_keys",
    "normalise_urgency",
    "pending_weights",
    "requirement_contribution",
    "set_usage",
    "share_tree_of",
    "sums_of_running",
    "tickets_per_job",
    "waiting_time",
    "with_booking",
    "work_out_tickets",
    "work_out_urgency",
]
