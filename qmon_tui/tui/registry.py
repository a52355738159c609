"""All actions of the main screen with their default keys.

Each package declares its own actions; this module collects them in the order of the help.
"""

from qmon_tui.tui.keys import Action, KeyRegistry
from qmon_tui.tui.pages import PAGES
from qmon_tui.tui.panels import PANELS
from qmon_tui.tui.screens import DOCUMENT_ACTIONS, OBJECT_ACTIONS, VIEW_ACTIONS

ACTIONS: tuple[Action, ...] = (
    *OBJECT_ACTIONS.actions,
    *DOCUMENT_ACTIONS.actions,
    *VIEW_ACTIONS.actions,
    *(action for page in PAGES for action in page.action_set.actions),
    *(action for panel in PANELS for action in panel.action_set.actions),
)
"""All actions: general ones, the way to each page, then those of pages and panels."""

REGISTRY = KeyRegistry(ACTIONS)
"""All actions with their default keys."""
