"""What the form of the share tree shows besides its text: all nodes with their numbers, and how usage is forgotten."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.tui.sharetree.actions import TREE_ACTIONS
    from qmon_tui.tui.sharetree.prompts import ask_usage
    from qmon_tui.tui.sharetree.sharetree_panels import ForecastView, TreeView
else:
    __getattr__ = late_names(
        __name__,
        {
            "actions": ("TREE_ACTIONS",),
            "sharetree_panels": ("ForecastView", "TreeView"),
            "prompts": ("ask_usage",),
        },
    )

__all__ = ["TREE_ACTIONS", "ForecastView", "TreeView", "ask_usage"]
