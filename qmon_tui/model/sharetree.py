"""The share tree as a tree (share_tree(5)), read from the text of its nodes as the qmaster reads it.

The qmaster ignores the nodes' numbers: nodes are listed depth first, and each is followed by as many subtrees as its
`childnodes` lists.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from qmon_tui.values import parse_unsigned


@dataclass(slots=True)
class ShareNode:
    """One node: its fields as written, the numbers in its `childnodes`, and the nodes below it."""

    fields: Mapping[str, str]
    named: tuple[str, ...] = ()
    children: list["ShareNode"] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The node's name; empty if it has none."""
        return self.fields.get("name", "")

    @property
    def shares(self) -> int:
        """Its shares; 0 if they cannot be read."""
        try:
            return parse_unsigned(self.fields.get("shares", ""))
        except ValueError:
            return 0

    @property
    def missing_child(self) -> str | None:
        """Number of a child that a node of this subtree lists but that does not follow in the text; None if all do."""
        # A node comes after those below it; a stack instead of recursion, as trees may be deeper than Python calls.
        waiting = [(self, iter(self.children))]
        while waiting:
            node, children = waiting[-1]
            child = next(children, None)
            if child is not None:
                waiting.append((child, iter(child.children)))
            elif len(node.children) < len(node.named):
                return node.named[len(node.children)]
            else:
                waiting.pop()
        return None

    def subtree(self) -> Iterator["ShareNode"]:
        """Yield the node and all nodes below it, depth first."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))


def parse_share_tree(text: str) -> ShareNode | None:
    """Return the root of the tree that a text describes; None if it has no node.

    Nodes beyond the number of listed children are not part of the tree.
    """
    return next(iter(written_nodes(text)), None)


def tree_depth(text: str) -> int:
    """Return the number of levels below the root of the tree."""
    root = parse_share_tree(text)
    levels = [root] if root is not None else []
    deepest = -1
    while levels:
        levels = [child for node in levels for child in node.children]
        deepest += 1
    return max(deepest, 0)


def written_nodes(text: str) -> tuple[ShareNode, ...]:
    """Return all nodes in the order of the text, the root first, each with its children."""
    nodes = tuple(_nodes(text))
    unfinished: list[ShareNode] = []
    for node in nodes:
        while unfinished and len(unfinished[-1].children) == len(unfinished[-1].named):
            unfinished.pop()
        if unfinished:
            unfinished[-1].children.append(node)
        elif node is not nodes[0]:
            break
        unfinished.append(node)
    return nodes


def _nodes(text: str) -> Iterator[ShareNode]:
    """Yield each node; `childnodes` is its last line."""
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


def _node(fields: Mapping[str, str]) -> ShareNode:
    words = fields.get("childnodes", "").replace(",", " ").split()
    return ShareNode(fields, () if words and words[0].upper() == "NONE" else tuple(words))
