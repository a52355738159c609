"""Time: a cluster runs through a day, run after run, as a real one does; what comes of each task is recorded."""

from qmon_tui.simulation.assumed_run_times import with_run_times
from qmon_tui.simulation.calibration import (
    Assumption,
    Calibration,
    GroupError,
    NothingToCompare,
    calibrated,
)
from qmon_tui.simulation.comparison import MOST_POLICIES, Against, Compared, Comparison, Policy, TaskChange, compared
from qmon_tui.simulation.confidence import Interval, interval
from qmon_tui.simulation.day_log import LIMIT, FeedEntry, FeedKind, Plan, Sample, Stretch, StretchEnd
from qmon_tui.simulation.forecast import Band, Forecast
from qmon_tui.simulation.measure_kinds import MAIN_MEASURES, Unit, is_better, measure_title, unit_of
from qmon_tui.simulation.measures import Distribution, measures, recorded_wait
from qmon_tui.simulation.measures_charts import MAIN_CHARTS
from qmon_tui.simulation.outlook import DayAhead, Outlook, look_ahead, outlook
from qmon_tui.simulation.parting import Parting, Standing, TaskReason, runs_of_start
from qmon_tui.simulation.policy_edits import EditError, PolicyEdit, Subject, apply_edits, edit_of, read_edit
from qmon_tui.simulation.resumption import CannotResume, resumed, stopped
from qmon_tui.simulation.scenario import Day, Scenario, end_of_day, flat, measures_of, planned_length, simulated
from qmon_tui.simulation.seeds import over_seeds
from qmon_tui.simulation.settings import Settings, TimedCommand, plan_findings
from qmon_tui.simulation.simulator import Simulator
from qmon_tui.simulation.sweep import (
    Axis,
    Measured,
    Setting,
    SweepPoint,
    drawn,
    grid,
    measured,
    pareto,
    point_of,
    read_axis,
    searched,
)
from qmon_tui.simulation.sweep_dask import DaskUnusable, computed_by_dask
from qmon_tui.simulation.sweep_goal import Goal, measure_named, read_goal
from qmon_tui.simulation.sweep_results import NoResults, SweepResults
from qmon_tui.simulation.task_record import TaskRecord
from qmon_tui.simulation.timeline import Moment, Place, Timeline
from qmon_tui.simulation.work_pool import WorkersDied, computed, computed_all, usual_processes

__all__ = [
    "LIMIT",
    "MAIN_CHARTS",
    "MAIN_MEASURES",
    "MOST_POLICIES",
    "Against",
    "Assumption",
    "Axis",
    "Band",
    "Calibration",
    "CannotResume",
    "Compared",
    "Comparison",
    "DaskUnusable",
    "Day",
    "DayAhead",
    "Distribution",
    "EditError",
    "FeedEntry",
    "FeedKind",
    "Forecast",
    "Goal",
    "GroupError",
    "Interval",
    "Measured",
    "Moment",
    "NoResults",
    "NothingToCompare",
    "Outlook",
    "Parting",
    "Place",
    "Plan",
    "Policy",
    "PolicyEdit",
    "Sample",
    "Scenario",
    "Setting",
    "Settings",
    "Simulator",
    "Standing",
    "Stretch",
    "StretchEnd",
    "Subject",
    "SweepPoint",
    "SweepResults",
    "TaskChange",
    "TaskReason",
    "TaskRecord",
    "TimedCommand",
    "Timeline",
    "Unit",
    "WorkersDied",
    "apply_edits",
    "calibrated",
    "compared",
    "computed",
    "computed_all",
    "computed_by_dask",
    "drawn",
    "edit_of",
    "end_of_day",
    "flat",
    "grid",
    "interval",
    "is_better",
    "look_ahead",
    "measure_named",
    "measure_title",
    "measured",
    "measures",
    "measures_of",
    "outlook",
    "over_seeds",
    "pareto",
    "plan_findings",
    "planned_length",
    "point_of",
    "read_axis",
    "read_edit",
    "read_goal",
    "recorded_wait",
    "resumed",
    "runs_of_start",
    "searched",
    "simulated",
    "stopped",
    "unit_of",
    "usual_processes",
    "with_run_times",
]
