"""Actions of the panels of hostgroups."""

from typing import TYPE_CHECKING

from qmon_tui.model import Kind
from qmon_tui.tui.keys import ActionSet, Pane

if TYPE_CHECKING:
    from qmon_tui.tui.hostgroups.hostgroup_panels import ResolvedView

RESOLVED_ACTIONS: "ActionSet[ResolvedView]" = ActionSet("resolved")


def _listed_here(view: "ResolvedView") -> str | None:
    """A host that the group lists itself came through no other group."""
    return None if view.other_group is not None else "This group lists the host itself."


@RESOLVED_ACTIONS.action(
    "group",
    "I",
    label="group",
    text="Go to the group that lists this host itself",
    refused=_listed_here,
    footer=(Pane.FORM,),
)
def _go_to_group(view: "ResolvedView") -> None:
    if view.other_group is not None:
        view.jump(Kind.HOSTGROUP, view.other_group)
