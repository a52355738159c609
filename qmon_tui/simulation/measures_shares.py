"""The share to which each owner, project or department is entitled: by functional shares, share tree or equal parts.

Source: measures.md#share-received-and-share-entitled.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from qmon_tui.model import Job
from qmon_tui.scheduler.configuration import CompiledCluster
from qmon_tui.scheduler.priority import Node, ShareTree

KINDS: Final = ("owner", "project", "department")
Names = tuple[str, str | None, str | None]
"""Names of owner, project and department; None if a job has none."""
Parts = Mapping[str, float]


def names_of(compiled: CompiledCluster, job: Job) -> Names:
    """Return owner, project and department of a job."""
    return job.owner, compiled.shares.project_of(job), compiled.shares.department_of(job)


def entitled(compiled: CompiledCluster, active: Mapping[Names, int]) -> Iterator[tuple[str, Parts]]:
    """Yield owner, project and department, each with name -> entitled part (0 to 1) of all that have tasks."""
    policy = compiled.policy.tickets
    present = [names for names, count in active.items() if count > 0]
    of_kind = [dict.fromkeys(name for names in present if (name := names[place]) is not None) for place in range(3)]
    weights: Sequence[Parts] = ({}, {}, {})
    if policy.functional > 0:
        shares = (compiled.shares.users, compiled.shares.projects, compiled.shares.departments)
        weights = [
            {name: entitlement.functional_shares for name, entitlement in entitlements.items()}
            for entitlements in shares
        ]
    elif policy.share > 0:
        leaves = list(_by_tree(compiled, present))
        weights = [*(_summed((names[place], part) for names, part in leaves) for place in range(2)), {}]
    for kind, names, weight in zip(KINDS, of_kind, weights, strict=True):
        yield kind, _parts({name: weight.get(name, 0.0) for name in names})


def _parts(shares: Parts) -> Parts:
    """Return the shares as parts of their sum; equal parts if the sum is 0."""
    total = sum(shares.values())
    return {name: share / total if total else 1 / len(shares) for name, share in shares.items()}


def _by_tree(compiled: CompiledCluster, present: Iterable[Names]) -> Iterator[tuple[Names, float]]:
    """Yield names with tasks, and the part that their node has among all nodes with tasks."""
    if not compiled.share_tree:
        return
    tree = ShareTree(compiled.share_tree)
    nodes = {names: node for names in present if (node := tree.node_of(*names[:2])) is not None}
    active: set[Node] = set()
    for node in nodes.values():
        up: Node | None = node
        while up is not None and up not in active:
            active.add(up)
            up = up.parent
    sharing = Counter(id(node) for node in nodes.values())
    for names, node in nodes.items():
        part, up = 1.0, node
        while up.parent is not None:
            total = sum(sibling.shares for sibling in up.parent.children if sibling in active)
            part *= up.shares / total if total else 0.0
            up = up.parent
        yield names, part / sharing[id(node)]


def _summed(parts: Iterable[tuple[str | None, float]]) -> dict[str, float]:
    sums: dict[str, float] = {}
    for name, part in parts:
        if name is not None:
            sums[name] = sums.get(name, 0.0) + part
    return sums


def jain(values: Iterable[float]) -> float | None:
    """Return Jain's index: 1 if all values are equal, 1/n if one of n has all; None if there is no value above 0."""
    numbers = list(values)
    squares = sum(value * value for value in numbers)
    return sum(numbers) ** 2 / (len(numbers) * squares) if squares else None
