"""What stands still and why: subordination, calendars, suspend thresholds, states of queue instances."""

from qmon_tui.scheduler.suspension.availability import Availability
from qmon_tui.scheduler.suspension.known_suspensions import KnownSuspensions, SuspensionsAtStart
from qmon_tui.scheduler.suspension.orphans import Orphans, compile_with_orphans, orphans_of
from qmon_tui.scheduler.suspension.queue_states import (
    CONFIGURED,
    LEFT_OUT,
    ORPHANED,
    STOPPED,
    UNREACHABLE,
    closing_of,
    in_order,
    left_out,
    queue_states,
    queue_states_with,
    stopped_queues,
    subordinated,
    used_slots,
)
from qmon_tui.scheduler.suspension.queuewise_suspension import newly_reached, reached
from qmon_tui.scheduler.suspension.slotwise_suspension import SlotwisePreemption, StartedTask, enter_task
from qmon_tui.scheduler.suspension.state_letters import (
    OVER_THRESHOLD,
    SUBORDINATED,
    with_hold,
    with_letters,
    without_letters,
)
from qmon_tui.scheduler.suspension.suspend_thresholds import ThresholdSuspensions, apply_suspend_thresholds

__all__ = [
    "CONFIGURED",
    "LEFT_OUT",
    "ORPHANED",
    "OVER_THRESHOLD",
    "STOPPED",
    "SUBORDINATED",
    "UNREACHABLE",
    "Availability",
    "KnownSuspensions",
    "Orphans",
    "SlotwisePreemption",
    "StartedTask",
    "SuspensionsAtStart",
    "ThresholdSuspensions",
    "apply_suspend_thresholds",
    "closing_of",
    "compile_with_orphans",
    "enter_task",
    "in_order",
    "left_out",
    "newly_reached",
    "orphans_of",
    "queue_states",
    "queue_states_with",
    "reached",
    "stopped_queues",
    "subordinated",
    "used_slots",
    "with_hold",
    "with_letters",
    "without_letters",
]
