"""What can be done in the panels about policies."""

from qmon_tui.tui.keys.action import Action
from qmon_tui.tui.keys.action_context import Pane

_FORM = (Pane.FORM,)

POLICY_ACTIONS = (
    Action("policy.edit", ("e",), "edit", "Type another value", dangerous=True, footer=_FORM),
    Action("policy.more", ("plus",), "more", "Raise this value a little: the schedule follows", dangerous=True,
           footer=_FORM),
    Action("policy.less", ("minus",), "less", "Lower this value a little: the schedule follows", dangerous=True,
           footer=_FORM),
)  # fmt: skip

SHARES_ACTIONS = (
    Action("shares.edit", ("e",), "edit", "Type other functional shares", dangerous=True, footer=_FORM),
    Action("shares.more", ("plus",), "more", "Give more functional shares", dangerous=True, footer=_FORM),
    Action("shares.less", ("minus",), "less", "Give fewer functional shares", dangerous=True, footer=_FORM),
    Action("shares.override", ("ctrl+o",), "override", "Type other override tickets", dangerous=True, footer=_FORM),
)  # fmt: skip
