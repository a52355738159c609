"""Access lists and lists of names as qconf changes them (qconf.md)."""

import pytest

from qmon_tui.model.cluster import config_object
from qmon_tui.model.kinds import Kind
from qmon_tui.qmaster import read_command
from qmon_tui.qmaster.commands.qconf import QconfAccess, QconfAdd, QconfListName, QconfModify
from tests.unit.scheduler.building import cluster, state, userset

ON = cluster(userset("ai", "anna,bert"))


@pytest.mark.parametrize(
    ("command", "said", "entries"),
    [
        (QconfAccess(("eve",), ("ai",)), (), {"ai": "anna,bert,eve"}),
        (
            QconfAccess(("anna", "eve"), ("ai", "ki")),
            ('"anna" is already in access list "ai"',),
            {"ai": "anna,bert,eve", "ki": "anna,eve"},
        ),
        (QconfAccess(("anna",), ("ai",)), ('"anna" is already in access list "ai"',), None),
        (QconfAccess(("anna", "bert"), ("ai",), adds=False), (), {"ai": "NONE"}),
        (
            QconfAccess(("anna", "eve"), ("ki", "ai"), adds=False),
            ('access list "ki" doesn\'t exist', 'user "eve" is not in access list "ai"'),
            {"ai": "bert"},
        ),
        (QconfAccess(("eve",), ("ai",), adds=False), ('user "eve" is not in access list "ai"',), None),
    ],
)
def test_users_of_access_lists(command: QconfAccess, said: tuple[str, ...], entries: dict[str, str] | None) -> None:
    reply = command.apply(ON, state([]))
    assert reply.messages == said
    if entries is None:
        assert reply.cluster is None
    else:
        assert reply.cluster is not None
        lists = reply.cluster.objects(Kind.USERSET)
        assert {name: lists[name].text("entries") for name in lists if name in ("ai", "ki")} == entries


def test_several_names_are_added_to_a_list_and_taken_from_it() -> None:
    added = QconfListName(Kind.OPERATORS, "anna,root,bert").apply(ON, state([]))
    assert added.messages == ()
    assert added.cluster is not None
    assert added.cluster.single(Kind.OPERATORS).text("entries") == "anna root bert"
    gone = QconfListName(Kind.OPERATORS, "bert,eve,anna", adds=False).apply(added.cluster, state([]))
    assert gone.messages == ('denied: operator "eve" does not exist',)
    assert gone.cluster is not None
    assert gone.cluster.single(Kind.OPERATORS).text("entries") == "root"


@pytest.mark.parametrize(
    ("line", "entries"),
    [
        ("-ah SIM2", "m n1 sim2"),
        ("-ah N*", "m n1 N*"),
        ("-dh N1", "m"),
        ("-as n*", "n1 n*"),
        ("-ds N*", "n1"),
    ],
)
def test_hosts_of_lists_have_no_case(line: str, entries: str) -> None:
    admin = config_object(Kind.ADMIN_HOSTS, "admin_hosts", {"entries": "m n1"})
    submit = config_object(Kind.SUBMIT_HOSTS, "submit_hosts", {"entries": "N* n1" if "-ds" in line else "n1"})
    on = ON.with_objects([admin, submit])
    command = read_command(on, f"qconf {line}")
    assert command is not None
    reply = command.apply(on, state([]))
    assert reply.cluster is not None, reply.messages
    changed = admin if line[2] == "h" else submit
    assert reply.cluster.single(changed.kind).text("entries") == entries


def test_what_is_only_shown_of_a_host_is_in_no_file() -> None:
    values = {"complex_values": "slots=4", "load_values": "arch=lx", "processors": "8", "report_variables": "cpu"}
    lines = [line.split() for line in QconfModify(config_object(Kind.HOST, "n1", values)).text.splitlines()]
    assert [line for line in lines if line[0] in ("hostname", *values)] == [
        ["hostname", "n1"], ["complex_values", "slots=4"], ["report_variables", "cpu"],
    ]  # fmt: skip
    weights = config_object(Kind.QUEUE, "a.q", {"slots": "4", "processors": "8"})
    assert ["processors", "8"] in [line.split() for line in QconfAdd(weights).text.splitlines()]
