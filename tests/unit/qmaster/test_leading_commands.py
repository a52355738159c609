"""The commands between two configurations (qconf.md#order-of-changes), carried out by our own qmaster."""

import pytest

from qmon_tui.model.cluster import Cluster, config_object
from qmon_tui.model.defaults import default_complexes, default_objects
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import State
from qmon_tui.qmaster import leading_commands, script_lines
from qmon_tui.sources import read_folder
from qmon_tui.workspace import differences
from tests.differential.leading import CONFIGS, drawn_pair

FRESH = Cluster().with_objects([*default_complexes(), *default_objects()])


@pytest.mark.parametrize("seed", range(6))
def test_each_command_is_taken_and_all_of_them_make_the_other_cluster(seed: int) -> None:
    before, after = drawn_pair(seed)
    cluster = before
    for command in leading_commands(before, after):
        reply = command.apply(cluster, State())
        assert not reply.said, (command.line, reply.said)
        assert reply.cluster is not None
        cluster = reply.cluster
    assert differences(cluster, after) == ()


def test_few_changes_are_set_singly_and_of_users_all() -> None:
    cluster = read_folder(CONFIGS / "site").cluster
    queue = cluster.objects(Kind.QUEUE)["long.q"]
    user = cluster.objects(Kind.USER)["anna"]
    edited = cluster.with_objects(
        [queue.with_value("seq_no", "7"), user.with_values({"fshare": "9", "oticket": "8", "delete_time": "5"})]
    )
    assert script_lines(leading_commands(cluster, edited)) == (
        "qconf -rattr user oticket 8 anna",
        "qconf -rattr user fshare 9 anna",
        "qconf -rattr user delete_time 5 anna",
        "qconf -rattr queue seq_no 7 long.q",
    )
    assert script_lines(leading_commands(cluster, cluster)) == ()


def test_settings_of_hosts_that_are_gone_need_the_whole_queue() -> None:
    queue = config_object(Kind.QUEUE, "q", {"hostlist": "a b", "slots": "1,[a=2]"})
    before = FRESH.with_objects([queue])
    after = FRESH.with_objects([queue.with_value("slots", "3")])
    lines = script_lines(leading_commands(before, after))
    assert lines[:3] == ('cd "$(mktemp -d)"', "cat > q <<'END'", "qname                 q")
    assert lines[-2:] == ("END", "qconf -Mq q")


def test_circles_of_queues_and_groups_are_closed_in_the_end_and_opened_before_they_are_deleted() -> None:
    queues = [
        config_object(Kind.QUEUE, name, {"hostlist": "NONE", "subordinate_list": f"{other}=1"})
        for name, other in (("a", "b"), ("b", "a"))
    ]
    both = FRESH.with_objects(queues)
    assert [command.line for command in leading_commands(FRESH, both)] == [
        "qconf -Aq b", "qconf -Aq a", "qconf -Mq b",
    ]  # fmt: skip
    assert [command.line for command in leading_commands(both, FRESH)] == [
        "qconf -rattr queue subordinate_list NONE b", "qconf -dq a", "qconf -dq b",
    ]  # fmt: skip


def test_objects_of_other_kinds_that_share_a_name_are_no_circle() -> None:
    environments = [config_object(Kind.PE, name, {}) for name in ("a", "b")]
    queues = [
        config_object(Kind.QUEUE, name, {"hostlist": "NONE", "pe_list": other})
        for name, other in (("a", "b"), ("b", "a"))
    ]
    both = FRESH.with_objects([*environments, *queues])
    assert [command.line for command in leading_commands(FRESH, both)] == [
        "qconf -Ap a", "qconf -Ap b", "qconf -Aq a", "qconf -Aq b",
    ]  # fmt: skip
    assert [command.line for command in leading_commands(both, FRESH)] == [
        "qconf -dq b", "qconf -dq a", "qconf -dp b", "qconf -dp a",
    ]  # fmt: skip


def test_a_quota_set_leaves_the_others_alone_and_attributes_go_last() -> None:
    lic = config_object(Kind.COMPLEX, "lic", {"shortcut": "lic", "type": "INT", "relop": "<=", "consumable": "YES"})
    sets = [config_object(Kind.QUOTA, name, {"limit": "users {*} to lic=1"}) for name in ("one", "two")]
    before = FRESH.with_objects([lic, *sets])
    after = FRESH.with_objects([sets[0].with_value("limit", "to slots=1")])
    assert [command.line for command in leading_commands(before, after)] == [
        "qconf -Mrqs one one", "qconf -drqs two", "qconf -Mc complexes",
    ]  # fmt: skip
