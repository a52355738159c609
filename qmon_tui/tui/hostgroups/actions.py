"""What can be done in the panels of hostgroups."""

from qmon_tui.tui.keys.action import Action
from qmon_tui.tui.keys.action_context import Pane

RESOLVED_ACTIONS = (
    Action("resolved.group", ("p",), "group", "Go to the group that lists this host itself", footer=(Pane.FORM,)),
)
