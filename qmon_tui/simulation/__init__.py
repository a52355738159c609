"""Time: a cluster runs through a day, run after run, as a real one does; what comes of each task is recorded."""

from qmon_tui.simulation.day_log import FeedEntry, FeedKind, Plan, Sample, Stretch, StretchEnd
from qmon_tui.simulation.load_model import LoadModel, LoadValue
from qmon_tui.simulation.measures import Distribution, measures
from qmon_tui.simulation.settings import HostFailure, Settings, TimedCommand
from qmon_tui.simulation.simulator import Simulator
from qmon_tui.simulation.task_record import TaskRecord
from qmon_tui.simulation.timeline import Moment, Place, Timeline

__all__ = [
    "Distribution",
    "FeedEntry",
    "FeedKind",
    "HostFailure",
    "LoadModel",
    "LoadValue",
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
]
