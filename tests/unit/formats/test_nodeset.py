"""Node sets: names in ranges, taken apart and put together."""

import pytest
from ClusterShell.NodeSet import RESOLVER_NOGROUP, NodeSet
from hypothesis import given, strategies as st

from qmon_tui.formats.nodeset import LARGEST, expand_nodeset, fold_hosts


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("node1", ("node1",)),
        ("node[001-003]", ("node001", "node002", "node003")),
        ("n[1,3,5-9/2]x", ("n1x", "n3x", "n5x", "n7x", "n9x")),
        ("a[1-2]b[3-4].dom", ("a1b3.dom", "a1b4.dom", "a2b3.dom", "a2b4.dom")),
        ("@g[1", ("@g[1",)),
        ("global", ("global",)),
    ],
)
def test_names_of_a_set(text: str, names: tuple[str, ...]) -> None:
    assert expand_nodeset(text) == names


@pytest.mark.parametrize(
    "text",
    ["n[1-2", "n[]", "n[a-b]", "n[3-1]", "n[1-9999999]", "n[1-1000][1-1000]", "n[1-2],m", "n[1-2]@g", "n[[1]]"],
)
def test_what_is_no_set_is_said_with_its_text(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not a node set|stands for more than") as refused:
        expand_nodeset(text)
    assert text in str(refused.value)


def test_the_largest_set() -> None:
    assert len(expand_nodeset(f"n[1-{LARGEST}]")) == LARGEST


@given(st.sets(st.from_regex(r"[a-z]{1,2}(0?[0-9]{1,2})?", fullmatch=True), min_size=1, max_size=12))
def test_folding_loses_and_adds_nothing(names: set[str]) -> None:
    folded = fold_hosts(sorted(names))
    assert sorted(name for part in folded for name in expand_nodeset(part)) == sorted(names)
    assert len(folded) <= len(names)


@given(
    st.from_regex(r"([a-z0-9.-]{0,3}[a-z.-])?", fullmatch=True),
    st.from_regex(r"[0-9]{1,4}", fullmatch=True),
    st.integers(0, 300),
    st.from_regex(r"([a-z.-][a-z0-9.-]{0,3})?", fullmatch=True),
)
def test_one_range_is_what_cluster_shell_makes_of_it(before: str, first: str, more: int, after: str) -> None:
    last = f"{min(int(first) + more, 10 ** len(first) - 1):0{len(first)}}"
    text = f"{before}[{first}-{last}]{after}"
    assert expand_nodeset(text) == tuple(NodeSet(text, resolver=RESOLVER_NOGROUP))


def test_few_hosts_that_are_far_apart_are_refused_in_a_sentence() -> None:
    with pytest.raises(ValueError, match="is not a node set: range too large"):
        expand_nodeset("n[0-999999999/9999999]")
