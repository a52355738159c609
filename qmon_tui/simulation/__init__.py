"""Time: a cluster runs through a day, run after run, as a real one does; what comes of each task is recorded."""

from qmon_tui.simulation.assumed_run_times import with_run_times
from qmon_tui.simulation.day_log import LIMIT, FeedEntry, FeedKind, Plan, Sample, Stretch, StretchEnd
from qmon_tui.simulation.measures import Distribution, measures
from qmon_tui.simulation.settings import Settings, TimedCommand, unread_commands
from qmon_tui.simulation.simulator import Simulator
from qmon_tui.simulation.task_record import TaskRecord
from qmon_tui.simulation.timeline import Moment, Place, Timeline

__all__ = [
    "LIMIT",
    "Distribution",
    "FeedEntry",
    "FeedKind",
    "Moment",
    "Place",
    "Plan",
    "Sample",
    "Settings",
    "Simulator",
    "Stretch",
    "StretchEnd",
    "TaskRecord",
    "TimedCommand",
    "Timeline",
    "measures",
    "unread_commands",
    "with_run_times",
]
