"""Panels of a hostgroup."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.tui.hostgroups.actions import RESOLVED_ACTIONS as RESOLVED_ACTIONS
    from qmon_tui.tui.hostgroups.hostgroup_panels import GroupTreeView as GroupTreeView, ResolvedView as ResolvedView
else:
    __getattr__ = late_names(__name__, __file__)
