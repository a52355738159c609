"""What can be done in the panels of the share tree."""

from qmon_tui.tui.keys.action import Action
from qmon_tui.tui.keys.action_context import Pane

_FORM = (Pane.FORM,)

TREE_ACTIONS = (
    Action("tree.edit", ("e",), "edit", "Give this node other shares", dangerous=True, footer=_FORM),
    Action("tree.add", ("a",), "add", "Add a node below this one", dangerous=True, footer=_FORM),
    Action("tree.delete", ("d", "delete"), "delete", "Delete this node and all below it; undo takes it back",
           dangerous=True, footer=_FORM),
    Action("tree.more", ("plus",), "more", "Give this node more shares", dangerous=True, footer=_FORM),
    Action("tree.less", ("minus",), "less", "Give this node fewer shares", dangerous=True, footer=_FORM),
    Action("tree.rename", ("n", "f2"), "rename", "Give this node another name", dangerous=True),
    Action("tree.move", ("ctrl+x",), "move", "Put this node, with all below it, below another one", dangerous=True,
           footer=_FORM),
    Action("tree.clone", ("c",), "clone", "Put a copy of this node, with all below it, below another one",
           dangerous=True),
    Action("tree.up", ("less_than_sign", "shift+up"), "up", "Move this node up among its neighbours", dangerous=True),
    Action("tree.down", ("greater_than_sign", "shift+down"), "down", "Move this node down among its neighbours",
           dangerous=True),
    Action("tree.usage", ("asterisk",), "usage", "Give the user or project of this node another past usage",
           dangerous=True, footer=_FORM),
    Action("tree.clear", ("ctrl+k",), "clear usage", "Forget past usage, all or this user's (qconf -clearusage)",
           dangerous=True),
    Action("tree.find", ("ctrl+f",), "find", "Find a node by a part of its path", footer=_FORM),
    Action("tree.text", ("ctrl+e",), "text", "Edit the tree as text, as qconf -sstree prints it", dangerous=True),
)  # fmt: skip
