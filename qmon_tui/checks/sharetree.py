"""Check the share tree: allowed nodes and their places. Source: share_tree(5); sharetree.md#rules."""

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeAlias

from qmon_tui import model
from qmon_tui.checks.rules import RuleBook
from qmon_tui.model import Cluster, ConfigObject, Finding, Kind
from qmon_tui.values import parse_double, parse_unsigned

if TYPE_CHECKING:
    from qmon_tui.model import ShareNode

_Step: TypeAlias = "Finding | tuple[ShareNode, str | None]"
"""A finding, or the next node to visit and the project above it."""

_book = RuleBook(Kind.SHARETREE, "sharetree.md#rules")

NUMBER = _book.error("number", "Ids, types and shares of nodes are whole numbers from 0 to 4294967295.")
CHILD = _book.error("child", "Every child that a node names follows.")
LEAF = _book.error("leaf", "A leaf is a user, a project or the word default.")
SIBLING = _book.error("sibling", "The children of a node have different names.")
NESTED = _book.error("project.nested", "There is no project below a project.")
TWICE = _book.error("twice", "A project stands once in the tree, a user once outside projects and once in each.")
INNER_USER = _book.error("user.inner", "A user has no children.")

_DEFAULT = "default"
_NUMBERS = ("id", "type", "shares")


def sharetree_findings(cluster: Cluster, obj: ConfigObject) -> Iterator[Finding]:
    """Yield all findings about the share tree."""
    nodes = model.written_nodes(obj.text("tree"))
    wrong = False
    # Text after the last node that is some node's child is never read.
    for node in nodes[0].subtree() if nodes else ():
        for name in _NUMBERS:
            if problem := _number_problem(name, node.fields.get(name, "")):
                wrong = True
                yield NUMBER.finding(obj, "tree", problem, f'In the node "{node.name}".')
    child = nodes[0].missing_child if nodes else None
    if child is not None:
        message = f"found reference to node {child} but no specification"
        yield CHILD.finding(obj, "tree", message, "Nodes are read depth first; each is followed by its children.")
    elif nodes and not wrong:
        yield from _Visit(cluster, obj).findings(nodes[0])


def _number_problem(name: str, text: str) -> str | None:
    try:
        parse_unsigned(text)
    except ValueError as error:
        if "u_long32" in str(error) and parse_double(text) < 0:
            return f'error: parameter "{name}" must be a positive number'
        return str(error)
    return None


class _Visit:
    """One traversal of the tree; the qmaster stops at the first error."""

    def __init__(self, cluster: Cluster, obj: ConfigObject) -> None:
        self.cluster = cluster
        self.obj = obj
        self.projects: set[str] = set()
        self.users: set[str] = set()
        """Users seen in the present project, or outside all projects."""

    def findings(self, root: "ShareNode") -> Iterator[Finding]:
        """Yield the findings about all nodes; a stack, as recursion may exceed Python's limit."""
        waiting = [self._node(root, None)]
        while waiting:
            step = next(waiting[-1], None)
            if step is None:
                waiting.pop()
            elif isinstance(step, Finding):
                yield step
            else:
                waiting.append(self._node(*step))

    def _node(self, node: "ShareNode", project: str | None) -> Iterator[_Step]:
        """Yield findings about a node, and its children to visit; `project` is the project above it."""
        if self._is(Kind.PROJECT, node.name):
            yield from self._project(node, project)
        elif node.children:
            if self._is(Kind.USER, node.name):
                message = f'found user "{node.name}" in share tree as a non-leaf node'
                yield INNER_USER.finding(self.obj, "tree", message)
            yield from self._children(node, project)
        else:
            yield from self._leaf(node, project)

    def _is(self, kind: Kind, name: str) -> bool:
        return self.cluster.get(kind, name) is not None

    def _project(self, node: "ShareNode", above: str | None) -> Iterator[_Step]:
        if above is not None:
            message = f'found project "{node.name}" in project "{above}" sub-tree of share tree'
            yield NESTED.finding(self.obj, "tree", message)
        elif node.name in self.projects:
            yield TWICE.finding(self.obj, "tree", f'found project "{node.name}" twice in share tree')
        self.projects.add(node.name)
        outside, self.users = self.users, set()
        yield from self._children(node, node.name)
        self.users = outside

    def _leaf(self, node: "ShareNode", project: str | None) -> Iterator[Finding]:
        if node.name != _DEFAULT and not self._is(Kind.USER, node.name):
            kind = "user/project" if project is None else "user"
            message = f'denied: share tree contains reference to unknown {kind} "{node.name}"'
            yield LEAF.finding(self.obj, "tree", message, "Leaves are users, projects or default.")
        elif node.name in self.users:
            place = "share tree" if project is None else f'project "{project}" sub-tree of share tree'
            yield TWICE.finding(self.obj, "tree", f'found user "{node.name}" twice in {place}')
        self.users.add(node.name)

    def _children(self, node: "ShareNode", project: str | None) -> Iterator[_Step]:
        names_ahead = Counter(child.name for child in node.children)
        for child in node.children:
            names_ahead[child.name] -= 1
            if names_ahead[child.name]:
                message = f'denied: found node "{child.name}" twice under node "{node.name}"'
                yield SIBLING.finding(self.obj, "tree", message)
            yield child, project
