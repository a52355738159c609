"""The commands between two configurations (qconf.md#order-of-changes), carried out by our own qmaster."""

import pytest

from qmon_tui.model.catalogue import spec
from qmon_tui.model.cluster import Cluster, config_object
from qmon_tui.model.defaults import default_complexes, default_objects
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import State
from qmon_tui.qmaster import leading_commands
from qmon_tui.qmaster.commands.leading_commands import QconfComplexes
from qmon_tui.qmaster.commands.qconf import QconfAdd, QconfDelete, QconfModify
from qmon_tui.report import command_lines
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
    assert command_lines(leading_commands(cluster, edited)) == (
        "qconf -rattr user oticket 8 anna",
        "qconf -rattr user fshare 9 anna",
        "qconf -rattr user delete_time 5 anna",
        "qconf -rattr queue seq_no 7 long.q",
    )
    assert command_lines(leading_commands(cluster, cluster)) == ()


def test_a_shortcut_is_no_difference_where_the_qmaster_stores_the_name() -> None:
    tag = config_object(Kind.COMPLEX, "tag", {"name": "tag", "shortcut": "t", "type": "STRING", "relop": "=="})
    thresholds = {"hostlist": "h k", "load_thresholds": "tag=x"}

    def cluster(word: str) -> Cluster:
        values = f"{word}=x,[h={word}=y]"
        return FRESH.with_objects([
            tag,
            config_object(Kind.QUEUE, "a.q", {"qname": "a.q", **thresholds, "complex_values": values}),
            config_object(Kind.HOST, "h", {"hostname": "h", "complex_values": f"{word}=x"}),
            config_object(Kind.QUOTA, "r", {"name": "r", "enabled": "TRUE", "limit": f"limit users * to {word}=3"}),
        ])  # fmt: skip

    short, long = cluster("t"), cluster("tag")
    assert leading_commands(short, long) == ()
    assert differences(short, long) == ()
    queue = long.objects(Kind.QUEUE)["a.q"].with_value("load_thresholds", "t=x")
    changed = long.with_object(queue)
    assert [change.name for change in differences(long, changed)] == ["a.q"]
    assert command_lines(leading_commands(long, changed)) == (
        "qconf -aattr queue load_thresholds t=x a.q",
        "qconf -dattr queue load_thresholds tag=x a.q",
    )


QUEUE = {"hostlist": "a b", "slots": "1,[a=2]", "complex_values": "m=1,n=2", "pe_list": "mpi smp"}
HOST = {"complex_values": "gpu=1,slots=4", "user_lists": "x y"}


