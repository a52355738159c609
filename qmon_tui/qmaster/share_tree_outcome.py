"""The share tree after a run as sge_share_mon(1) shows it: users of a `default` node are its children.

Task counts and targets are those of the decisions, where these users are siblings of `default`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from qmon_tui.model import Kind, ShareNodeOutcome
from qmon_tui.scheduler.configuration import listed
from qmon_tui.scheduler.priority import Node, NodeScope, NodeStatus, RunShareTree, ShareTree, decayed_usage, set_usage
from qmon_tui.values import BLANK, split_names

if TYPE_CHECKING:
    from qmon_tui.qmaster.run import Run

_IDLE = NodeStatus()


def share_outcomes(run: "Run") -> tuple[ShareNodeOutcome, ...]:
    """Return all nodes, depth first; empty without a tree."""
    run_share_tree = run.run_share_tree
    if run_share_tree is None:
        return ()
    shown = ShareTree(run.compiled.share_tree)
    configured = list(shown.nodes)
    users = _users(run)
    _show_users(shown, run, users)
    set_usage(shown, run_share_tree.usage, run_share_tree.policy)
    node_statuses = _statuses(run_share_tree, configured)
    return tuple(_outcomes(shown, node_statuses, frozenset(users)))


def usage_ahead(run: "Run", seconds: Sequence[float]) -> tuple[tuple[float, ...], ...]:
    """Return each node's combined usage after some seconds without new usage, in the order of `share_outcomes`."""
    run_share_tree = run.run_share_tree
    if run_share_tree is None:
        return ()
    shown = ShareTree(run.compiled.share_tree)
    _show_users(shown, run, _users(run))
    columns = []
    for after in seconds:
        book, policy = run_share_tree.usage, run_share_tree.policy
        set_usage(shown, decayed_usage(book, run.now + int(after), policy), policy)
        columns.append([node.usage for node in _depth_first(shown)])
    return tuple(zip(*columns, strict=True))


def _depth_first(shown: ShareTree) -> Iterator[Node]:
    ahead = [shown.root]
    while ahead:
        node = ahead.pop()
        yield node
        ahead += reversed(node.children)


def _users(run: "Run") -> list[str]:
    """Return all users: configured ones, and those created with their first job."""
    owners = (run_job.job.owner for run_job in run.jobs if run_job.ticket_holders[0] is not None)
    return list(dict.fromkeys((*run.compiled.shares.users, *owners, *run.usage.users)))


def _show_users(shown: ShareTree, run: "Run", users: Iterable[str]) -> None:
    """Add a child to `default` nodes for each user without a node there; inside projects for users who may enter."""
    compiled = run.compiled
    for name, node in shown.projects.items():
        obj = compiled.cluster.get(Kind.PROJECT, name)
        if node.children and obj is not None:
            allowed, denied = (split_names(obj.text(field), BLANK) for field in ("acl", "xacl"))
            inside = [
                user
                for user in users
                if not listed(denied, user, "", compiled.usersets)
                and (not allowed or listed(allowed, user, "", compiled.usersets))
            ]
            _add_users(shown, shown.node_scope(node), inside)
    _add_users(shown, shown.node_scope(shown.root), users)


def _add_users(shown: ShareTree, node_scope: NodeScope, users: Iterable[str]) -> None:
    default = node_scope.default
    if default is not None:
        for user in users:
            if not node_scope.knows(user):
                shown.add(Node(user, default.shares, default))


def _statuses(run_share_tree: RunShareTree, configured: Iterable[Node]) -> Mapping[tuple[int, str], NodeStatus]:
    """Return (index of the configured node, user below it or "" for the node itself) -> status."""
    places = {node: place for place, node in enumerate(run_share_tree.tree.nodes)}
    statuses: dict[tuple[int, str], NodeStatus] = {}
    for node, status in run_share_tree.node_statuses.items():
        if node.copied_from is None:
            statuses[places[node], ""] = status
    for node, status in run_share_tree.node_statuses.items():
        if node.copied_from is not None:
            default = places[node.copied_from]
            statuses[default, node.name] = status
            statuses[default, ""] = statuses.get((default, ""), _IDLE).plus(status)
    return statuses


def _outcomes(
    shown: ShareTree, node_statuses: Mapping[tuple[int, str], NodeStatus], users: frozenset[str]
) -> Iterator[ShareNodeOutcome]:
    places = {node: place for place, node in enumerate(shown.nodes)}
    whole = shown.root.usage
    ahead: list[tuple[Node, str, float, float, str | None]] = [
        (shown.root, "/", *(2 * (1.0 if shown.root.shares else 0.0,)), None)
    ]
    while ahead:
        node, path, level, total, project = ahead.pop()
        project = project or (node.name if node.is_project else None)
        parent = node.parent
        own = node_statuses.get((places[node], ""))
        if own is None and parent is not None:
            own = node_statuses.get((places[parent], node.name))
        status = own or _IDLE
        yield ShareNodeOutcome(
            path=path,
            name=node.name,
            user=node.name if not node.children and node.name in users else None,
            project=project,
            shares=node.shares,
            level=level,
            total=total,
            jobs=status.pending + status.running,
            running=status.running,
            long_term=status.long_term,
            target=status.target,
            actual=node.usage / whole if whole else 0.0,
            usage=node.usage,
        )
        shares = sum(child.shares for child in node.children)
        below = "" if parent is None else path
        for child in reversed(node.children):
            part = child.shares / shares if shares else 0.0
            ahead.append((child, f"{below}/{child.name}", part, total * part, project))
