"""The share tree edited node by node."""

import pytest
from hypothesis import given, settings, strategies as st

from qmon_tui.model.sharetree import ShareNode, parse_share_tree
from qmon_tui.model.sharetree_editing import (
    NEW_TREE,
    NodePosition,
    TypedNode,
    added,
    copied,
    is_below,
    moved,
    place_of,
    removed,
    shifted,
    tree_rows,
    tree_text,
    typed_nodes,
    with_field,
    with_nodes,
)
from tests.unit.scheduler.building import sharetree

TREE = sharetree(
    physics=(60, {"anna": 10, "bela": 20, "rest": (70, {"default": 1})}), biology=(40, {"chen": 1, "default": 3})
).text("tree")
Nested = tuple[str, int, tuple["Nested", ...]]


def nested(node: ShareNode) -> Nested:
    return node.name, node.shares, tuple(nested(child) for child in node.children)


def paths(text: str) -> list[str]:
    return [row.path for row in tree_rows(text)]


def place(path: str) -> NodePosition:
    found = place_of(TREE, path)
    assert found is not None
    return found


def test_rows_have_the_parts_that_shares_give() -> None:
    assert [(row.path, row.shares, round(row.level, 4), round(row.total, 4)) for row in tree_rows(TREE)] == [
        ("/", 1, 1, 1),
        ("/physics", 60, 0.6, 0.6),
        ("/physics/anna", 10, 0.1, 0.06),
        ("/physics/bela", 20, 0.2, 0.12),
        ("/physics/rest", 70, 0.7, 0.42),
        ("/physics/rest/default", 1, 1, 0.42),
        ("/biology", 40, 0.4, 0.4),
        ("/biology/chen", 1, 0.25, 0.1),
        ("/biology/default", 3, 0.75, 0.3),
    ]
    assert sum(row.total for row in tree_rows(TREE) if row.is_leaf) == pytest.approx(1)


def test_what_is_written_again_is_the_same_text_but_for_the_numbers_of_children() -> None:
    root = parse_share_tree(NEW_TREE)
    assert root is not None
    assert tree_text(root) == NEW_TREE


def test_nodes_are_added_removed_and_changed() -> None:
    text, where = added(TREE, place("/biology"), "dora", 5)
    assert where == (1, 2)
    assert paths(text) == [*paths(TREE), "/biology/dora"]
    assert removed(text, where) == removed(added(TREE, (1,), "emil", 1)[0], where)
    assert paths(removed(TREE, place("/physics"))) == ["/", "/biology", "/biology/chen", "/biology/default"]
    assert removed(TREE, ()) == ""
    assert paths(with_field(TREE, (0,), "name", "astro"))[1:3] == ["/astro", "/astro/anna"]
    assert tree_rows(with_field(TREE, (1, 0), "shares", "9"))[7].level == 0.75


def test_several_nodes_are_added_by_their_paths_with_those_on_the_way() -> None:
    typed = typed_nodes("dora /physics/anna=40,\n/astro/stars/emil = 7")
    assert typed == (
        TypedNode(("dora",)),
        TypedNode(("physics", "anna"), 40, absolute=True),
        TypedNode(("astro", "stars", "emil"), 7, absolute=True),
    )
    text, places = with_nodes(TREE, place("/biology"), typed, 10)
    shares = {row.path: row.shares for row in tree_rows(text)}
    assert shares.keys() - set(paths(TREE)) == {"/biology/dora", "/astro", "/astro/stars", "/astro/stars/emil"}
    assert [shares[path] for path in ("/biology/dora", "/physics/anna", "/astro", "/astro/stars/emil")] == [
        10, 40, 10, 7,
    ]  # fmt: skip
    assert places == tuple(place_of(text, path) for path in ("/biology/dora", "/physics/anna", "/astro/stars/emil"))


@pytest.mark.parametrize("typed", ["physics/", "//anna", "anna=", "anna=-1", "anna=1.5", ","])
def test_what_is_no_path_with_shares_is_told(typed: str) -> None:
    with pytest.raises(ValueError, match=r"missing|whole number"):
        typed_nodes(typed)


def test_a_first_node_is_the_root() -> None:
    text, where = added("", (), "Root", 1)
    assert (paths(text), where) == (["/"], ())


def test_nodes_are_moved_and_copied_with_all_below_them() -> None:
    text, where = moved(TREE, place("/physics/rest"), place("/biology"))
    assert (where, place_of(text, "/biology/rest")) == ((1, 2), (1, 2))
    assert paths(text)[-2:] == ["/biology/rest", "/biology/rest/default"]
    assert moved(TREE, (0,), (0, 2)) == (TREE, (0,))
    assert moved(TREE, (0, 0), (0,)) == (TREE, (0, 0))
    # The goal is further back than the node, so that its own place changes.
    text, where = moved(TREE, (0,), (1, 0))
    assert (paths(text)[:4], where) == (["/", "/biology", "/biology/chen", "/biology/chen/physics"], (0, 0, 0))
    text, where = copied(TREE, place("/physics"), ())
    assert where == (2,)
    assert [row.name for row in tree_rows(text) if is_below(row.place, (2,))] == [
        "physics", "anna", "bela", "rest", "default",
    ]  # fmt: skip
    numbers = [line for line in text.split("\n") if line.startswith("id=")]
    assert len(set(numbers)) == len(numbers)


def test_siblings_change_places() -> None:
    text, where = shifted(TREE, (0, 0), 1)
    assert ([row.name for row in tree_rows(text)][2:4], where) == (["bela", "anna"], (0, 1))
    assert shifted(TREE, (0,), -1)[1] == (0,)


names = st.sampled_from(["anna", "bela", "default", "physics"])
trees = st.recursive(
    st.tuples(names, st.integers(0, 99), st.just(())),
    lambda below: st.tuples(names, st.integers(0, 99), st.lists(below, max_size=3).map(tuple)),
    max_leaves=8,
)


def built(tree: Nested) -> str:
    text, _ = added("", (), tree[0], tree[1])
    ahead: list[tuple[Nested, NodePosition]] = [(tree, ())]
    while ahead:
        node, here = ahead.pop(0)
        for child in node[2]:
            text, below = added(text, here, child[0], child[1])
            ahead.append((child, below))
    return text


@given(trees)
@settings(deadline=None)
def test_a_tree_built_node_by_node_reads_back(tree: Nested) -> None:
    root = parse_share_tree(built(tree))
    assert root is not None
    assert nested(root) == tree


@given(trees, st.data())
@settings(deadline=None)
def test_moving_loses_nothing(tree: Nested, data: st.DataObject) -> None:
    text = built(tree)
    rows = tree_rows(text)
    one, goal = (data.draw(st.sampled_from(rows)).place for _ in range(2))
    after, where = moved(text, one, goal)
    assert sorted(row.name for row in tree_rows(after)) == sorted(row.name for row in rows)
    assert next(row.name for row in tree_rows(after) if row.place == where) == next(
        row.name for row in rows if row.place == one
    )
