"""Actions of the panels of users and projects."""

from typing import TYPE_CHECKING

from qmon_tui.tui import sharetree
from qmon_tui.tui.keys import ActionSet, Pane

if TYPE_CHECKING:
    from qmon_tui.tui.people.user_and_project_panels import SharesSummaryView

_FORM = (Pane.FORM,)

USER_ACTIONS: "ActionSet[SharesSummaryView]" = ActionSet("standing")
PROJECT_ACTIONS: "ActionSet[SharesSummaryView]" = ActionSet("work")


@USER_ACTIONS.action(
    "usage", "asterisk", label="usage", text="Change the past usage of this user", dangerous=True, footer=_FORM
)
@PROJECT_ACTIONS.action(
    "usage", "asterisk", label="usage", text="Change the past usage of this project", dangerous=True, footer=_FORM
)
def _usage(view: "SharesSummaryView") -> None:
    if view.usage_owner is not None:
        sharetree.ask_usage(view, view.workspace, view.usage_owner)
