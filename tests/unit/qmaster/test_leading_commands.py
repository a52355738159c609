"""The commands between two configurations (qconf.md#order-of-changes), carried out by our own qmaster."""

import pytest

from qmon_tui.model.cluster import Cluster, config_object
from qmon_tui.model.defaults import default_complexes, default_objects
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import State
from qmon_tui.qmaster import QconfAdd, QconfDelete, QconfModify, leading_commands, script_lines
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
        assert not reply.messages, (command.line, reply.messages)
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


def lines(before: Cluster, after: Cluster) -> list[str]:
    return [command.line for command in leading_commands(before, after)]


def test_what_is_only_shown_or_spelled_otherwise_is_no_change() -> None:
    host = config_object(Kind.HOST, "n1", {"hostname": "n1", "load_values": "arch=lx", "complex_values": "slots=4"})
    queue = config_object(Kind.QUEUE, "q", {"hostlist": "n1", "slots": "4", "rerun": "TRUE"})
    before = FRESH.with_objects([host, queue])
    same = [host.with_value("load_values", "arch=sol"), queue.with_values({"slots": "04", "rerun": "true"})]
    assert lines(before, before.with_objects(same)) == []
    other = [host.with_value("complex_values", "slots=5"), queue.with_value("rerun", "FALSE")]
    assert lines(before, before.with_objects(other)) == [
        "qconf -rattr exechost complex_values slots=5 n1", "qconf -rattr queue rerun FALSE q",
    ]  # fmt: skip


def test_an_attribute_that_is_another_changes_the_complex() -> None:
    lic = config_object(Kind.COMPLEX, "lic", {"shortcut": "lic", "type": "INT", "relop": "<=", "consumable": "YES"})
    before = FRESH.with_objects([lic])
    assert lines(before, before.with_objects([lic.with_value("relop", ">=")])) == ["qconf -Mc complexes"]
    assert lines(FRESH, before) == ["qconf -Mc complexes"]


def test_lines_for_a_shell() -> None:
    commands = (
        QconfDelete(Kind.PE, "mpi"),
        QconfModify(config_object(Kind.MANAGERS, "managers", {"entries": "root"})),
        QconfAdd(config_object(Kind.PROJECT, "END", {"name": "END"})),
        QconfAdd(config_object(Kind.PROJECT, "b", {"name": "b", "acl": "END1,END2"})),
    )
    told = script_lines(commands)
    assert told[:4] == (
        'cd "$(mktemp -d)"', "qconf -dp mpi", "# no command does this: change managers", "cat > END <<'END1'",
    )  # fmt: skip
    assert [line for line in told if line.startswith("cat") or line in ("END1", "END3")] == [
        "cat > END <<'END1'", "END1", "cat > b <<'END3'", "END3",
    ]  # fmt: skip
    assert told[-1] == "qconf -Aprj b"
    assert sum(line.startswith("cd ") for line in told) == 1


@pytest.mark.parametrize(
    ("values", "last"),
    [
        ({"seq_no": "7", "slots": "8"}, ["qconf -rattr queue seq_no 7 q", "qconf -rattr queue slots 8 q"]),
        ({"seq_no": "7", "slots": "8", "rerun": "TRUE"}, ["qconf -Mq q"]),
    ],
)
def test_of_more_than_two_attributes_the_whole_object_is_given(values: dict[str, str], last: list[str]) -> None:
    queue = config_object(Kind.QUEUE, "q", {"hostlist": "n1"})
    before = FRESH.with_objects([queue])
    assert sorted(lines(before, before.with_objects([queue.with_values(values)]))) == last


@pytest.mark.parametrize(
    ("kind", "before", "after", "expected"),
    [
        (Kind.MANAGERS, "root", "root anna", ["qconf -am anna"]),
        (Kind.MANAGERS, None, "root anna", ["qconf -am anna"]),
        (Kind.MANAGERS, "root anna Anna", "root anna", ["qconf -dm Anna"]),
        (Kind.OPERATORS, "NONE", "anna bert", ["qconf -ao anna", "qconf -ao bert"]),
        (Kind.OPERATORS, "anna", "none", ["qconf -do anna"]),
        (Kind.OPERATORS, None, "NONE", []),
        (Kind.ADMIN_HOSTS, "m N1 n2", "m n1 n3", ["qconf -ah n3", "qconf -dh n2"]),
        (Kind.SUBMIT_HOSTS, "n1", "N1", []),
    ],
)
def test_names_are_added_to_lists_and_then_taken_out(
    kind: Kind, before: str | None, after: str, expected: list[str]
) -> None:
    old, new = (
        Cluster().with_objects([config_object(kind, kind.value, {"entries": text})] if text is not None else [])
        for text in (before, after)
    )
    assert lines(old, new) == expected
