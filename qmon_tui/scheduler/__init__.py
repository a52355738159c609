"""Scheduling runs of Grid Engine 8.1.9, pure: configuration, state and jobs in, decisions out.

The subpackages are layers, each with a public API and named after the manual pages' term.
"""

from qmon_tui.scheduler.scheduling_run import (
    RunBeforeDispatch as RunBeforeDispatch,
    RunUntil as RunUntil,
    SchedulingRun as SchedulingRun,
    in_order as in_order,
    urgencies_of as urgencies_of,
)
from qmon_tui.scheduler.session import SchedulerSession as SchedulerSession, session_of as session_of
