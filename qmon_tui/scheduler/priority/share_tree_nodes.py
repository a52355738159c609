"""The tasks that receive tickets, and their share tree nodes during one run.

Source: tickets.md#tasks-that-get-tickets, tickets.md#node-of-a-job and tickets.md#tasks-of-nodes.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from qmon_tui.scheduler.configuration import ConfiguredNode
from qmon_tui.scheduler.jobs import RunJob, Split, TicketHolders, Tickets


@dataclass(slots=True, eq=False)
class TaskRef:
    """One task in the ticket calculation."""

    run_job: RunJob
    task: int
    tickets: Tickets
    ticket_holders: TicketHolders
    accumulated: float = 0.0
    """Tickets from earlier policies in policy_hierarchy."""
    node: "Node | None" = None
    """Its node in the share tree; None if it has none."""

    @property
    def seniority(self) -> tuple[int, int, int]:
        """(submission time, job number, task number), which breaks ties."""
        return (self.run_job.job.submitted, self.run_job.job.id, self.task)

    @property
    def dilution(self) -> int:
        """The slots by which the task reduces share tree tickets of later ones: a parallel job's minimum, else 1."""
        request = self.run_job.job.request.pe
        return 1 if request is None else max(1, request.ranges[0][0])


def running_refs(jobs: Iterable[RunJob]) -> list[TaskRef]:
    """Return all running tasks, in the order of the jobs, with new tickets."""
    return _refs((run_job, run_job.split.running) for run_job in jobs)


def pending_refs(jobs: Iterable[RunJob], limit: int) -> list[TaskRef]:
    """Return the first `limit` pending tasks of each job, in the order of the jobs, with new tickets."""
    return _refs((run_job, _first_pending(run_job.split, limit)) for run_job in jobs)


def _first_pending(split: Split, limit: int) -> Sequence[int]:
    if split.enrolled:
        return (*split.enrolled, *split.pending)[:limit]
    return split.pending[:limit]


def _refs(tasks_of: Iterable[tuple[RunJob, Iterable[int]]]) -> list[TaskRef]:
    refs: list[TaskRef] = []
    for run_job, tasks in tasks_of:
        tickets, ticket_holders = run_job.tickets, run_job.ticket_holders
        for task in tasks:
            tickets[task] = own = Tickets()
            refs.append(TaskRef(run_job, task, own, ticket_holders))
    return refs


def set_running(ref: TaskRef, change: int) -> None:
    """Change by 1 or -1 the number of running tasks of the task's user, project and department."""
    for holder in ref.ticket_holders:
        if holder is not None:
            holder.running += change


DEFAULT = "default"


@dataclass(slots=True, eq=False)
class Node:
    """A node of the share tree during one run."""

    name: str
    shares: int
    parent: "Node | None" = None
    children: list["Node"] = field(default_factory=list)
    is_project: bool = False
    copied_from: "Node | None" = None
    """The `default` node that this user node copies."""
    pending: int = 0
    """The number of pending tasks on or below it."""
    running: int = 0
    """The number of running tasks on or below it."""
    job_shares: int = 0
    """The sum of -js of its running tasks."""
    usage: float = 0.0
    """Usage weighted by usage_weight_list."""
    long_term: float = 0.0
    """Its fraction (0..1) of the whole tree by shares alone (oltt)."""
    among_siblings: float = 0.0
    """Its fraction (0..1) of its parent's target, by shares and usage (stt)."""
    target: float = 0.0
    """Its fraction (0..1) of the whole tree, by shares and usage (ostt)."""

    @property
    def tasks(self) -> int:
        """The number of tasks on or below the node; a node without tasks gets no tickets."""
        return self.pending + self.running


class NodeScope:
    """The nodes visible from the root or from a project; other projects and the nodes below them are hidden."""

    def __init__(self, root: Node) -> None:
        self._nodes: dict[str, Node] = {}
        self._users: dict[str, Node | None] = {}
        ahead = [root]
        while ahead:
            node = ahead.pop()
            if not node.is_project or node is root:
                self._nodes.setdefault(node.name, node)
                ahead += reversed(node.children)

    @property
    def default(self) -> Node | None:
        return self._nodes.get(DEFAULT)

    def knows(self, user: str) -> bool:
        return user in self._nodes

    def find(self, user: str, tree: "ShareTree") -> Node | None:
        """Return the user's node, or a copy of the first `default` node; None if there is neither."""
        if user not in self._users:
            node = self._nodes.get(user)
            default = self.default
            self._users[user] = tree.copy(default, user) if node is None and default is not None else node
        return self._users[user]


