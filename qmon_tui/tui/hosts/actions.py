"""What can be done in the panel about the values of a host."""

from qmon_tui.tui.keys.action import Action
from qmon_tui.tui.keys.action_context import Pane

_FORM = (Pane.FORM,)

VALUES_ACTIONS = (
    Action("values.edit", ("e",), "edit", "Type another reported value: the schedule follows", dangerous=True,
           footer=_FORM),
    Action("values.add", ("a",), "add", "Let the host report one more attribute", dangerous=True, footer=_FORM),
    Action("values.delete", ("d", "delete"), "delete", "Let the host no longer report this attribute", dangerous=True,
           footer=_FORM),
    Action("values.more", ("plus",), "more", "Raise the reported value a little", dangerous=True, footer=_FORM),
    Action("values.less", ("minus",), "less", "Lower the reported value a little", dangerous=True, footer=_FORM),
)  # fmt: skip
