"""Share tree targets by shares, tasks and usage: once with all tasks, once with running tasks only."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from qmon_tui.model import PastUsage
from qmon_tui.scheduler.configuration import CompiledCluster, UsagePolicy
from qmon_tui.scheduler.jobs import RunJob, TicketHolder, has_just_finished
from qmon_tui.scheduler.priority.past_usage import set_usage
from qmon_tui.scheduler.priority.share_tree_nodes import Node, ShareTree, TaskRef
from qmon_tui.values import sum_in_order

_LEAST_USAGE = 1.0
"""The minimum of the whole tree's usage in divisions by usage; a node has its long-term fraction of it."""


def set_targets(tree: ShareTree, compensation: float) -> None:
    """Set long_term, among_siblings and target of all nodes; `compensation`: compensation_factor, 0 for no limit."""
    for node in tree.nodes:
        node.long_term = node.among_siblings = node.target = 0.0
    root = tree.root
    root.long_term = root.among_siblings = root.target = 1.0
    for node in tree.nodes:
        if node.children and (node.running or node.pending):
            active = [child for child in node.children if child.running or child.pending]
            if active:
                _divide(node, active, compensation)


def _divide(parent: Node, children: Sequence[Node], compensation: float) -> None:
    """Divide a node's target among its children in proportion to shares * shares / usage."""
    shares = sum(child.shares for child in children)
    for child in children:
        child.long_term = parent.long_term * (child.shares / shares) if shares else 0.0
    claims = [_claim(child) for child in children]
    _set(parent, children, claims)
    if compensation:
        lowered = [_compensated(child, claim, compensation) for child, claim in zip(children, claims, strict=True)]
        if lowered != claims:
            _set(parent, children, lowered)


def _claim(node: Node) -> float:
    if node.long_term <= 0:
        return 0.0
    return float(node.shares) * node.shares / max(node.usage, _LEAST_USAGE * node.long_term)


def _compensated(node: Node, claim: float, compensation: float) -> float:
    """Return the claim, reduced if the node's target exceeds compensation_factor times its long-term fraction."""
    limit = compensation * node.long_term
    if not limit or not node.target > limit:
        return claim
    usage = max(node.usage, _LEAST_USAGE * node.long_term)
    return float(node.shares) * node.shares / (usage * (node.target / limit))


def _set(parent: Node, children: Sequence[Node], claims: Sequence[float]) -> None:
    total = sum_in_order(claims)
    for child, claim in zip(children, claims, strict=True):
        child.among_siblings = claim / total if total else 0.0
        child.target = parent.target * child.among_siblings


@dataclass(frozen=True, slots=True)
class NodeStatus:
    """Task counts and targets of a node, computed with all running and pending tasks."""

    pending: int = 0
    running: int = 0
    long_term: float = 0.0
    target: float = 0.0

    def plus(self, other: "NodeStatus") -> "NodeStatus":
        return NodeStatus(
            self.pending + other.pending,
            self.running + other.running,
            self.long_term + other.long_term,
            self.target + other.target,
        )


@dataclass(slots=True)
class RunShareTree:
    """The share tree of one run."""

    tree: ShareTree
    usage: PastUsage
    policy: UsagePolicy
    node_statuses: Mapping[Node, NodeStatus] = field(default_factory=dict)
    """Results of the first pass (with all tasks), which decides about pending tasks."""
    _nodes: dict[tuple[int, int], Node | None] = field(default_factory=dict)
    """(id of the user's ticket holder, id of the project's) -> the node of their tasks."""

    def enter(self, running: Sequence[TaskRef], pending: Sequence[TaskRef]) -> None:
        """Assign all tasks to nodes, and calculate the targets."""
        for ref in (*running, *pending):
            ref.node = self._node_of(ref.ticket_holders[0], ref.ticket_holders[1])
        set_usage(self.tree, self.usage, self.policy)
        self._set_targets(running, pending)
        self.node_statuses = {
            node: NodeStatus(node.pending, node.running, node.long_term, node.target) for node in self.tree.nodes
        }

    def leave_running(self, running: Sequence[TaskRef]) -> None:
        """Calculate the targets as if no task were pending."""
        self._set_targets(running, ())

    def _set_targets(self, running: Sequence[TaskRef], pending: Sequence[TaskRef]) -> None:
        self.tree.count(running, pending)
        set_targets(self.tree, self.policy.compensation)

    def note_finished(self, jobs: Iterable[RunJob]) -> None:
        """Create copies of `default` for users of jobs that have just finished, so that their usage counts there."""
        for run_job in jobs:
            if any(has_just_finished(task.state) for task in run_job.job.tasks.values()):
                self._node_of(*run_job.ticket_holders[:2])

    def _node_of(self, user: TicketHolder | None, project: TicketHolder | None) -> Node | None:
        key = (id(user), id(project))
        if key not in self._nodes:
            self._nodes[key] = self.tree.node_of(
                user.entitlement.name if user is not None else None,
                project.entitlement.name if project is not None else None,
            )
        return self._nodes[key]


def share_tree_of(compiled: CompiledCluster, usage: PastUsage, jobs: Iterable[RunJob]) -> RunShareTree | None:
    """Return the share tree of a run; None if none is configured."""
    if not compiled.share_tree:
        return None
    run_share_tree = RunShareTree(ShareTree(compiled.share_tree), usage, compiled.policy.tickets.usage)
    run_share_tree.note_finished(jobs)
    return run_share_tree
