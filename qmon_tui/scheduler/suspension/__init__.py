"""Suspension: subordination, calendars, suspend thresholds, states of queue instances."""

from qmon_tui.scheduler.suspension.availability import Availability as Availability
from qmon_tui.scheduler.suspension.known_suspensions import (
    KnownSuspensions as KnownSuspensions,
    SuspensionsAtStart as SuspensionsAtStart,
)
from qmon_tui.scheduler.suspension.orphans import (
    Orphans as Orphans,
    compile_with_orphans as compile_with_orphans,
    orphans_of as orphans_of,
)
from qmon_tui.scheduler.suspension.queue_states import (
    CONFIGURED as CONFIGURED,
    LEFT_OUT as LEFT_OUT,
    ORPHANED as ORPHANED,
    STOPPED as STOPPED,
    UNREACHABLE as UNREACHABLE,
    closing_of as closing_of,
    in_order as in_order,
    left_out as left_out,
    queue_states as queue_states,
    queue_states_with as queue_states_with,
    stopped_queues as stopped_queues,
    subordinated as subordinated,
    used_slots as used_slots,
)
from qmon_tui.scheduler.suspension.queuewise_suspension import newly_reached as newly_reached, reached as reached
from qmon_tui.scheduler.suspension.slotwise_suspension import (
    SlotwisePreemption as SlotwisePreemption,
    StartedTask as StartedTask,
    enter_task as enter_task,
)
from qmon_tui.scheduler.suspension.state_letters import (
    OVER_THRESHOLD as OVER_THRESHOLD,
    SUBORDINATED as SUBORDINATED,
    with_hold as with_hold,
    with_letters as with_letters,
    without_letters as without_letters,
)
from qmon_tui.scheduler.suspension.suspend_thresholds import (
    ThresholdSuspensions as ThresholdSuspensions,
    apply_suspend_thresholds as apply_suspend_thresholds,
)
