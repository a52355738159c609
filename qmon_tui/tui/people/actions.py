"""What can be done in the panels of users and projects."""

from qmon_tui.tui.keys.action import Action
from qmon_tui.tui.keys.action_context import Pane

USER_ACTIONS = (
    Action("standing.usage", ("asterisk",), "usage", "Give this user another past usage", dangerous=True,
           footer=(Pane.FORM,)),
)  # fmt: skip
PROJECT_ACTIONS = (
    Action("work.usage", ("asterisk",), "usage", "Give this project another past usage", dangerous=True,
           footer=(Pane.FORM,)),
)  # fmt: skip
