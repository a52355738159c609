"""Panels of objects, except for quota sets and the share tree."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.tui.object_panels.actions import (
        MEMBERS_ACTIONS as MEMBERS_ACTIONS,
        OFFERS_ACTIONS as OFFERS_ACTIONS,
        POLICY_ACTIONS as POLICY_ACTIONS,
        PROJECT_ACTIONS as PROJECT_ACTIONS,
        RESOLVED_ACTIONS as RESOLVED_ACTIONS,
        SHARES_ACTIONS as SHARES_ACTIONS,
        USER_ACTIONS as USER_ACTIONS,
        VALUES_ACTIONS as VALUES_ACTIONS,
        WEEK_ACTIONS as WEEK_ACTIONS,
    )
    from qmon_tui.tui.object_panels.host_panels import (
        EffectiveView as EffectiveView,
        GroupTreeView as GroupTreeView,
        ResolvedView as ResolvedView,
        ValuesView as ValuesView,
    )
    from qmon_tui.tui.object_panels.offers_panel import OffersView as OffersView
    from qmon_tui.tui.object_panels.policy_panels import PolicyView as PolicyView, SharesView as SharesView
    from qmon_tui.tui.object_panels.user_and_project_panels import (
        MembersView as MembersView,
        SharesSummaryView as SharesSummaryView,
    )
    from qmon_tui.tui.object_panels.week_panel import WeekView as WeekView
else:
    __getattr__ = late_names(__name__, __file__, modules=True)
