"""Edit the text of a share tree: unchanged nodes keep their numbers and the spelling of their fields.

A node is addressed by its place: the indexes of children from the root down, `()` for the root itself.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from qmon_tui.model.sharetree import ShareNode, parse_share_tree
from qmon_tui.values import whole_number

NodePosition = tuple[int, ...]

ROOT: NodePosition = ()
NEW_TREE = """\
id=0
name=Root
type=0
shares=1
childnodes=1
id=1
name=default
type=0
shares=10
childnodes=NONE"""
"""A tree in which every user has the same share."""


@dataclass(frozen=True, slots=True)
class TreeRow:
    """One node of the tree as a row of a list."""

    place: NodePosition
    path: str
    """`/` for the root, `/physics/anna` for a node below it, as `qconf -astnode` names it."""
    name: str
    shares: int
    level: float
    """Its fraction of its siblings' shares, 0 to 1."""
    total: float
    """Its fraction of the whole tree by shares, 0 to 1."""
    is_leaf: bool

    @property
    def depth(self) -> int:
        """Levels below the root."""
        return len(self.place)


def tree_rows(text: str) -> tuple[TreeRow, ...]:
    """Return all nodes, depth first; empty if there is no tree."""
    root = parse_share_tree(text)
    return tuple(_rows(root)) if root is not None else ()


def place_of(text: str, path: str) -> NodePosition | None:
    """Return the place of the node with this path; None if there is none."""
    return next((row.place for row in tree_rows(text) if row.path == path), None)


def added(text: str, parent: NodePosition, name: str, shares: int) -> tuple[str, NodePosition]:
    """Return the tree with a leaf as the last child of a node, and its place; in an empty tree it is the root."""
    root = parse_share_tree(text)
    leaf = ShareNode({"id": _free_number(root), "name": name, "type": "0", "shares": str(shares), "childnodes": "NONE"})
    if root is None:
        return tree_text(leaf), ROOT
    above = _node(root, parent)
    above.children.append(leaf)
    return tree_text(root), (*parent, len(above.children) - 1)


@dataclass(frozen=True, slots=True)
class TypedNode:
    """A node typed by the user: `anna`, `/physics/anna=40`, or with blanks around the `=`."""

    names: tuple[str, ...]
    """Names on the path down to the node."""
    shares: int | None = None
    """None if no shares were typed."""
    absolute: bool = False
    """True if the path begins at the root, not at the selected node."""


def typed_nodes(text: str) -> tuple[TypedNode, ...]:
    """Parse nodes as for `qconf -astnode`, separated by blanks, commas or lines.

    Raises ValueError with a sentence if a name is empty or shares are no whole number.
    """
    nodes: list[TypedNode] = []
    for word in re.sub(r"\s*=\s*", "=", text).replace(",", " ").split():
        path, equals, shares = word.partition("=")
        names = path.removeprefix("/").split("/")
        if not all(names):
            raise ValueError(f"A name is missing in {word}.")
        number = whole_number(shares) if equals else None
        if equals and number is None:
            raise ValueError(f"The shares of {path} must be a whole number.")
        nodes.append(TypedNode(tuple(names), number, path.startswith("/")))
    if not nodes:
        raise ValueError("A name is missing.")
    return tuple(nodes)


def with_nodes(
    text: str, parent: NodePosition, nodes: Sequence[TypedNode], shares: int
) -> tuple[str, tuple[NodePosition, ...]]:
    """Return the tree with nodes added at their paths, and their places; missing nodes on a path are added, too.

    A new node has `shares` unless its shares were typed; an existing node gets the typed shares.
    """
    places: list[NodePosition] = []
    for node in nodes:
        place = ROOT if node.absolute else parent
        for name in node.names:
            below = [row for row in tree_rows(text) if row.place[:-1] == place and row.place and row.name == name]
            text, place = (text, below[0].place) if below else added(text, place, name, shares)
        if node.shares is not None:
            text = with_field(text, place, "shares", str(node.shares))
        places.append(place)
    return text, tuple(places)


def removed(text: str, place: NodePosition) -> str:
    """Return the tree without a node and all nodes below it; empty if it was the root."""
    root = parse_share_tree(text)
    if root is None or not place:
        return ""
    del _node(root, place[:-1]).children[place[-1]]
    return tree_text(root)


