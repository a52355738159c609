"""Panels of complexes, host groups, users, usersets, projects and configurations."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.tui.object_panels.actions import (
        MEMBERS_ACTIONS as MEMBERS_ACTIONS,
        OFFERS_ACTIONS as OFFERS_ACTIONS,
        PROJECT_ACTIONS as PROJECT_ACTIONS,
        RESOLVED_ACTIONS as RESOLVED_ACTIONS,
        USER_ACTIONS as USER_ACTIONS,
    )
    from qmon_tui.tui.object_panels.effective_panel import EffectiveView as EffectiveView
    from qmon_tui.tui.object_panels.hostgroup_panels import GroupTreeView as GroupTreeView, ResolvedView as ResolvedView
    from qmon_tui.tui.object_panels.offers_panel import OffersView as OffersView
    from qmon_tui.tui.object_panels.user_and_project_panels import (
        MembersView as MembersView,
        SharesSummaryView as SharesSummaryView,
    )
else:
    __getattr__ = late_names(__name__, __file__)
