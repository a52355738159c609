"""Actions of the panels of objects, except for quota sets and the share tree."""

from typing import TYPE_CHECKING

from qmon_tui.model import Kind
from qmon_tui.report import stepped
from qmon_tui.tui import sharetree
from qmon_tui.tui.keys import ActionSet, Pane
from qmon_tui.tui.object_panels import host_panels, policy_panels, user_and_project_panels, week_panel

if TYPE_CHECKING:
    from qmon_tui.tui.object_panels.host_panels import ResolvedView, ValuesView
    from qmon_tui.tui.object_panels.offers_panel import OffersView
    from qmon_tui.tui.object_panels.policy_panels import PolicyView, SharesView
    from qmon_tui.tui.object_panels.user_and_project_panels import MembersView, SharesSummaryView
    from qmon_tui.tui.object_panels.week_panel import WeekView

_FORM = (Pane.FORM,)
_NO_TICKETS = "There are no override tickets that could end: set oticket first."

OFFERS_ACTIONS: "ActionSet[OffersView]" = ActionSet("offers")
RESOLVED_ACTIONS: "ActionSet[ResolvedView]" = ActionSet("resolved")
USER_ACTIONS: "ActionSet[SharesSummaryView]" = ActionSet("standing")
PROJECT_ACTIONS: "ActionSet[SharesSummaryView]" = ActionSet("work")
MEMBERS_ACTIONS: "ActionSet[MembersView]" = ActionSet("members")


def _nothing_offered(view: "OffersView") -> str | None:
    return None if any(offer.text is not None for offer in view.targets) else "It is not offered there."


@OFFERS_ACTIONS.action(
    "edit",
    "e",
    text="Offer this attribute there or in all marked places, or change the amount",
    dangerous=True,
    footer=_FORM,
)
def _edit(view: "OffersView") -> None:
    view.ask()


@OFFERS_ACTIONS.action(
    "delete",
    "d",
    "delete",
    text="No longer offer it there or in the marked places",
    refused=_nothing_offered,
    dangerous=True,
    footer=_FORM,
)
def _delete(view: "OffersView") -> None:
    view.delete()


def _listed_here(view: "ResolvedView") -> str | None:
    """Return a sentence if the shown group itself lists the host, else None."""
    return None if view.other_group is not None else "This group lists the host itself."


@RESOLVED_ACTIONS.action(
    "group",
    "I",
    text="Go to the group that lists this host itself",
    refused=_listed_here,
    footer=_FORM,
)
def _go_to_group(view: "ResolvedView") -> None:
    if view.other_group is not None:
        view.jump(Kind.HOSTGROUP, view.other_group)


@USER_ACTIONS.action("usage", "asterisk", text="Change the past usage of this user", dangerous=True, footer=_FORM)
@PROJECT_ACTIONS.action("usage", "asterisk", text="Change the past usage of this project", dangerous=True, footer=_FORM)
def _usage(view: "SharesSummaryView") -> None:
    if view.usage_owner is not None:
        sharetree.ask_usage(view, view.workspace, view.usage_owner)


def _no_member(view: "MembersView") -> str | None:
    return "This list has no member." if view.place is None else None


@MEMBERS_ACTIONS.action(
    "except", "Y", text="Give this member an end date and a reason, which Attention recalls",
    refused=_no_member, dangerous=True, footer=_FORM,
)  # fmt: skip
def _end_member(view: "MembersView") -> None:
    if view.place is not None:
        user_and_project_panels.ask_exception(view, view.place)


def _no_tickets(view: "SharesSummaryView") -> str | None:
    place = view.place
    return _NO_TICKETS if place is None or place.found_in(view.workspace.cluster) is None else None


@USER_ACTIONS.action(
    "except", "Y", text="Give the override tickets of this user an end date and a reason",
    refused=_no_tickets, dangerous=True, footer=_FORM,
)  # fmt: skip
@PROJECT_ACTIONS.action(
    "except", "Y", text="Give the override tickets of this project an end date and a reason",
    refused=_no_tickets, dangerous=True, footer=_FORM,
)  # fmt: skip
def _end_tickets(view: "SharesSummaryView") -> None:
    if view.place is not None:
        user_and_project_panels.ask_exception(view, view.place)


WEEK_ACTIONS: "ActionSet[WeekView]" = ActionSet("week")


@WEEK_ACTIONS.action(
    "edit", "e", text="Edit this list; the week shown follows as you type", dangerous=True, footer=_FORM
)
def _edit_list(view: "WeekView") -> None:
    week_panel.ask_list(view)


@WEEK_ACTIONS.action("later", "right_square_bracket", text="Show the week after", footer=_FORM)
def _later(view: "WeekView") -> None:
    view.look(1)


def _today(view: "WeekView") -> str | None:
    """Return a sentence if the first week, which begins today, is shown; else None."""
    return None if view.weeks else "This is the first week: it begins today."


