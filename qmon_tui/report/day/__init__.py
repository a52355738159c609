"""A simulated day on the screen: clock, feed, Gantt chart, charts, shares and alarms."""

from qmon_tui.report.day.alarms import (
    Alarm as Alarm,
    AlarmRows as AlarmRows,
    alarm_lines as alarm_lines,
    alarms_of as alarms_of,
    waiting_tasks as waiting_tasks,
)
from qmon_tui.report.day.charts import Chart as Chart, chart_lines as chart_lines, heat_lines as heat_lines
from qmon_tui.report.day.clock import (
    FASTEST as FASTEST,
    SPEEDS as SPEEDS,
    Clock as Clock,
    clock_at as clock_at,
    clock_line as clock_line,
    lasting as lasting,
    parse_day_time as parse_day_time,
)
from qmon_tui.report.day.day_ahead import BRANCHED as BRANCHED, UNSAVED as UNSAVED, day_ahead_line as day_ahead_line
from qmon_tui.report.day.feed import FeedRows as FeedRows, chosen_line as chosen_line, feed_words as feed_words
from qmon_tui.report.day.gantt import (
    LEGEND as LEGEND,
    GanttContent as GanttContent,
    GanttRows as GanttRows,
    GanttWindow as GanttWindow,
    following as following,
    gantt_content as gantt_content,
)
from qmon_tui.report.day.shares import ShareRow as ShareRow, share_groups as share_groups, share_lines as share_lines
from qmon_tui.report.day.svg import landscape as landscape, svg_of as svg_of
