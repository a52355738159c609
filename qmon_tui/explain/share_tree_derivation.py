"""The share tree tickets of a task as arithmetic: the part of its node, divided among the node's tasks.

Source: tickets.md#share-tree-tickets-of-running-tasks, tickets.md#share-tree-tickets-of-pending-tasks and
tickets.md#targets-of-nodes.
"""

from collections.abc import Sequence
from math import fsum

from qmon_tui.explain.explanation import Derivation, given, number_text
from qmon_tui.qmaster import Run
from qmon_tui.scheduler.priority import Node, TaskRef, TreeGrant

_LEAST_USAGE = 1.0


def share_tree_derivation(run: Run, ref: TaskRef) -> Derivation:
    """Return the share tree tickets of a task to which the run gave tickets."""
    all_tickets = run.compiled.policy.tickets.share
    if run.run_share_tree is None or all_tickets <= 0:
        return given(
            "stckt", 0.0, "there is no share tree" if run.run_share_tree is None else "weight_tickets_share is 0"
        )
    weight = given("weight_tickets_share", all_tickets, "scheduler")
    if ref in run.formula.order.running:
        return _running(ref, weight)
    grant = next((grant for grant in run.formula.order.share_tree if grant.ref is ref), None)
    return given("stckt", 0.0, "it has no node in the share tree") if grant is None else _pending(run, grant, weight)


def _running(ref: TaskRef, weight: Derivation) -> Derivation:
    """Return the tickets of the second pass, with running tasks only."""
    node = ref.node
    if node is None or not node.tasks:
        return given("stckt", 0.0, "it has no node in the share tree")
    path = _path(node)
    target = Derivation(
        f"target of {node.name}",
        node.target,
        " × ".join(number_text(step.among_siblings) for step in path) or "1",
        "running tasks only",
        tuple(given(f"part of {step.name}", step.among_siblings, _shares_words(step)) for step in path),
    )
    product = node.target * weight.value
    arithmetic = f"{number_text(weight.value)} × {number_text(node.target)}"
    if node.job_shares:
        own = ref.run_job.job.request.job_share
        parts = (weight, target, given("-js", own), given("all -js on the node", node.job_shares))
        words = f"{arithmetic} × {own}/{node.job_shares}"
        return Derivation("stckt", float(int(own * product / node.job_shares)), words, "cut to a whole number", parts)
    tasks = given("running tasks on the node", node.tasks, node.name)
    return Derivation("stckt", product / node.tasks, f"{arithmetic} / {node.tasks}", "", (weight, target, tasks))


def _path(node: Node) -> Sequence[Node]:
    """Return the nodes from below the root down to this one."""
    path = [node]
    while path[0].parent is not None:
        path.insert(0, path[0].parent)
    return path[1:]


def _shares_words(node: Node) -> str:
    usage = number_text(node.usage)
    return f"shares {node.shares}, usage {usage}: shares² / usage among the siblings with tasks"


def _pending(run: Run, grant: TreeGrant, weight: Derivation) -> Derivation:
    """Return the tickets of the first pass, with all tasks."""
    part = _part(run, grant)
    ahead = given("place", grant.ahead, f"slots of the tasks before it below {grant.node.name}, and 1")
    arithmetic = f"{number_text(weight.value)} × {number_text(part.value)}"
    arithmetic += f" / {grant.ahead}" if grant.ahead > 1 else ""
    return Derivation("stckt", part.value / grant.ahead * weight.value, arithmetic, "", (weight, part, ahead))


def _part(run: Run, grant: TreeGrant) -> Derivation:
    """Return a node's fraction among its siblings with tasks: shares squared over usage."""
    tree, node = run.run_share_tree, grant.node
    name = f"part of {node.name}"
    if tree is None or node.parent is None:
        return given(name, grant.part, "the whole tree")
    if tree.policy.compensation:
        return given(name, grant.part, f"{_shares_words(node)}, held down by compensation_factor")
    statuses = tree.node_statuses
    siblings = [child for child in node.parent.children if child in statuses]
    active = [child for child in siblings if statuses[child].pending or statuses[child].running]
    claims = [_claim(child, statuses[child].long_term) for child in active]
    own = _claim(node, statuses[node].long_term)
    every = fsum(claim.value for claim in claims)
    value = own.value / every if every else 0.0
    words = " + ".join(number_text(claim.value) for claim in claims[:8]) + (" + …" if len(claims) > 8 else "")
    return Derivation(name, value, f"{number_text(own.value)} / ({words})", "", (own, *claims[:8]))


def _claim(node: Node, long_term: float) -> Derivation:
    """Return shares squared over usage, where usage is at least the node's fraction by shares alone."""
    name = f"claim of {node.name}"
    if long_term <= 0:
        return given(name, 0.0, "no shares")
    usage = max(node.usage, _LEAST_USAGE * long_term)
    parts = (given("shares", node.shares, f"share tree: {node.name}"), given("usage", usage, "past usage, weighed"))
    return Derivation(
        name, float(node.shares) * node.shares / usage, f"{node.shares}² / {number_text(usage)}", "", parts
    )
