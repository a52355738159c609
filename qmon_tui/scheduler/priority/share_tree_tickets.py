"""Share tree tickets: users with less usage than their share come first.

A running task gets an equal part of its node's target. Pending tasks are sorted node by node, from the leaves up; on
each level earlier tasks reduce the tickets of later ones.

Source: tickets.md#share-tree-tickets-of-running-tasks and tickets.md#share-tree-tickets-of-pending-tasks.
"""

from collections.abc import Iterable, Sequence

from qmon_tui.scheduler.priority.share_tree_nodes import Node, ShareTree, TaskRef, TreeGrant

_JOB_SHARE_AFTER_TICKETS = 0.01
"""Weight of -js when it is added to the tickets of earlier policies."""

_Entry = tuple[bool, float, int, int, TaskRef]
"""A task in the order of its node: running before pending, then by value (highest first), job and task number."""


def divide_among_running(refs: Iterable[TaskRef], total: float) -> None:
    """Set the share tree tickets of running tasks; if some on a node have -js, by -js and in whole numbers.

    `total`: weight_tickets_share.
    """
    for ref in refs:
        node = ref.node
        if node is None or not node.tasks:
            ref.tickets.share_tree = 0.0
            continue
        tickets = node.target * total
        if node.job_shares:
            ref.tickets.share_tree = float(int(ref.run_job.job.request.job_share * tickets / node.job_shares))
        else:
            ref.tickets.share_tree = tickets / node.tasks


def divide_among_pending(
    tree: ShareTree, running: Sequence[TaskRef], pending: Sequence[TaskRef], total: float, *, dependent: bool
) -> list[TreeGrant]:
    """Set the share tree tickets of pending tasks; return them in the order in which they were given.

    `total`: weight_tickets_share; `dependent`: True if tickets of earlier policies count for the order.
    """
    grants: list[TreeGrant] = []
    top = _top_with_tasks(tree.root)
    entries: dict[Node, list[_Entry]] = {}
    for refs, waits in ((running, False), (pending, True)):
        for ref in refs:
            if ref.node is not None:
                share = ref.run_job.job.request.job_share
                value = ref.accumulated + _JOB_SHARE_AFTER_TICKETS * share if dependent else float(share)
                entries.setdefault(ref.node, []).append((waits, -value, ref.run_job.id, ref.task, ref))
    own = set(entries)
    for node in reversed(tree.nodes):
        node_entries = entries.get(node)
        if not node_entries:
            continue
        node_entries.sort()
        if node is top:
            if node in own:
                _grant(node, node_entries, total, grants)
            break
        parent = node.parent
        if parent is top and top not in own:
            _grant(node, node_entries, total, grants)
        elif parent is not None:
            entries.setdefault(parent, []).extend(_diluted(node, node_entries, total, dependent=dependent))
    for ref in pending:
        ref.accumulated += ref.tickets.share_tree
    return grants


def _top_with_tasks(root: Node) -> Node:
    """Return the lowest node that has all tasks on or below it; levels above it do not matter."""
    node = root
    while True:
        active = [child for child in node.children if child.tasks]
        if len(active) != 1:
            return node
        node = active[0]


def _diluted(node: Node, entries: Iterable[_Entry], total: float, *, dependent: bool) -> Iterable[_Entry]:
    """Yield a node's tasks with the values by which its parent sorts them."""
    ahead = 1
    for waits, _, job, task, ref in entries:
        value = node.among_siblings / ahead * total
        yield waits, -(ref.accumulated + value if dependent else value), job, task, ref
        ahead += ref.dilution


def _grant(node: Node, entries: Iterable[_Entry], total: float, grants: list[TreeGrant]) -> None:
    """Set the tickets of a node's pending tasks in order, and append them to `grants`."""
    ahead = 1
    for waits, _, _, _, ref in entries:
        if waits:
            ref.tickets.share_tree = node.among_siblings / ahead * total
            grants.append(TreeGrant(ref, node, node.among_siblings, ahead))
        ahead += ref.dilution
