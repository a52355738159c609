"""A simulated day on the screen: its time, its feed, and who runs where."""

from qmon_tui.tui.present.day.clock import FASTEST, SPEEDS, Clock, clock_line, speed_words
from qmon_tui.tui.present.day.feed import FeedRows, feed_words
from qmon_tui.tui.present.day.gantt import LEGEND, GanttContent, GanttRows, GanttWindow, following, gantt_content
from qmon_tui.tui.present.day.times import clock_at, day_clock, lasting, parse_day_time

__all__ = [
    "FASTEST",
    "LEGEND",
    "SPEEDS",
    "Clock",
    "FeedRows",
    "GanttContent",
    "GanttRows",
    "GanttWindow",
    "clock_at",
    "clock_line",
    "day_clock",
    "feed_words",
    "following",
    "gantt_content",
    "lasting",
    "parse_day_time",
    "speed_words",
]
