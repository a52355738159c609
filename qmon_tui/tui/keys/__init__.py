"""What can be done on the screen, and with which keys: actions, the keys of widgets, what refuses an action now."""

from qmon_tui.tui.keys.action import NO_ACTIONS, Action, ActionSet, Group, key_named, shown_key, shown_keys
from qmon_tui.tui.keys.action_context import ADDING, ActionContext, Need, Pane
from qmon_tui.tui.keys.key_registry import KeyRegistry, clash
from qmon_tui.tui.keys.local_keys import LOCAL_KEYS, SHARED_KEYS, USUAL_KEYS, LocalGroup, LocalKey
from qmon_tui.tui.keys.page import Page, Panel, PanelTable

__all__ = [
    "ADDING",
    "LOCAL_KEYS",
    "NO_ACTIONS",
    "SHARED_KEYS",
    "USUAL_KEYS",
    "Action",
    "ActionContext",
    "ActionSet",
    "Group",
    "KeyRegistry",
    "LocalGroup",
    "LocalKey",
    "Need",
    "Page",
    "Pane",
    "Panel",
    "PanelTable",
    "clash",
    "key_named",
    "shown_key",
    "shown_keys",
]
