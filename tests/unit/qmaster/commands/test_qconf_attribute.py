"""One attribute of one or several objects, in what the recorded lines do not have (qconf.md#single-attributes)."""

import pytest

from qmon_tui.model.kinds import Kind
from qmon_tui.qmaster import QconfAttribute
from tests.unit.scheduler.building import cluster, host, queue, state

ON = cluster(
    host("n1"),
    host("n2"),
    queue("a.q", "n1 n2", "1,[n1=2]", seq_no="0,[n1=5],[n2=6]", pe_list="make"),
    queue("b.q", "n1", 3),
)


def texts(command: QconfAttribute, field: str = "") -> tuple[list[str] | None, tuple[str, ...]]:
    """The field of both queues afterwards, None where nothing has changed, and what is said."""
    reply = command.apply(ON, state([]))
    queues = reply.cluster.objects(Kind.QUEUE) if reply.cluster is not None else None
    shown = None if queues is None else [queues[name].text(field or command.field) for name in ("a.q", "b.q")]
    return shown, reply.messages


def set_slots(*names: str) -> QconfAttribute:
    return QconfAttribute(Kind.QUEUE, names[0], "slots", "7", others=names[1:])


def test_of_several_objects_the_good_ones_are_changed() -> None:
    absent = ('denied: cluster queue "x.q" does not exist',)
    assert texts(set_slots("a.q", "b.q")) == (["7,[n1=2]", "7"], ())
    assert texts(set_slots("x.q", "b.q")) == (["1,[n1=2]", "7"], absent)
    assert texts(set_slots("a.q", "x.q", "b.q")) == (["7,[n1=2]", "7"], absent)
    assert texts(set_slots("x.q")) == (None, absent)


@pytest.mark.parametrize(
    ("field", "name", "shown", "expected"),
    [
        ("slots", "a.q@n1", "slots", "1"),
        ("slots", "a.q@n1", "seq_no", "0,[n1=5],[n2=6]"),
        ("slots,seq_no", "a.q@n1", "seq_no", "0,[n2=6]"),
        ("*", "a.q@n1", "seq_no", "0,[n2=6]"),
        ("*", "a.q@n1", "slots", "1"),
        ("*", "a.q@n1", "hostlist", "n2"),
        ("slots,hostlist", "a.q@n1", "hostlist", "n1 n2"),
        ("*", "a.q@n2", "slots", "1,[n1=2]"),
    ],
)
def test_settings_of_a_host_are_purged(field: str, name: str, shown: str, expected: str) -> None:
    found, said = texts(QconfAttribute(Kind.QUEUE, name, field, "", "-purge"), shown)
    assert found is not None, said
    assert (found[0], said) == (expected, ())


def test_what_is_there_already_changes_nothing() -> None:
    command = QconfAttribute(Kind.QUEUE, "a.q", "pe_list", "make", "-aattr")
    assert texts(command) == (None, ('No modification because "make" already exists in "pe_list" of "a.q"',))
    gone = QconfAttribute(Kind.QUEUE, "a.q", "pe_list", "mpi", "-dattr")
    assert texts(gone) == (None, ('"mpi" does not exist in "pe_list" of "a.q"',))
    for field in ("slots", "nothing"):
        found, said = texts(QconfAttribute(Kind.QUEUE, "a.q@n2", field, "", "-purge"))
        assert (found, len(said)) == (None, 1)


@pytest.mark.parametrize(
    ("option", "value", "expected"),
    [("-aattr", "b.q", "c.q slots.q b.q"), ("-mattr", "c.q=2", "slots.q c.q=2"), ("-dattr", "c.q=2 slots.q", "NONE")],
)
def test_a_subordinate_may_be_named_as_a_slot_wise_list_begins(option: str, value: str, expected: str) -> None:
    on = ON.with_objects(
        [queue("c.q", "n1"), queue("slots.q", "n1"), queue("d.q", "n1", subordinate_list="c.q slots.q")]
    )
    reply = QconfAttribute(Kind.QUEUE, "d.q", "subordinate_list", value, option).apply(on, state([]))
    assert reply.cluster is not None
    assert reply.cluster.objects(Kind.QUEUE)["d.q"].text("subordinate_list") == expected
