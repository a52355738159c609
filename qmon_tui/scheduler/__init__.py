"""One scheduling run of Grid Engine 8.1.9, pure: configuration, state and jobs in, decisions out.

The rooms inside are packages with faces of their own, each named after what the manual pages call it.
"""

from qmon_tui.scheduler.gc_pause import gc_paused
from qmon_tui.scheduler.scheduling_run import RunUntil, SchedulingRun, run_scheduler

__all__ = ["RunUntil", "SchedulingRun", "gc_paused", "run_scheduler"]
