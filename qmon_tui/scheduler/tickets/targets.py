"""What each node of the share tree is entitled to: by its shares, and by its shares and usage (tickets.md section 6.4).

Only nodes with tasks take part; what the idle ones could have is divided among their siblings.
"""

from collections.abc import Sequence

from qmon_tui.scheduler.tickets.tree import Node, ShareTree

_LEAST_USAGE = 1.0
"""Usage of the whole tree below which it makes no difference."""


def set_targets(tree: ShareTree, compensation: float) -> None:
    """Work out long_term, among_siblings and target of all nodes from shares, tasks and usage."""
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
    """Divide what a node gets among its children in proportion to shares squared over usage."""
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
    """The claim of a node that would get more than compensation_factor times its long-term part is lowered, once."""
    limit = compensation * node.long_term
    if not limit or not node.target > limit:
        return claim
    usage = max(node.usage, _LEAST_USAGE * node.long_term)
    return float(node.shares) * node.shares / (usage * (node.target / limit))


def _set(parent: Node, children: Sequence[Node], claims: Sequence[float]) -> None:
    total = sum(claims)
    for child, claim in zip(children, claims, strict=True):
        child.among_siblings = claim / total if total else 0.0
        child.target = parent.target * child.among_siblings
