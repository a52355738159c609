"""Whole screens."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.tui.screens.folder_watch import Changes, disk_changes
    from qmon_tui.tui.screens.main import MainScreen
    from qmon_tui.tui.screens.object_actions import OBJECT_ACTIONS
    from qmon_tui.tui.screens.view_actions import VIEW_ACTIONS
else:
    __getattr__ = late_names(
        __name__,
        {
            "folder_watch": ("Changes", "disk_changes"),
            "main": ("MainScreen",),
            "object_actions": ("OBJECT_ACTIONS",),
            "view_actions": ("VIEW_ACTIONS",),
        },
    )

__all__ = ["OBJECT_ACTIONS", "VIEW_ACTIONS", "Changes", "MainScreen", "disk_changes"]