@pytest.mark.parametrize(
    ("kind", "values", "changed", "expected"),
    [
        (Kind.QUEUE, QUEUE, {"slots": "3"}, ["-rattr queue slots 3 o", "-purge queue slots o@a"]),
        (Kind.QUEUE, QUEUE, {"slots": "1,[a=3],[b=2]"}, ["-rattr queue slots 3 o@a", "-rattr queue slots 2 o@b"]),
        (Kind.QUEUE, QUEUE, {"slots": ",".join(["7", *(f"[h{n}=2]" for n in range(5))])}, [
            "-rattr queue slots '7,[h0=2],[h1=2],[h2=2],[h3=2],[h4=2]' o", "-purge queue slots o@a",
        ]),
        (Kind.QUEUE, QUEUE, {"hostlist": "a b c d"}, ["-aattr queue hostlist 'c d' o"]),
        (Kind.QUEUE, QUEUE, {"hostlist": "c a b"}, ["-rattr queue hostlist 'c a b' o"]),
        (Kind.QUEUE, QUEUE, {"pe_list": "smp x"}, ["-aattr queue pe_list x o", "-dattr queue pe_list mpi o"]),
        (Kind.QUEUE, QUEUE, {"complex_values": "m=3,k=4"}, [
            "-aattr queue complex_values k=4 o", "-mattr queue complex_values m=3 o",
            "-dattr queue complex_values n=2 o",
        ]),
        (Kind.QUEUE, QUEUE, {"complex_values": "n=2,m=1"}, []),
        (Kind.QUEUE, QUEUE, {"subordinate_list": "low.q=1"}, ["-rattr queue subordinate_list low.q=1 o"]),
        (Kind.HOST, HOST, {"complex_values": "slots=4,gpu=4"}, ["-mattr exechost complex_values gpu=4 o"]),
        (Kind.HOST, HOST, {"complex_values": "NONE"}, ["-dattr exechost complex_values gpu,slots o"]),
        (Kind.HOST, HOST, {"user_lists": "NONE"}, ["-dattr exechost user_lists 'x y' o"]),
        (Kind.HOST, HOST, {"load_values": "cpu=7", "processors": "2"}, []),
        (
            Kind.USERSET, {"entries": "anna,@lab"}, {"entries": "@lab,bert,cleo"},
            ["-aattr userset entries 'bert cleo' o", "-du anna o"],
        ),
        (Kind.PROJECT, {"acl": "x y"}, {"acl": "x y z"}, ["-rattr project acl 'x y z' o"]),
        (Kind.USER, {"delete_time": "1700000000"}, {"delete_time": "1800000000"}, []),
        (Kind.USER, {"delete_time": "1700000000"}, {"delete_time": "0"}, ["-rattr user delete_time 0 o"]),
        (Kind.QUOTA, {"limit": "to slots=1"}, {"limit": "to slots=2"}, ["-rattr resource_quota limit slots=2 o/1"]),
        (Kind.QUOTA, {"limit": "name a users u to slots=1,s=1\nto slots=3"},
         {"limit": "name a users u to slots=2,s=1\nto slots=3", "enabled": "TRUE"},
         ["-rattr resource_quota enabled TRUE o", "-rattr resource_quota limit slots=2,s=1 o/a"]),
        (Kind.QUOTA, {"limit": "to slots=1"}, {"limit": "to slots=1\nusers u to slots=2"}, ["-Mrqs o o"]),
        (Kind.QUOTA, {"limit": "users u to slots=1"}, {"limit": "users v to slots=1"}, ["-Mrqs o o"]),
        (Kind.HOSTGROUP, {"hostlist": "a b"}, {"hostlist": "b c"}, [
            "-aattr hostgroup hostlist c o", "-dattr hostgroup hostlist a o",
        ]),
    ],
)  # fmt: skip
def test_elements_and_fields_are_changed_one_by_one(
    kind: Kind, values: dict[str, str], changed: dict[str, str], expected: list[str]
) -> None:
    obj = config_object(kind, "o", values)
    before = Cluster().with_objects([obj])
    after = before.with_object(obj.with_values(changed))
    made = leading_commands(before, after)
    assert [command.line.removeprefix("qconf ") for command in made] == expected
    assert bool(differences(before, after)) == bool(made), "what needs no command is no difference"


@pytest.mark.parametrize("shortcut", ["lic", "l"])
def test_a_renamed_attribute_that_is_used_has_another_shortcut_meanwhile(shortcut: str) -> None:
    values = {"type": "INT", "relop": "<=", "consumable": "YES", "requestable": "YES", "default": "0", "urgency": "0"}
    lic = config_object(Kind.COMPLEX, "lic", {"name": "lic", "shortcut": shortcut, **values})
    queue = config_object(Kind.QUEUE, "q", {"hostlist": "NONE", "complex_values": "lic=1"})
    before = FRESH.with_objects([lic, queue])
    new = config_object(Kind.COMPLEX, "licence", {**lic.values, "name": "licence"})
    after = before.without(Kind.COMPLEX, "lic").with_objects([new, queue.with_value("complex_values", "licence=1")])
    commands = leading_commands(before, after)
    assert [command.line for command in commands] == [
        "qconf -Mc complexes", "qconf -aattr queue complex_values licence=1 q",
        "qconf -dattr queue complex_values lic=1 q", "qconf -Mc complexes",
    ]  # fmt: skip
    shortcuts = [
        {entry.name: entry.text("shortcut") for entry in command.entries if entry.name.startswith("lic")}
        for command in commands
        if isinstance(command, QconfComplexes)
    ]
    assert shortcuts == [{"lic": shortcut, "licence": "licence"}, {"licence": shortcut}]
    unused = queue.with_value("complex_values", "NONE")
    assert lines(before.with_object(unused), after.with_object(unused)) == ["qconf -Mc complexes"]


