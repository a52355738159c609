"""Actions of the panels of calendars."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_module
from qmon_tui.tui.keys import ActionSet, Pane

if TYPE_CHECKING:
    from qmon_tui.tui.calendars import calendar_dialog
    from qmon_tui.tui.calendars.week_panel import WeekView
else:
    calendar_dialog = late_module("qmon_tui.tui.calendars.calendar_dialog")

_FORM = (Pane.FORM,)

WEEK_ACTIONS: "ActionSet[WeekView]" = ActionSet("week")


@WEEK_ACTIONS.action(
    "edit", "e", label="edit", text="Edit this list; the week shown follows as you type", dangerous=True, footer=_FORM
)
def _edit(view: "WeekView") -> None:
    calendar_dialog.ask_list(view)


@WEEK_ACTIONS.action("later", "right_square_bracket", label="later", text="Show the week after", footer=_FORM)
def _later(view: "WeekView") -> None:
    view.look(1)


def _today(view: "WeekView") -> str | None:
    """One looks ahead, not back."""
    return None if view.weeks else "This is the first week: it begins today."


@WEEK_ACTIONS.action(
    "earlier", "left_square_bracket", label="earlier", text="Show the week before", refused=_today, footer=_FORM
)
def _earlier(view: "WeekView") -> None:
    view.look(-1)
