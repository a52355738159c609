"""Panels of a calendar: the coming week as a picture, and the next changes."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.tui.calendars.actions import WEEK_ACTIONS as WEEK_ACTIONS
    from qmon_tui.tui.calendars.week_panel import WeekView as WeekView
else:
    __getattr__ = late_names(__name__, __file__)
