"""A simulated day on the screen: its time, its feed, and who runs where."""

from qmon_tui.tui.present.day.alarms import Alarm, AlarmRows, alarm_lines, alarms_of
from qmon_tui.tui.present.day.charts import chart_lines, heat_lines, resampled, spark
from qmon_tui.tui.present.day.chosen import chosen_line
from qmon_tui.tui.present.day.clock import FASTEST, SPEEDS, Clock, clock_line, speed_words
from qmon_tui.tui.present.day.feed import FeedRows, feed_words
from qmon_tui.tui.present.day.gantt import LEGEND, GanttContent, GanttRows, GanttWindow, following, gantt_content
from qmon_tui.tui.present.day.outlook import BRANCHED, UNSAVED, outlook_line
from qmon_tui.tui.present.day.shares import ShareRow, share_groups, share_lines, target_bar
from qmon_tui.tui.present.day.svg import svg_of
from qmon_tui.tui.present.day.tabs import Chart, tab_at, tab_line
from qmon_tui.tui.present.day.times import clock_at, lasting, parse_day_time

__all__ = [
    "BRANCHED",
    "FASTEST",
    "LEGEND",
    "SPEEDS",
    "UNSAVED",
    "Alarm",
    "AlarmRows",
    "Chart",
    "Clock",
    "FeedRows",
    "GanttContent",
    "GanttRows",
    "GanttWindow",
    "ShareRow",
    "alarm_lines",
    "alarms_of",
    "chart_lines",
    "chosen_line",
    "clock_at",
    "clock_line",
    "feed_words",
    "following",
    "gantt_content",
    "heat_lines",
    "lasting",
    "outlook_line",
    "parse_day_time",
    "resampled",
    "share_groups",
    "share_lines",
    "spark",
    "speed_words",
    "svg_of",
    "tab_at",
    "tab_line",
    "target_bar",
]
