"""Loops in slot-wise preemption, as a real qmaster answered to one change after the other."""

import pytest

from qmon_tui.checks import check_object
from qmon_tui.checks.subordinate_loops import _in_tree, _leads
from qmon_tui.model.cluster import Cluster, ConfigObject, config_object
from qmon_tui.model.kinds import Kind
from tests.unit.checks.recorded import errors

HOSTS = [config_object(Kind.HOST, name, {"hostname": name}) for name in ("sim1", "sim2")]


def queue(name: str, subordinates: str, hosts: str = "sim1 sim2") -> ConfigObject:
    values = {"qname": name, "hostlist": hosts, "load_thresholds": "NONE", "subordinate_list": subordinates}
    return config_object(Kind.QUEUE, name, values)


EMPTY = Cluster().with_objects([*HOSTS, *(queue(name, "NONE") for name in "ABCDE")])


def loop(queue_name: str, other: str) -> str:
    return (
        f'denied: adding "{other}" to the subordinate_list of "{queue_name}" would create a loop '
        "in the slotwise preemption configuration!"
    )


@pytest.mark.parametrize(
    ("steps", "refused"),
    [
        (["A slots=2(B)", "B slots=2(A)"], ("B", "A")),
        (["A slots=2(B)", "B A=1"], ("B", "A")),
        (["A B=1", "B slots=2(A)"], None),
        (["A B=1", "B A=1"], None),
        (["A slots=2(B)", "B slots=2(C)", "C slots=2(A)"], ("C", "A")),
        (["A slots=2(B)", "B C", "C slots=2(A)"], None),
        (["A slots=2(B)", "B slots=2(C)", "C A"], ("C", "A")),
        (["A slots=2(B,C)", "B slots=2(C)"], ("B", "C")),
        (["A slots=2(B,C)", "B C"], ("B", "C")),
        (["A slots=2(C)", "B slots=2(C)"], None),
        (["A NONE,[sim1=slots=2(B)]", "B NONE,[sim2=slots=2(A)]"], None),
        (["A NONE,[sim1=slots=2(B)]", "B NONE,[sim1=slots=2(A)]"], ("B", "A")),
        (["A slots=2(B)", "C slots=2(B)", "A slots=2(B,C)"], None),
        (["A slots=2(B)", "A slots=3(B)", "A slots=2(B,C)", "A slots=2(C)"], None),
        (["A slots=2(B)", "B slots=2(C)", "A slots=3(B,C)"], ("A", "C")),
        (["A slots=2(B,C)", "B slots=2(D)", "D C"], ("D", "C")),
        (["A slots=2(B,C)", "B slots=2(D)", "C slots=2(D)"], ("C", "D")),
        (["A slots=2(B)", "C slots=2(D)", "D slots=2(B)", "A slots=2(B,C)"], None),
        (["A slots=2(B)", "C slots=2(B)", "D slots=2(A,C)"], None),
        (["A slots=2(B)", "B slots=2(C)", "A C=1"], ("A", "C")),
        (["A B=1", "B slots=2(A)", "A B=2,C"], None),
        # These two are accepted by 8.1.9, which then dies of the loop and cannot be started again.
        (["A B=1", "B slots=2(A)", "A slots=2(B)"], ("A", "B")),
        (["A slots=2(C)", "B slots=2(C)", "C slots=2(D)", "D slots=2(A)"], ("D", "A")),
    ],
    ids=lambda value: " / ".join(value) if isinstance(value, list) else "",
)
def test_one_change_after_the_other(steps: list[str], refused: tuple[str, str] | None) -> None:
    cluster = EMPTY
    for number, step in enumerate(steps):
        name, _, subordinates = step.partition(" ")
        obj = queue(name, subordinates)
        messages = [finding.message for finding in errors(cluster, obj)]
        last = number == len(steps) - 1
        assert messages == ([loop(*refused)] if last and refused else [])
        cluster = cluster.with_object(obj)


def test_queues_that_share_no_host_make_no_loop() -> None:
    cluster = EMPTY.with_objects([queue("A", "slots=2(B)", "sim1"), queue("B", "slots=2(A)", "sim2")])
    assert errors(cluster, cluster.objects(Kind.QUEUE)["B"]) == []


def test_a_loop_that_is_there_is_found_without_a_change() -> None:
    cluster = EMPTY.with_objects([queue("A", "slots=2(B)"), queue("B", "slots=2(A)")])
    assert errors(cluster, cluster.objects(Kind.QUEUE)["A"])[0].message == loop("A", "B")


def rules(cluster: Cluster, name: str) -> set[str]:
    return {finding.rule for finding in check_object(cluster, cluster.objects(Kind.QUEUE)[name])}


def test_what_depends_on_the_order_of_changes_is_a_warning() -> None:
    cluster = EMPTY.with_objects([queue("B", "slots=2(C)"), queue("A", "slots=2(B,C)")])
    assert "queue.subordinates.tangled" in rules(cluster, "B")
    assert "queue.subordinates.tangled" not in rules(cluster, "A")


def test_queues_that_suspend_each_other() -> None:
    cluster = EMPTY.with_objects([queue("A", "B=1"), queue("B", "A=1")])
    assert "queue.subordinates.mutual" in rules(cluster, "A")
    assert "queue.subordinates.mutual" not in rules(EMPTY.with_object(queue("A", "B=1")), "A")


@pytest.mark.parametrize(("other", "hosts", "inside"), [("c", "n1", True), ("c", "n2", False), ("d", "n1", False)])
def test_the_tree_of_a_queue_is_found_beside_a_loop(other: str, hosts: str, inside: bool) -> None:
    here, both = frozenset({"n1"}), frozenset({"n1", "n2"})
    edges = {"root": {"a": both, "c": here}, "a": {"b": both}, "b": {"a": both}}
    assert _in_tree(edges, "a", other, frozenset({hosts})) is inside


def test_of_several_ways_each_is_gone_on_the_hosts_that_it_has() -> None:
    one, other = frozenset({"n1"}), frozenset({"n2"})
    edges = {"A": {"B": one, "C": other, "D": one}, "B": {"E": one}, "C": {"F": one}, "D": {"B": one}}
    for goal, hosts, leads in (
        ("E", one, True),
        ("E", other, False),
        ("E", one | other, True),
        # On no host both steps are taken.
        ("F", one | other, False),
        ("D", one, True),
        ("A", one, True),
        ("A", frozenset[str](), False),
    ):
        assert _leads(edges, "A", goal, hosts) == leads


def test_a_list_that_cannot_be_read_is_nobodys_way() -> None:
    cluster = EMPTY.with_objects([queue("C", "slots=many(A"), queue("A", "slots=2(B)")])
    findings = errors(cluster, queue("B", "slots=2(A)"))
    assert [finding.message for finding in findings] == [loop("B", "A")]
