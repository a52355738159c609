"""Scheduling runs of Grid Engine 8.1.9, pure: configuration, state and jobs in, decisions out.

The rooms inside are packages with faces of their own, each named after what the manual pages call it.
"""

from qmon_tui.scheduler.prepared_jobs import (
    PreparedJobs as PreparedJobs,
    can_be_prepared as can_be_prepared,
    without_numbers as without_numbers,
)
from qmon_tui.scheduler.same_decisions import other_totals as other_totals
from qmon_tui.scheduler.scheduling_run import RunUntil as RunUntil, SchedulingRun as SchedulingRun
from qmon_tui.scheduler.session import SchedulerSession as SchedulerSession, session_of as session_of
from qmon_tui.scheduler.standing_run import standing_run as standing_run
