"""Scheduling runs of Grid Engine 8.1.9, pure: configuration, state and jobs in, decisions out.

The rooms inside are packages with faces of their own, each named after what the manual pages call it.
"""

from qmon_tui.scheduler.gc_pause import calm_collector, gc_paused
from qmon_tui.scheduler.prepared_jobs import PreparedJobs, can_be_prepared, without_numbers
from qmon_tui.scheduler.same_decisions import other_totals
from qmon_tui.scheduler.scheduling_run import RunUntil, SchedulingRun
from qmon_tui.scheduler.session import SchedulerSession, session_of
from qmon_tui.scheduler.standing_run import standing_run

__all__ = [
    "PreparedJobs",
    "RunUntil",
    "SchedulerSession",
    "SchedulingRun",
    "calm_collector",
    "can_be_prepared",
    "gc_paused",
    "other_totals",
    "session_of",
    "standing_run",
    "without_numbers",
]
