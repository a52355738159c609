"""The hosts of a hostgroup and the ways to them."""

from qmon_tui.model.cluster import Cluster, config_object
from qmon_tui.model.instances import MemberKind, find_members, resolve_group
from qmon_tui.model.kinds import Kind
from qmon_tui.report.hostgroups import resolved_rows


def cluster(**groups: str) -> Cluster:
    return Cluster("c").with_objects([
        config_object(Kind.HOSTGROUP, f"@{name}", {"group_name": f"@{name}", "hostlist": hosts})
        for name, hosts in groups.items()
    ])  # fmt: skip


NESTED = cluster(all="n9 @fast @slow n1", fast="n1 n2 @gpu", gpu="N3", slow="n2 @all @gone")


def test_each_host_comes_once_by_the_first_way() -> None:
    hosts = {member.name: member.path for member in find_members(NESTED, "@all") if member.kind is MemberKind.HOST}
    assert hosts == {
        "n9": ("@all",),
        "n1": ("@all", "@fast"),
        "n2": ("@all", "@fast"),
        "n3": ("@all", "@fast", "@gpu"),
    }
    assert tuple(hosts) == resolve_group(NESTED, "@all")


def test_groups_that_add_nothing_are_named() -> None:
    found = {member.name: member.kind for member in find_members(NESTED, "@all")}
    assert (found["@all"], found["@gone"]) == (MemberKind.CIRCLE, MemberKind.UNKNOWN)
    assert find_members(NESTED, "@gone") == ()


def test_groups_nested_deeper_than_python_calls_are_resolved() -> None:
    deep = cluster(**{f"g{n}": f"@g{n + 1}" for n in range(3000)}, g3000="n1")
    assert [member.name for member in find_members(deep, "@g0")] == ["n1"]


def test_rows_say_what_is_wrong_in_words() -> None:
    texts = {row.key: [cell.text for cell in row.cells] for row in resolved_rows(NESTED, "@all")}
    assert texts["n3"] == ["n3", "@fast ▸ @gpu"]
    assert texts["n9"] == ["n9", "listed itself"]
    assert texts["@gone"] == ["✗ @gone", "@slow there is no such group"]
