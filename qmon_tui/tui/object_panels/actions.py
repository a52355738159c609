"""Actions of the panels of complexes, host groups, users, projects and usersets."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_module
from qmon_tui.model import Kind
from qmon_tui.tui import sharetree
from qmon_tui.tui.keys import ActionSet, Pane

if TYPE_CHECKING:
    from qmon_tui.tui import dialogs
    from qmon_tui.tui.object_panels.hostgroup_panels import ResolvedView
    from qmon_tui.tui.object_panels.offers_panel import OffersView
    from qmon_tui.tui.object_panels.user_and_project_panels import MembersView, SharesSummaryView
else:
    dialogs = late_module("qmon_tui.tui.dialogs")

_FORM = (Pane.FORM,)

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
    label="edit",
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
    label="delete",
    text="No longer offer it there or in the marked places",
    refused=_nothing_offered,
    dangerous=True,
    footer=_FORM,
)
def _delete(view: "OffersView") -> None:
    view.delete()


def _listed_here(view: "ResolvedView") -> str | None:
    """A host that the group lists itself came through no other group."""
    return None if view.other_group is not None else "This group lists the host itself."


@RESOLVED_ACTIONS.action(
    "group",
    "I",
    label="group",
    text="Go to the group that lists this host itself",
    refused=_listed_here,
    footer=_FORM,
)
def _go_to_group(view: "ResolvedView") -> None:
    if view.other_group is not None:
        view.jump(Kind.HOSTGROUP, view.other_group)


@USER_ACTIONS.action(
    "usage", "asterisk", label="usage", text="Change the past usage of this user", dangerous=True, footer=_FORM
)
@PROJECT_ACTIONS.action(
    "usage", "asterisk", label="usage", text="Change the past usage of this project", dangerous=True, footer=_FORM
)
def _usage(view: "SharesSummaryView") -> None:
    if view.usage_owner is not None:
        sharetree.ask_usage(view, view.workspace, view.usage_owner)


def _no_member(view: "MembersView") -> str | None:
    return "This list has no member." if view.place is None else None


@MEMBERS_ACTIONS.action(
    "except", "Y", label="except", text="Give this member an end date and a reason, which Attention recalls",
    refused=_no_member, dangerous=True, footer=_FORM,
)  # fmt: skip
def _end_member(view: "MembersView") -> None:
    if view.place is not None:
        dialogs.ask_exception(view, view.place)


def _no_tickets(view: "SharesSummaryView") -> str | None:
    place = view.place
    return dialogs.NO_TICKETS if place is None or place.found_in(view.workspace.cluster) is None else None


@USER_ACTIONS.action(
    "except", "Y", label="except", text="Give the override tickets of this user an end date and a reason",
    refused=_no_tickets, dangerous=True, footer=_FORM,
)  # fmt: skip
@PROJECT_ACTIONS.action(
    "except", "Y", label="except", text="Give the override tickets of this project an end date and a reason",
    refused=_no_tickets, dangerous=True, footer=_FORM,
)  # fmt: skip
def _end_tickets(view: "SharesSummaryView") -> None:
    if view.place is not None:
        dialogs.ask_exception(view, view.place)
