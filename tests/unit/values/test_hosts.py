import pytest

from qmon_tui.values.names import canonical, comparable, is_group, is_host_name, meant_host, same_host


def test_hosts_are_kept_in_lower_case_and_groups_as_typed() -> None:
    assert canonical("Node1.Example.ORG") == "node1.example.org"
    assert canonical("@AllHosts") == "@AllHosts"
    assert canonical("NODÉ") == "nodÉ"


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [("n1", "N1", True), ("n1.a", "n1.b", False), ("n1", "n1.a", False), ("@g", "@G", True), ("@g", "g", False)],
)
def test_names_of_one_host(a: str, b: str, same: bool) -> None:
    assert same_host(a, b) == same
    assert same_host(b, a) == same


def test_groups_begin_with_at() -> None:
    assert is_group("@g")
    assert not is_group("g@")
    assert comparable("@A.b") == "@a.b"


@pytest.mark.parametrize(
    ("name", "valid"),
    [
        ("node1", True), ("node-1.example.org", True), ("127.0.0.1", True), ("a_b", True), ("1", True), ("a.", True),
        ("", False), ("a b", False), ("a..b", False), ("-a", False), ("a-", False), ("vs*", False), ("@g", False),
        ("a," "b", False), ("a" * 256, False), ("node[1-3]", False),
    ],
)  # fmt: skip
def test_names_that_a_resolver_could_know(name: str, valid: bool) -> None:
    assert is_host_name(name) == valid


@pytest.mark.parametrize(
    ("name", "known", "hint"),
    [
        ("node1", {"node1.cluster.local", "node2.cluster.local"}, "did you mean node1.cluster.local?"),
        ("Node1.Cluster.Local", {"node1", "node2"}, "did you mean node1?"),
        ("node1.other", {"node1.cluster.local"}, "did you mean node1.cluster.local?"),
        ("node1", {"node1", "node1.cluster.local"}, ""),
        ("node1", {"node1.a", "node1.b"}, ""),
        ("node", {"node1.cluster.local"}, ""),
        ("", {"node1"}, ""),
    ],
)
def test_a_host_with_or_without_its_domain_is_meant(name: str, known: set[str], hint: str) -> None:
    assert meant_host(name, frozenset(known)) == hint
