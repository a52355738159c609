"""Simulation of a cluster over a day, scheduling run by scheduling run, with a record of each task."""

from qmon_tui.simulation.assumed_run_times import with_run_times as with_run_times
from qmon_tui.simulation.calibration import (
    Assumption as Assumption,
    Calibration as Calibration,
    GroupError as GroupError,
    NothingToCompare as NothingToCompare,
    calibrated as calibrated,
)
from qmon_tui.simulation.comparison import (
    MOST_POLICIES as MOST_POLICIES,
    Compared as Compared,
    Comparison as Comparison,
    Policy as Policy,
    PolicyDelta as PolicyDelta,
    TaskChange as TaskChange,
    compared as compared,
)
from qmon_tui.simulation.confidence import Interval as Interval, over_seeds as over_seeds
from qmon_tui.simulation.day_ahead import (
    DayAhead as DayAhead,
    DayAheadSummary as DayAheadSummary,
    look_ahead as look_ahead,
    summary_of_days as summary_of_days,
)
from qmon_tui.simulation.day_log import (
    LIMIT as LIMIT,
    FeedEntry as FeedEntry,
    FeedKind as FeedKind,
    Plan as Plan,
    Sample as Sample,
    SlotInterval as SlotInterval,
    SlotIntervalEnd as SlotIntervalEnd,
)
from qmon_tui.simulation.divergence import (
    Divergence as Divergence,
    TaskInRun as TaskInRun,
    TaskReason as TaskReason,
    runs_of_start as runs_of_start,
)
from qmon_tui.simulation.expected_start import expected_start as expected_start
from qmon_tui.simulation.forecast import Band as Band
from qmon_tui.simulation.measure_kinds import (
    MAIN_MEASURES as MAIN_MEASURES,
    Unit as Unit,
    is_better as is_better,
    measure_title as measure_title,
    unit_of as unit_of,
)
from qmon_tui.simulation.measures import (
    measures as measures,
    recorded_wait as recorded_wait,
)
from qmon_tui.simulation.policy_edits import (
    EditError as EditError,
    PolicyEdit as PolicyEdit,
    Subject as Subject,
    apply_edits as apply_edits,
    read_edit as read_edit,
)
from qmon_tui.simulation.resumption import CannotResume as CannotResume, resumed as resumed, stopped as stopped
from qmon_tui.simulation.scenario import (
    Day as Day,
    Scenario as Scenario,
    end_of_day as end_of_day,
    measures_of as measures_of,
    planned_length as planned_length,
)
from qmon_tui.simulation.settings import (
    Settings as Settings,
)
from qmon_tui.simulation.simulator import Simulator as Simulator
from qmon_tui.simulation.sweep import (
    Axis as Axis,
    Measured as Measured,
    Setting as Setting,
    drawn as drawn,
    grid as grid,
    least_difference_of as least_difference_of,
    measured as measured,
    pareto as pareto,
    point_of as point_of,
    read_axis as read_axis,
    searched as searched,
)
from qmon_tui.simulation.sweep_goal import Goal as Goal, measure_named as measure_named, read_goal as read_goal
from qmon_tui.simulation.sweep_results import NoResults as NoResults, SweepResults as SweepResults
from qmon_tui.simulation.task_record import TaskRecord as TaskRecord
from qmon_tui.simulation.timeline import Moment as Moment, Place as Place, Timeline as Timeline
from qmon_tui.simulation.work_pool import (
    DaskUnusable as DaskUnusable,
    WorkersDied as WorkersDied,
    computed as computed,
    computed_all as computed_all,
    computed_by_dask as computed_by_dask,
    usual_processes as usual_processes,
)
