"""Strongly connected components of a directed graph."""

from collections.abc import Iterator, Mapping, Sequence


def strongly_connected_components(graph: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Return node -> number of its strongly connected component: nodes that reach each other have the same number.

    Tarjan's algorithm without recursion, in time linear in nodes and edges; edges to unknown nodes do not count.
    """
    component_of: dict[str, int] = {}
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    open_nodes: list[str] = []
    for root in graph:
        if root in order:
            continue
        path: list[tuple[str, Iterator[str]]] = []
        _enter(root, graph, order, lowest, open_nodes, path)
        while path:
            node, edges = path[-1]
            following = next((other for other in edges if other in graph and other not in component_of), None)
            if following is None:
                path.pop()
                if path:
                    parent = path[-1][0]
                    lowest[parent] = min(lowest[parent], lowest[node])
                if lowest[node] == order[node]:
                    _close(node, component_of, open_nodes)
            elif following in order:
                lowest[node] = min(lowest[node], order[following])
            else:
                _enter(following, graph, order, lowest, open_nodes, path)
    return component_of


def _enter(
    node: str,
    graph: Mapping[str, Sequence[str]],
    order: dict[str, int],
    lowest: dict[str, int],
    open_nodes: list[str],
    path: list[tuple[str, Iterator[str]]],
) -> None:
    """Open a node, as the last one on the path that the search follows."""
    order[node] = lowest[node] = len(order)
    open_nodes.append(node)
    path.append((node, iter(graph[node])))


def _close(node: str, component_of: dict[str, int], open_nodes: list[str]) -> None:
    """Make a component of `node` and all nodes opened after it; `node` reaches no earlier open node."""
    number = len(component_of)
    while node not in component_of:
        component_of[open_nodes.pop()] = number