class ShareTree:
    """The nodes of a share tree: parents before their children, copies of `default` nodes last."""

    def __init__(self, plan: Sequence[ConfiguredNode]) -> None:
        self.nodes: list[Node] = []
        for planned in plan:
            parent = self.nodes[planned.parent] if planned.parent >= 0 else None
            self.add(Node(planned.name, planned.shares, parent, is_project=planned.is_project))
        self._scopes: dict[Node, NodeScope] = {}
        self.projects: dict[str, Node] = {}
        """Project -> its first visible node."""
        hidden: set[Node] = set()
        for node in self.nodes:
            if node.parent is not None and (node.parent in hidden or (node.parent.is_project and node.parent.parent)):
                hidden.add(node)
            elif node.is_project:
                self.projects.setdefault(node.name, node)

    @property
    def root(self) -> Node:
        return self.nodes[0]

    def copy(self, default: Node, user: str) -> Node:
        """Add a node for a user without one: a sibling of `default` with the same shares."""
        if default.parent is None:
            return default
        node = Node(user, default.shares, default.parent, copied_from=default)
        self.add(node)
        # 8.1.9 copies a default node with its children, which leaves the user's tasks uncounted.
        below = [(child, node) for child in default.children]
        for original, parent in below:
            child = Node(original.name, original.shares, parent, is_project=original.is_project)
            self.add(child)
            below += [(node, child) for node in original.children]
        return node

    def add(self, node: Node) -> None:
        """Append a node to the tree and to its parent's children."""
        if node.parent is not None:
            node.parent.children.append(node)
        self.nodes.append(node)

    def node_of(self, user: str | None, project: str | None) -> Node | None:
        """Return the node of a user's tasks in a project; None if they have none.

        `user`, `project`: None if there is no such object.
        """
        if project is None:
            return self.node_scope(self.root).find(user, self) if user is not None else None
        node = self.projects.get(project)
        if node is None or not node.children:
            return node
        return self.node_scope(node).find(user, self) if user is not None else None

    def node_scope(self, root: Node) -> NodeScope:
        """Return the nodes visible from the root or a project."""
        scope = self._scopes.get(root)
        if scope is None:
            scope = self._scopes[root] = NodeScope(root)
        return scope

    def count(self, running: Iterable[TaskRef], pending: Iterable[TaskRef]) -> None:
        """Set the task counts of all nodes; an inner node counts only the tasks of its children."""
        for node in self.nodes:
            node.running = node.pending = node.job_shares = 0
        for ref in running:
            if ref.node is not None:
                ref.node.running += 1
                ref.node.job_shares += ref.run_job.job.request.job_share
        for ref in pending:
            if ref.node is not None:
                ref.node.pending += 1
        for node in reversed(self.nodes):
            if node.children:
                node.running = sum(child.running for child in node.children)
                node.pending = sum(child.pending for child in node.children)

    def path_to_default(self, project: Node) -> Iterator[Node]:
        """Yield the nodes from a project's first `default` node up to just below the project."""
        ahead = list(reversed(project.children))
        while ahead:
            node = ahead.pop()
            if node.name == DEFAULT:
                while node is not project and node is not None:
                    yield node
                    node = node.parent  # type: ignore[assignment]
                return
            ahead += reversed(node.children)


@dataclass(frozen=True, slots=True)
class TreeGrant:
    """The share tree tickets of a pending task: total * part / ahead."""

    ref: TaskRef
    node: Node
    part: float
    """The node's fraction (0..1) among its siblings."""
    ahead: int
    """The divisor: 1 + the slots (`TaskRef.dilution`) of the tasks before this one on the node."""


@dataclass(slots=True)
class TicketOrder:
    """The tasks that got tickets, and the order in which the policies handled them."""

    running: Sequence[TaskRef] = ()
    pending: Sequence[TaskRef] = ()
    functional: Sequence[TaskRef] = ()
    """The pending tasks picked for functional tickets, in order; others got the tickets of the next in their group."""
    override: Sequence[TaskRef] = ()
    """The pending tasks picked for shared override tickets, in order; empty without share_override_tickets."""
    share_tree: list[TreeGrant] = field(default_factory=list)
