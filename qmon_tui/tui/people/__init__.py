"""Panels of users, usersets and projects: their members, shares and usage."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.tui.people.actions import PROJECT_ACTIONS as PROJECT_ACTIONS, USER_ACTIONS as USER_ACTIONS
    from qmon_tui.tui.people.user_and_project_panels import (
        MembersView as MembersView,
        SharesSummaryView as SharesSummaryView,
    )
else:
    __getattr__ = late_names(__name__, __file__)
