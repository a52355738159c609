"""Which nodes lie on a common circle."""

from hypothesis import given, strategies as st

from qmon_tui.model.strongly_connected import strongly_connected_components

NODES = st.sampled_from("abcdefg")
GRAPHS = st.dictionaries(NODES, st.lists(NODES, max_size=4).map(tuple), max_size=7)


def reaches(graph: dict[str, tuple[str, ...]], start: str, goal: str) -> bool:
    seen, ways = set(), [start]
    while ways:
        node = ways.pop()
        if node == goal:
            return True
        if node not in seen:
            seen.add(node)
            ways += [other for other in graph.get(node, ()) if other in graph]
    return False


@given(GRAPHS)
def test_two_nodes_share_a_component_where_each_reaches_the_other(graph: dict[str, tuple[str, ...]]) -> None:
    found = strongly_connected_components(graph)
    assert set(found) == set(graph)
    for one in graph:
        for other in graph:
            assert (found[one] == found[other]) == (reaches(graph, one, other) and reaches(graph, other, one))


def test_a_long_way_needs_no_deep_stack() -> None:
    ring = {str(number): (str((number + 1) % 50_000),) for number in range(50_000)}
    assert len(set(strongly_connected_components(ring).values())) == 1