@WEEK_ACTIONS.action("earlier", "left_square_bracket", text="Show the week before", refused=_today, footer=_FORM)
def _earlier(view: "WeekView") -> None:
    view.look(-1)


VALUES_ACTIONS: "ActionSet[ValuesView]" = ActionSet("values")


def _no_attribute(view: "ValuesView") -> str | None:
    return view.EMPTY if view.grid.chosen is None else None


def _unreported(view: "ValuesView") -> str | None:
    return _no_attribute(view) or (
        "The host reports no value of this attribute: e sets one." if view.chosen_value is None else None
    )


def _no_step_of_value(view: "ValuesView") -> str | None:
    return _unreported(view) or (
        "This is not a plain number: e edits it." if stepped(view.chosen_value or "", 1) is None else None
    )


@VALUES_ACTIONS.action(
    "edit",
    "e",
    text="Edit the reported value: the schedule follows",
    refused=_no_attribute,
    dangerous=True,
    footer=_FORM,
)
def _edit_value(view: "ValuesView") -> None:
    if (chosen := view.grid.chosen) is not None:
        host_panels.ask_value(view, chosen)


@VALUES_ACTIONS.action("add", "a", text="Add an attribute to what the host reports", dangerous=True, footer=_FORM)
def _add_value(view: "ValuesView") -> None:
    host_panels.ask_attribute(view)


@VALUES_ACTIONS.action(
    "delete",
    "d",
    "delete",
    text="Remove this attribute from what the host reports",
    refused=_unreported,
    dangerous=True,
    footer=_FORM,
)
def _delete_value(view: "ValuesView") -> None:
    if (chosen := view.grid.chosen) is not None:
        view.report(chosen, None)


@VALUES_ACTIONS.raise_and_lower("the reported value a little", _no_step_of_value, _FORM)
def _step_value(view: "ValuesView", by: int) -> None:
    chosen, text = view.grid.chosen, stepped(view.chosen_value or "", by)
    if chosen is not None and text is not None:
        # Load reports have two digits after the point, and none for whole numbers.
        view.report(chosen, f"{float(text):.2f}" if "." in text else text)


POLICY_ACTIONS: "ActionSet[PolicyView]" = ActionSet("policy")


def _heading(view: "PolicyView") -> str | None:
    return "This is a heading or a sum: choose a value." if view.field is None else None


def _no_step_of_weight(view: "PolicyView") -> str | None:
    return _heading(view) or ("This is not a number: e edits it." if stepped(view.value, 1) is None else None)


@POLICY_ACTIONS.action("edit", "e", text="Edit the value", refused=_heading, dangerous=True, footer=_FORM)
def _edit_weight(view: "PolicyView") -> None:
    if view.field is not None:
        policy_panels.ask_value(view, view.field)


@POLICY_ACTIONS.raise_and_lower("this value a little: the schedule follows", _no_step_of_weight, _FORM)
def _step_weight(view: "PolicyView", by: int) -> None:
    text = stepped(view.value, by)
    if view.field is not None and text is not None:
        view.give(view.field, text, typing=True)


SHARES_ACTIONS: "ActionSet[SharesView]" = ActionSet("shares")


def _sum(view: "SharesView") -> str | None:
    """Return a sentence if the cursor is on a sum, else None."""
    return "This is the sum: choose a row below it." if view.holder is None else None


@SHARES_ACTIONS.action("edit", "e", text="Edit the functional shares", refused=_sum, dangerous=True, footer=_FORM)
def _edit_shares(view: "SharesView") -> None:
    if view.holder is not None:
        policy_panels.ask_shares(view, view.holder, "fshare")


@SHARES_ACTIONS.raise_and_lower("the functional shares", _sum, _FORM)
def _step_shares(view: "SharesView", by: int) -> None:
    holder = view.holder
    text = stepped(str(holder.fshare), by) if holder is not None else None
    if holder is not None and text is not None:
        view.give(holder, "fshare", text, typing=True)


@SHARES_ACTIONS.action(
    "override",
    "ctrl+o",
    text="Edit the override tickets",
    refused=_sum,
    dangerous=True,
    footer=_FORM,
)
def _override(view: "SharesView") -> None:
    if view.holder is not None:
        policy_panels.ask_shares(view, view.holder, "oticket")


def _no_tickets_of_holder(view: "SharesView") -> str | None:
    place = view.place
    if view.holder is None:
        return _sum(view)
    if place is None:
        return "The override tickets of a job end with it."
    return _NO_TICKETS if place.found_in(view.workspace.cluster) is None else None


@SHARES_ACTIONS.action(
    "except", "Y", text="Give the override tickets an end date and a reason",
    refused=_no_tickets_of_holder, dangerous=True, footer=_FORM,
)  # fmt: skip
def _end_tickets_of_holder(view: "SharesView") -> None:
    if view.place is not None:
        user_and_project_panels.ask_exception(view, view.place)
