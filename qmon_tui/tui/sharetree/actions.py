"""Actions of the panels of the share tree."""

from typing import TYPE_CHECKING

from qmon_tui.model import sharetree_editing as editing
from qmon_tui.report import stepped
from qmon_tui.tui.keys import ActionSet, Pane
from qmon_tui.tui.sharetree import prompts

if TYPE_CHECKING:
    from qmon_tui.tui.sharetree.sharetree_panels import TreeView

_FORM = (Pane.FORM,)

TREE_ACTIONS: "ActionSet[TreeView]" = ActionSet("tree")


# Each of these returns the sentence that refuses an action, or None if the action is possible.


def _no_tree(view: "TreeView") -> str | None:
    return None if view.rows else view.NOTHING


def _no_node(view: "TreeView") -> str | None:
    if view.rows and view.place is None:
        return "This user has no node of its own: its shares are those of default."
    return None


def _no_node_of_tree(view: "TreeView") -> str | None:
    return _no_tree(view) or _no_node(view)


def _no_node_or_root(view: "TreeView") -> str | None:
    return _no_node_of_tree(view) or ("This is the root." if not view.place else None)


def _no_usage_owner(view: "TreeView") -> str | None:
    reason = "This node is neither a user nor a project: it has no usage of its own."
    return _no_tree(view) or (reason if view.usage_owner is None else None)


def _no_usage(view: "TreeView") -> str | None:
    return "There is no past usage." if view.rows and not view.workspace.state.usage else None


@TREE_ACTIONS.action(
    "edit",
    "e",
    text="Change the shares of this node",
    refused=_no_node_of_tree,
    dangerous=True,
    footer=_FORM,
)
def _edit(view: "TreeView") -> None:
    if view.row is not None:
        prompts.ask_shares(view, view.row)


@TREE_ACTIONS.action(
    "add",
    "a",
    text="Add a node below this one, or several by their paths",
    refused=_no_node,
    dangerous=True,
    footer=_FORM,
)
def _add(view: "TreeView") -> None:
    if not view.rows:
        view.replace_tree(editing.NEW_TREE, (0,))
    elif view.row is not None:
        prompts.ask_new_node(view, view.row)


@TREE_ACTIONS.action(
    "delete",
    "d",
    "delete",
    refused=_no_node_of_tree,
    dangerous=True,
    footer=_FORM,
    text="Delete this node and all below it; undo undoes it",
)
def _delete(view: "TreeView") -> None:
    if (place := view.place) is not None:
        view.replace_tree(editing.removed(view.text, place))


@TREE_ACTIONS.raise_and_lower("the shares of this node", _no_node_of_tree, _FORM)
def _step(view: "TreeView", by: int) -> None:
    row = view.row
    shares = stepped(str(row.shares), by) if row is not None else None
    if row is not None and shares is not None and shares != str(row.shares):
        view.replace_tree(editing.with_field(view.text, row.place, "shares", shares), typing=True)


@TREE_ACTIONS.action("rename", "n", "f2", text="Rename this node", refused=_no_node_of_tree, dangerous=True)
def _rename(view: "TreeView") -> None:
    if view.row is not None:
        prompts.ask_name(view, view.row)


@TREE_ACTIONS.action(
    "move",
    "ctrl+x",
    refused=_no_node_or_root,
    dangerous=True,
    footer=_FORM,
    text="Move this node and all below it to another parent",
)
def _move(view: "TreeView") -> None:
    if view.row is not None:
        prompts.ask_to_move(view, view.row)


@TREE_ACTIONS.action(
    "clone",
    "c",
    refused=_no_node_or_root,
    dangerous=True,
    text="Copy this node and all below it to another parent",
)
def _clone(view: "TreeView") -> None:
    if view.row is not None:
        prompts.ask_to_copy(view, view.row)


@TREE_ACTIONS.action(
    "up",
    "less_than_sign",
    "shift+up",
    text="Move this node up among its siblings",
    refused=_no_node_or_root,
    dangerous=True,
)
def _up(view: "TreeView") -> None:
    if (place := view.place) is not None:
        view.replace_tree(*editing.shifted(view.text, place, -1))


@TREE_ACTIONS.action(
    "down",
    "greater_than_sign",
    "shift+down",
    refused=_no_node_or_root,
    dangerous=True,
    text="Move this node down among its siblings",
)
def _down(view: "TreeView") -> None:
    if (place := view.place) is not None:
        view.replace_tree(*editing.shifted(view.text, place, 1))


@TREE_ACTIONS.action(
    "usage",
    "asterisk",
    refused=_no_usage_owner,
    dangerous=True,
    footer=_FORM,
    text="Change the past usage of this node's user or project",
)
def _usage(view: "TreeView") -> None:
    if view.usage_owner is not None:
        prompts.ask_usage(view, view.workspace, view.usage_owner)


@TREE_ACTIONS.action(
    "clear",
    "ctrl+k",
    label="clear usage",
    refused=_no_usage,
    dangerous=True,
    text="Clear past usage, all or this user's (qconf -clearusage)",
)
def _clear_usage(view: "TreeView") -> None:
    prompts.ask_to_clear_usage(view, view.workspace, view.usage_owner)


@TREE_ACTIONS.action("find", "ctrl+f", text="Find a node by a part of its path", refused=_no_tree, footer=_FORM)
def _find(view: "TreeView") -> None:
    prompts.find_node(view)


@TREE_ACTIONS.action("text", "ctrl+e", text="Edit the tree as text, as qconf -sstree prints it", dangerous=True)
def _text(view: "TreeView") -> None:
    prompts.ask_tree_as_text(view)
