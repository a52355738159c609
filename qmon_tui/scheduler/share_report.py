"""The share tree after a run as sge_share_mon(1) shows it: `default` nodes with a child for each user that shares them.

What a node has in tasks and is entitled to is that of the decisions: there those users stand beside `default`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from qmon_tui.model.kinds import Kind
from qmon_tui.scheduler.compiled.access import listed
from qmon_tui.scheduler.outcome import ShareNodeOutcome
from qmon_tui.scheduler.tickets.sharing import Sharing, Standing
from qmon_tui.scheduler.tickets.tree import Node, ShareTree, Territory
from qmon_tui.scheduler.tickets.usage import faded_book, set_usage
from qmon_tui.values.lists import BLANK, split_names

if TYPE_CHECKING:
    from qmon_tui.qmaster.run import Run

_IDLE = Standing()


def share_outcomes(run: "Run") -> tuple[ShareNodeOutcome, ...]:
    """All nodes, depth first; empty where there is no tree."""
    sharing = run.sharing
    if sharing is None:
        return ()
    shown = ShareTree(run.compiled.share_tree)
    configured = list(shown.nodes)
    users = _users(run)
    _show_users(shown, run, users)
    set_usage(shown, sharing.usage, sharing.policy)
    standings = _standings(sharing, configured)
    return tuple(_outcomes(shown, standings, frozenset(users)))


def usage_ahead(run: "Run", seconds: Sequence[float]) -> tuple[tuple[float, ...], ...]:
    """The combined usage of each node, in the order of `share_outcomes`, after some times in which nobody uses more."""
    sharing = run.sharing
    if sharing is None:
        return ()
    shown = ShareTree(run.compiled.share_tree)
    _show_users(shown, run, _users(run))
    columns = []
    for after in seconds:
        book, policy = sharing.usage, sharing.policy
        set_usage(shown, faded_book(book, run.now + int(after), policy), policy)
        columns.append([node.usage for node in _depth_first(shown)])
    return tuple(zip(*columns, strict=True))


def _depth_first(shown: ShareTree) -> Iterator[Node]:
    ahead = [shown.root]
    while ahead:
        node = ahead.pop()
        yield node
        ahead += reversed(node.children)


def _users(run: "Run") -> list[str]:
    """All users that there are: configured ones, and those that came into being with their first job."""
    owners = (run_job.job.owner for run_job in run.jobs if run_job.accounts[0] is not None)
    return list(dict.fromkeys((*run.compiled.shares.users, *owners, *run.usage.users)))


def _show_users(shown: ShareTree, run: "Run", users: Iterable[str]) -> None:
    """Give `default` nodes a child for each user that has no node there; within projects for those who may enter."""
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
            _add_users(shown, shown.territory(node), inside)
    _add_users(shown, shown.territory(shown.root), users)


def _add_users(shown: ShareTree, territory: Territory, users: Iterable[str]) -> None:
    default = territory.default
    if default is not None:
        for user in users:
            if not territory.knows(user):
                shown.add(Node(user, default.shares, default))


def _standings(sharing: Sharing, configured: Iterable[Node]) -> Mapping[tuple[int, str], Standing]:
    """By place of the configured node, and the name of the user that shares it ("" for the node itself)."""
    places = {node: place for place, node in enumerate(sharing.tree.nodes)}
    found: dict[tuple[int, str], Standing] = {}
    for node, standing in sharing.standings.items():
        if node.copied_from is None:
            found[places[node], ""] = standing
    for node, standing in sharing.standings.items():
        if node.copied_from is not None:
            default = places[node.copied_from]
            found[default, node.name] = standing
            found[default, ""] = found.get((default, ""), _IDLE).plus(standing)
    return found


def _outcomes(
    shown: ShareTree, standings: Mapping[tuple[int, str], Standing], users: frozenset[str]
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
        own = standings.get((places[node], ""))
        if own is None and parent is not None:
            own = standings.get((places[parent], node.name))
        standing = own or _IDLE
        yield ShareNodeOutcome(
            path=path,
            name=node.name,
            user=node.name if not node.children and node.name in users else None,
            project=project,
            shares=node.shares,
            level=level,
            total=total,
            jobs=standing.pending + standing.running,
            running=standing.running,
            long_term=standing.long_term,
            target=standing.target,
            actual=node.usage / whole if whole else 0.0,
            usage=node.usage,
        )
        shares = sum(child.shares for child in node.children)
        below = "" if parent is None else path
        for child in reversed(node.children):
            part = child.shares / shares if shares else 0.0
            ahead.append((child, f"{below}/{child.name}", part, total * part, project))
