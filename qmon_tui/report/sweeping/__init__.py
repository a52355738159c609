"""Many policies on the screen: a row for each point that is tried, and a heat map of two fields."""

from qmon_tui.report.sweeping.heat_map import heat_map_lines as heat_map_lines
from qmon_tui.report.sweeping.points import (
    PointRows as PointRows,
    SweepHead as SweepHead,
    best_settings as best_settings,
    sweep_head_lines as sweep_head_lines,
)
from qmon_tui.report.sweeping.shades import shades_of as shades_of