def with_field(text: str, place: NodePosition, field: str, value: str) -> str:
    """Return the tree with another value for a node's `name` or `shares`."""
    root = parse_share_tree(text)
    if root is None:
        return text
    node = _node(root, place)
    node.fields = {**node.fields, field: value}
    return tree_text(root)


def moved(text: str, place: NodePosition, parent: NodePosition) -> tuple[str, NodePosition]:
    """Return the tree with a node moved to the end of another node's children, and its new place.

    A node cannot be moved below itself: the tree is then unchanged.
    """
    root = parse_share_tree(text)
    if root is None or not place or parent[: len(place)] == place or parent == place[:-1]:
        return text, place
    above, goal = _node(root, place[:-1]), _node(root, parent)
    node = above.children.pop(place[-1])
    goal.children.append(node)
    return tree_text(root), _place_of(root, node)


def shifted(text: str, place: NodePosition, by: int) -> tuple[str, NodePosition]:
    """Return the tree with a node moved by `by` places among its siblings, and its new place."""
    root = parse_share_tree(text)
    if root is None or not place:
        return text, place
    siblings = _node(root, place[:-1]).children
    target = max(0, min(len(siblings) - 1, place[-1] + by))
    siblings.insert(target, siblings.pop(place[-1]))
    return tree_text(root), (*place[:-1], target)


def copied(text: str, place: NodePosition, parent: NodePosition) -> tuple[str, NodePosition]:
    """Return the tree with a copy of a node and its subtree as another node's last child, and the copy's place."""
    root = parse_share_tree(text)
    if root is None:
        return text, place
    goal = _node(root, parent)
    copy = _copy(_node(root, place), int(_free_number(root)))
    goal.children.append(copy)
    return tree_text(root), (*parent, len(goal.children) - 1)


def is_below(place: NodePosition, above: NodePosition) -> bool:
    """True if `place` is `above` or below it."""
    return place[: len(above)] == above


def tree_text(root: ShareNode) -> str:
    """Return the text of a tree, depth first, as `qconf -sstree` prints it."""
    return "\n".join(line for node in root.subtree() for line in _lines(node))


def _lines(node: ShareNode) -> Iterator[str]:
    children = ",".join(child.fields.get("id", "") for child in node.children) or "NONE"
    for name, value in {**node.fields, "childnodes": children}.items():
        yield f"{name}={value}"


def _rows(root: ShareNode) -> Iterator[TreeRow]:
    # A stack instead of recursion: trees may be deeper than Python calls.
    ahead: list[tuple[ShareNode, NodePosition, str, float, float]] = [(root, ROOT, "/", 1.0, 1.0)]
    while ahead:
        node, place, path, level, total = ahead.pop()
        yield TreeRow(place, path, node.name, node.shares, level, total, not node.children)
        shares = sum(child.shares for child in node.children)
        above = path if place else ""
        for number, child in reversed(tuple(enumerate(node.children))):
            part = child.shares / shares if shares else 0.0
            ahead.append((child, (*place, number), f"{above}/{child.name}", part, total * part))


def _node(root: ShareNode, place: NodePosition) -> ShareNode:
    for position in place:
        root = root.children[position]
    return root


def _place_of(root: ShareNode, sought: ShareNode) -> NodePosition:
    ahead: list[tuple[ShareNode, NodePosition]] = [(root, ROOT)]
    while ahead:
        node, place = ahead.pop()
        if node is sought:
            return place
        ahead += [(child, (*place, number)) for number, child in enumerate(node.children)]
    return ROOT


def _free_number(root: ShareNode | None) -> str:
    numbers = [node.fields.get("id", "") for node in root.subtree()] if root is not None else []
    return str(max((number for text in numbers if (number := whole_number(text)) is not None), default=-1) + 1)


def _copy(node: ShareNode, number: int) -> ShareNode:
    """Copy a subtree; its nodes are numbered from `number`."""
    copies = {
        id(original): ShareNode({**original.fields, "id": str(number + count)})
        for count, original in enumerate(node.subtree())
    }
    for share_node in node.subtree():
        copies[id(share_node)].children = [copies[id(child)] for child in share_node.children]
    return copies[id(node)]
