"""Priorities of jobs: urgency, tickets, POSIX priority."""

from qmon_tui.scheduler.priority.formulas import (
    FORMULAS as FORMULAS,
    GRID_ENGINE as GRID_ENGINE,
    Formulas as Formulas,
    Scale as Scale,
)
from qmon_tui.scheduler.priority.functional_tickets import (
    TENTATIVE as TENTATIVE,
    Parts as Parts,
    functional_keys as functional_keys,
    pending_weights as pending_weights,
    sums_of_running as sums_of_running,
)
from qmon_tui.scheduler.priority.past_usage import (
    collected as collected,
    decayed_usage as decayed_usage,
    set_usage as set_usage,
)
from qmon_tui.scheduler.priority.priority import TicketlessPriority as TicketlessPriority, WeightedSum as WeightedSum
from qmon_tui.scheduler.priority.share_tree_nodes import (
    Node as Node,
    NodeScope as NodeScope,
    ShareTree as ShareTree,
    TaskRef as TaskRef,
    TicketOrder as TicketOrder,
    TreeGrant as TreeGrant,
)
from qmon_tui.scheduler.priority.share_tree_targets import (
    NodeStatus as NodeStatus,
    RunShareTree as RunShareTree,
    share_tree_of as share_tree_of,
)
from qmon_tui.scheduler.priority.ticket_calculation import (
    tickets_per_job as tickets_per_job,
    work_out_tickets as work_out_tickets,
)
from qmon_tui.scheduler.priority.urgency import (
    normalise_urgency as normalise_urgency,
    requirement_contribution as requirement_contribution,
    waiting_time as waiting_time,
    work_out_urgency as work_out_urgency,
)
