"""The share tree as a tree (share_tree(5)), read from the text of its nodes as the qmaster reads it."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from qmon_tui.values.number import parse_unsigned


@dataclass(slots=True)
class ShareNode:
    """One node: its name, its shares beside its siblings, its children in their order."""

    name: str
    shares: int
    children: list["ShareNode"] = field(default_factory=list)


def parse_share_tree(text: str) -> ShareNode | None:
    """The root of the tree that a text describes; None where it has no node.

    The qmaster pays no attention to the numbers of nodes: they come depth first, and each is followed by as many
    subtrees as its `childnodes` names. Nodes that nobody counts as a child are not part of the tree.
    """
    root: ShareNode | None = None
    unfinished: list[tuple[ShareNode, int]] = []
    for node, children in _nodes(text):
        while unfinished and not unfinished[-1][1]:
            unfinished.pop()
        if root is None:
            root = node
        elif not unfinished:
            break
        else:
            parent, missing = unfinished.pop()
            parent.children.append(node)
            unfinished.append((parent, missing - 1))
        unfinished.append((node, children))
    return root


def _nodes(text: str) -> Iterator[tuple[ShareNode, int]]:
    """Each node with the number of its children; its lines end with `childnodes`."""
    fields: dict[str, str] = {}
    for line in text.splitlines():
        name, equals, value = (part.strip() for part in line.partition("="))
        if not equals:
            continue
        fields[name] = value
        if name == "childnodes":
            yield _node(fields)
            fields = {}
    if "name" in fields:
        yield _node(fields)


def _node(fields: dict[str, str]) -> tuple[ShareNode, int]:
    words = fields.get("childnodes", "").replace(",", " ").split()
    children = 0 if words and words[0].upper() == "NONE" else len(words)
    return ShareNode(fields.get("name", ""), _shares(fields.get("shares", ""))), children


def _shares(text: str) -> int:
    try:
        return parse_unsigned(text)
    except ValueError:
        return 0
