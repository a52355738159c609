"""Actions of the screens, the keys of actions and widgets, and the reasons that disable an action."""

from qmon_tui.tui.keys.action import (
    COMMAND_CHARACTERS as COMMAND_CHARACTERS,
    NO_ACTIONS as NO_ACTIONS,
    Action as Action,
    ActionSet as ActionSet,
    BoundActions as BoundActions,
    Group as Group,
    key_named as key_named,
    shown_key as shown_key,
    shown_keys as shown_keys,
)
from qmon_tui.tui.keys.action_context import (
    ADDING as ADDING,
    ActionContext as ActionContext,
    Need as Need,
    Pane as Pane,
)
from qmon_tui.tui.keys.key_registry import KeyRegistry as KeyRegistry, clash as clash, footer_line as footer_line
from qmon_tui.tui.keys.local_keys import (
    LOCAL_KEYS as LOCAL_KEYS,
    SHARED_KEYS as SHARED_KEYS,
    USUAL_KEYS as USUAL_KEYS,
    LocalGroup as LocalGroup,
    LocalKey as LocalKey,
)
from qmon_tui.tui.keys.page import Page as Page, Panel as Panel, PanelTable as PanelTable
