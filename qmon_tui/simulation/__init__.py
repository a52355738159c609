"""Time: a cluster runs through a day, run after run, as a real one does; what comes of each task is recorded."""

from qmon_tui.simulation.load_model import LoadModel, LoadValue
from qmon_tui.simulation.measures import Distribution, measures
from qmon_tui.simulation.settings import HostFailure, Settings, TimedCommand
from qmon_tui.simulation.simulator import Simulator
from qmon_tui.simulation.task_record import TaskRecord

__all__ = [
    "Distribution",
    "HostFailure",
    "LoadModel",
    "LoadValue",
    "Settings",
    "Simulator",
    "TaskRecord",
    "TimedCommand",
    "measures",
]
