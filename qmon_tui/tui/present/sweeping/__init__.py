"""Many policies on the screen: a row for each point that is tried, and a heat map of two fields."""

from qmon_tui.tui.present.sweeping.heat_map import heat_map_lines
from qmon_tui.tui.present.sweeping.points import PointRows, SweepHead, Tried, best_settings, sweep_head_lines

__all__ = ["PointRows", "SweepHead", "Tried", "best_settings", "heat_map_lines", "sweep_head_lines"]
