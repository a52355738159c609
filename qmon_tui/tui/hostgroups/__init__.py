"""What the form of a hostgroup shows besides its fields."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.tui.hostgroups.actions import RESOLVED_ACTIONS
    from qmon_tui.tui.hostgroups.hostgroup_panels import GroupTreeView, ResolvedView
else:
    __getattr__ = late_names(
        __name__,
        {
            "actions": ("RESOLVED_ACTIONS",),
            "hostgroup_panels": ("GroupTreeView", "ResolvedView"),
        },
    )

__all__ = ["RESOLVED_ACTIONS", "GroupTreeView", "ResolvedView"]