def _tree(*nodes: str) -> str:
    """A tree of nodes `name shares type children`; the numbers are those of the lines."""
    words = [node.split() for node in nodes]
    return "\n".join(
        f"id={number}\nname={name}\ntype={kind}\nshares={shares}\nchildnodes={children}"
        for number, (name, shares, kind, children) in enumerate(words)
    )


TREE = _tree("Root 1 0 1,3", "sea 10 1 2", "anna 5 0 NONE", "default 3 0 NONE")


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        (_tree("Root 1 0 1,3", "sea 10 0 2", "anna 5 0 NONE", "default 3 0 NONE"), []),
        (_tree("Root 1 0 1,3", "sea 20 1 2", "anna 5 0 NONE", "default 4 0 NONE"), ["-mstnode /sea=20,/default=4"]),
        (_tree("Root 1 0 1,3", "sea 10 1 2", "bert 5 0 NONE", "default 3 0 NONE"), [
            "-astnode /sea/bert=5", "-dstnode /sea/anna",
        ]),
        (_tree("Root 1 0 1", "default 3 0 NONE"), ["-dstnode /sea/anna,/sea"]),
        (_tree("Root 1 0 1,2", "default 3 0 NONE", "anna 5 0 NONE"), ["-astnode /anna=5", "-dstnode /sea/anna,/sea"]),
        (_tree("Root 1 0 1,2", "default 3 0 NONE", "sea 10 1 3", "anna 5 0 NONE"), ["-Mstree sharetree"]),
        (_tree("Root 2 0 1,3", "sea 10 1 2", "anna 5 0 NONE", "default 3 0 NONE"), ["-Mstree sharetree"]),
        (_tree("Root 1 0 1,3,4", "sea 10 1 2", "anna 5 0 NONE", "default 3 0 NONE", "b.c 1 0 NONE"), [
            "-Mstree sharetree",
        ]),
    ],
)  # fmt: skip
def test_nodes_of_the_share_tree_are_changed_by_their_paths(tree: str, expected: list[str]) -> None:
    people = [config_object(Kind.USER, name, {"name": name}) for name in ("anna", "bert", "b.c")]
    sea = config_object(Kind.PROJECT, "sea", {"name": "sea"})
    root = config_object(Kind.SHARETREE, "sharetree", {"tree": TREE})
    before = FRESH.with_objects([*people, sea, root])
    after = before.with_object(root.with_value("tree", tree))
    assert [command.line.removeprefix("qconf ") for command in leading_commands(before, after)] == expected
    assert bool(differences(before, after)) == bool(expected)


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
        "qconf -mattr exechost complex_values slots=5 n1", "qconf -rattr queue rerun FALSE q",
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
    told = command_lines(commands)
    assert told[:4] == (
        'cd "$(mktemp -d)"', "qconf -dp mpi", "# no command does this: change managers", "cat > END <<'END1'",
    )  # fmt: skip
    assert [line for line in told if line.startswith("cat") or line in ("END1", "END3")] == [
        "cat > END <<'END1'", "END1", "cat > b <<'END3'", "END3",
    ]  # fmt: skip
    assert told[-1] == "qconf -Aprj b"
    assert sum(line.startswith("cd ") for line in told) == 1


def test_of_more_than_eight_attributes_the_whole_object_is_given() -> None:
    queue = config_object(Kind.QUEUE, "q", {"hostlist": "n1"})
    before = FRESH.with_objects([queue])
    limits = ("s_rt", "h_rt", "s_cpu", "h_cpu", "s_vmem", "h_vmem", "s_rss", "h_rss", "s_core")
    many = {name: "77" for name in limits}
    assert lines(before, before.with_objects([queue.with_values(many)])) == ["qconf -Mq q"]
    del many["s_core"]
    assert lines(before, before.with_objects([queue.with_values(many)])) == [
        f"qconf -rattr queue {name} 77 q" for name in sorted(many, key=list(spec(Kind.QUEUE).by_name).index)
    ]


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
