"""What the forms of users, usersets and projects show besides their fields: who is in them, and what they have."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.tui.people.actions import PROJECT_ACTIONS, USER_ACTIONS
    from qmon_tui.tui.people.user_and_project_panels import MembersView, ProjectSharesSummaryView, SharesSummaryView
else:
    __getattr__ = late_names(
        __name__,
        {
            "actions": ("PROJECT_ACTIONS", "USER_ACTIONS"),
            "user_and_project_panels": ("MembersView", "ProjectSharesSummaryView", "SharesSummaryView"),
        },
    )

__all__ = ["PROJECT_ACTIONS", "USER_ACTIONS", "MembersView", "ProjectSharesSummaryView", "SharesSummaryView"]
