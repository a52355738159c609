"""qconf -astnode, -mstnode and -dstnode: single nodes of the share tree (sharetree.md#single-nodes)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from shlex import quote
from typing import Final

from qmon_tui.checks import change_findings
from qmon_tui.model import Cluster, Kind, State, sharetree_editing as editing
from qmon_tui.qmaster.commands.command import Command, Reply
from qmon_tui.qmaster.commands.qconf import refused_by

ADD_NODE: Final = "-astnode"
"""Adds nodes as the last children; an existing node gets the shares."""
MODIFY_NODE: Final = "-mstnode"
"""Changes the shares of nodes."""
DELETE_NODE: Final = "-dstnode"
"""Removes nodes without children."""
NODE_OPTIONS: Final = (ADD_NODE, MODIFY_NODE, DELETE_NODE)
_NOT_IN_PATH: Final = re.compile(r"[.,=\s/]")
"""Characters that end a name or node for qconf: a node with one in its name cannot be given by path."""
_FIELD: Final = "tree"
_NEW_ROOT: Final = "id=0\nname=Root\ntype=0\nshares=1\nchildnodes=NONE"
"""The tree to which qconf adds the first node."""


@dataclass(frozen=True, slots=True)
class QconfNodes(Command):
    """Nodes of the share tree added, changed or removed by their paths."""

    option: str
    nodes: tuple[tuple[str, int | None], ...]
    """Path and shares; None for nodes that are removed."""

    @property
    def words(self) -> str:
        verb = {ADD_NODE: "add", MODIFY_NODE: "change", DELETE_NODE: "delete"}[self.option]
        return f"{verb} {', '.join(path for path, _ in self.nodes)} in the share tree"

    @property
    def line(self) -> str:
        nodes = (path if shares is None else f"{path}={shares}" for path, shares in self.nodes)
        return f"qconf {self.option} {quote(','.join(nodes))}"

    def apply(self, cluster: Cluster, state: State) -> Reply:
        """Return the cluster with the existing nodes changed, and a message for each missing one."""
        tree = cluster.single(Kind.SHARETREE)
        if self.option != ADD_NODE and not tree.text(_FIELD):
            return Reply(state, ("No sharetree",))
        text = before = tree.text(_FIELD)
        printed: list[str] = []
        for path, shares in self.nodes:
            text, problem = self._changed(text, path, shares)
            printed += [problem] if problem else []
        if text == before:
            return Reply(state, (*printed, "no modifications to sharetree") if printed else ())
        changed = tree.with_value(_FIELD, text)
        refused = refused_by(change_findings(cluster, changed))
        return Reply(state, refused) if refused else Reply(state, tuple(printed), cluster=cluster.with_object(changed))

    def _changed(self, text: str, path: str, shares: int | None) -> tuple[str, str]:
        """Return the tree after the change of one node, and why the node was not changed; empty if it was."""
        place = editing.place_of(text, path)
        if self.option == ADD_NODE and place is None and shares is not None:
            above, _, name = path.rpartition("/")
            tree = text or _NEW_ROOT
            parent = editing.place_of(tree, above or "/")
            if parent is None:
                return text, f"Unable to locate {above} in sharetree"
            return editing.added(tree, parent, name, shares)[0], ""
        if not place:
            return text, f"Unable to locate {path} in sharetree"
        if self.option != DELETE_NODE:
            return editing.with_field(text, place, "shares", str(shares)), ""
        has_children = any(row.place[:-1] == place for row in editing.tree_rows(text) if row.place)
        return (text, "can't delete nodes with children") if has_children else (editing.removed(text, place), "")


def node_commands(before: str, after: str) -> Iterator[tuple[QconfNodes, ...]]:
    """Yield command sequences that may change one tree into another, in the order in which to try them.

    Yields nothing if the root differs, or a node that differs has no path.
    """
    old, new = ({row.path: row.shares for row in editing.tree_rows(text)} for text in (before, after))
    added = [(path, shares) for path, shares in new.items() if path not in old]
    changed = [(path, shares) for path, shares in new.items() if path in old and old[path] != shares]
    removed = [(path, None) for path in reversed(old) if path not in new]
    paths = [path for path, _ in (*added, *changed, *removed)]
    if not old or not new or "/" in paths or any(_NOT_IN_PATH.search(name) for path in paths for name in _names(path)):
        return
    steps = ((ADD_NODE, tuple(added)), (MODIFY_NODE, tuple(changed)), (DELETE_NODE, tuple(removed)))
    commands = tuple(QconfNodes(option, nodes) for option, nodes in steps if nodes)
    yield commands
    # A user or project may be only once outside of projects: a moved node is removed first.
    yield commands[::-1]


def _names(path: str) -> list[str]:
    return path.split("/")[1:]
