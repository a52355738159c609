"""Panels of the share tree: all nodes with their numbers, and the decay of usage."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.tui.sharetree.actions import TREE_ACTIONS as TREE_ACTIONS
    from qmon_tui.tui.sharetree.prompts import ask_usage as ask_usage
    from qmon_tui.tui.sharetree.sharetree_panels import ForecastView as ForecastView, TreeView as TreeView
else:
    __getattr__ = late_names(__name__, __file__, modules=True)
