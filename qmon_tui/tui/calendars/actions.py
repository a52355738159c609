"""What can be done in the panels of calendars."""

from qmon_tui.tui.keys.action import Action
from qmon_tui.tui.keys.action_context import Pane

WEEK_ACTIONS = (
    Action("week.edit", ("e",), "edit", "Edit this list; the picture follows what is typed", dangerous=True,
           footer=(Pane.FORM,)),
    Action("week.later", ("right_square_bracket",), "later", "Look a week further ahead", footer=(Pane.FORM,)),
    Action("week.earlier", ("left_square_bracket",), "earlier", "Look a week less far ahead", footer=(Pane.FORM,)),
)  # fmt: skip
