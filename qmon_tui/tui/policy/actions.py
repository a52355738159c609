"""Actions of the panels about policies."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_module
from qmon_tui.report import stepped
from qmon_tui.tui.keys import ActionSet, Pane

if TYPE_CHECKING:
    from qmon_tui.tui import dialogs
    from qmon_tui.tui.policy import prompts
    from qmon_tui.tui.policy.policy_panels import PolicyView, SharesView
else:
    dialogs = late_module("qmon_tui.tui.dialogs")
    prompts = late_module("qmon_tui.tui.policy.prompts")

_FORM = (Pane.FORM,)

POLICY_ACTIONS: "ActionSet[PolicyView]" = ActionSet("policy")


def _heading(view: "PolicyView") -> str | None:
    return "This is a heading or a sum: choose a value." if view.field is None else None


def _no_step(view: "PolicyView") -> str | None:
    return _heading(view) or ("This is not a number: e edits it." if stepped(view.value, 1) is None else None)


@POLICY_ACTIONS.action("edit", "e", label="edit", text="Edit the value", refused=_heading, dangerous=True, footer=_FORM)
def _edit(view: "PolicyView") -> None:
    if view.field is not None:
        prompts.ask_value(view, view.field)


@POLICY_ACTIONS.raise_and_lower("this value a little: the schedule follows", _no_step, _FORM)
def _step(view: "PolicyView", by: int) -> None:
    text = stepped(view.value, by)
    if view.field is not None and text is not None:
        view.give(view.field, text, typing=True)


SHARES_ACTIONS: "ActionSet[SharesView]" = ActionSet("shares")


def _sum(view: "SharesView") -> str | None:
    """Sums follow from what everybody has."""
    return "This is the sum: choose a row below it." if view.holder is None else None


@SHARES_ACTIONS.action(
    "edit", "e", label="edit", text="Edit the functional shares", refused=_sum, dangerous=True, footer=_FORM
)
def _edit_shares(view: "SharesView") -> None:
    if view.holder is not None:
        prompts.ask_shares(view, view.holder, "fshare")


@SHARES_ACTIONS.raise_and_lower("the functional shares", _sum, _FORM)
def _step_shares(view: "SharesView", by: int) -> None:
    holder = view.holder
    text = stepped(str(holder.fshare), by) if holder is not None else None
    if holder is not None and text is not None:
        view.give(holder, "fshare", text, typing=True)


@SHARES_ACTIONS.action(
    "override",
    "ctrl+o",
    label="override",
    text="Edit the override tickets",
    refused=_sum,
    dangerous=True,
    footer=_FORM,
)
def _override(view: "SharesView") -> None:
    if view.holder is not None:
        prompts.ask_shares(view, view.holder, "oticket")


def _no_tickets(view: "SharesView") -> str | None:
    place = view.place
    if view.holder is None:
        return _sum(view)
    if place is None:
        return "The override tickets of a job end with it."
    return dialogs.NO_TICKETS if place.found_in(view.workspace.cluster) is None else None


@SHARES_ACTIONS.action(
    "except", "Y", label="except", text="Give the override tickets an end date and a reason",
    refused=_no_tickets, dangerous=True, footer=_FORM,
)  # fmt: skip
def _end_tickets(view: "SharesView") -> None:
    if view.place is not None:
        dialogs.ask_exception(view, view.place)
