"""Objects as the qmaster stores and prints them once they were given to it."""

import pytest

from qmon_tui.checks.stored_objects import is_same_field, stored
from qmon_tui.model.cluster import Cluster, config_object
from qmon_tui.model.kinds import Kind
from tests.unit.scheduler.building import attribute, cluster, project


def test_a_share_tree_is_numbered_anew_and_knows_projects() -> None:
    given = ["id=0", "name=Root", "type=0", "shares=0x10", "childnodes=3,7"]
    given += ["id=3", "name=sea", "type=0", "shares=8", "childnodes=NONE"]
    given += ["id=7", "name=anna", "type=0", "shares=5", "childnodes=NONE"]
    tree = config_object(Kind.SHARETREE, "sharetree", {"tree": "\n".join(given)})
    lines = stored(Cluster().with_objects((project("sea"),)), tree).values["tree"].splitlines()
    assert [line for line in lines if line.startswith(("id", "name", "type", "childnodes"))] == [
        *("id=0", "name=Root", "type=0", "childnodes=1,2"),
        *("id=1", "name=sea", "type=1", "childnodes=NONE"),
        *("id=2", "name=anna", "type=0", "childnodes=NONE"),
    ]
    assert [line for line in lines if line.startswith("shares")] == ["shares=16", "shares=8", "shares=5"]


def test_a_share_tree_without_nodes_is_left_as_it_is() -> None:
    bare = config_object(Kind.SHARETREE, "sharetree", {})
    assert stored(Cluster(), bare) == bare


COMPLEXES = (
    attribute("lic li INT <= YES YES 0"),
    attribute("wait wa TIME <= YES YES 0"),
    attribute("where wh HOST == YES NO NONE"),
    attribute("flag fl BOOL == YES NO 0"),
    attribute("word wo STRING == YES NO NONE"),
)
ON = cluster(*COMPLEXES, config_object(Kind.HOSTGROUP, "@g", {"hostlist": "n1"}))


@pytest.mark.parametrize(
    ("offered", "kept"),
    [
        ("li=5", "lic=5"),
        ("lic=5,nothing=1", "lic=5,nothing=1"),
        ("wa=0:1:0", "wait=60"),
        ("wait=0.5,lic=1", "wait=0,lic=1"),
        ("wait=1.5", "wait=2"),
        ("wait=INFINITY", "wait=INFINITY"),
        ("wait=soon", "wait=soon"),
        ("where=Sim1", "where=sim1"),
        ("where=Sim*", "where=Sim*"),
        ("flag=none", "flag=TRUE"),
        ("flag=0", "flag=0"),
        ("word=None", "word=None"),
    ],
)
def test_what_a_host_offers_is_kept_by_name_and_type(offered: str, kept: str) -> None:
    for kind in (Kind.HOST, Kind.QUEUE):
        values = {"complex_values": offered, **({"hostlist": "n1"} if kind is Kind.QUEUE else {})}
        assert stored(ON, config_object(kind, "x", values)).text("complex_values") == kept


@pytest.mark.parametrize(
    ("offered", "kept"),
    [
        ("li=5,[n1=li=6]", "li=5,[n1=lic=6]"),
        ("li=5,[n2=li=6]", "lic=5,[n2=li=6]"),
        ("li=5,[@g=li=6]", "li=5,[@g=lic=6]"),
    ],
)
def test_of_a_queue_only_what_an_instance_has_is_rewritten(offered: str, kept: str) -> None:
    queue = config_object(Kind.QUEUE, "x", {"hostlist": "n1", "complex_values": offered})
    assert stored(ON, queue).text("complex_values") == kept


@pytest.mark.parametrize(
    ("limit", "kept"),
    [
        ("to li=5", "to lic=5"),
        ("users {*} hosts sim1 to li=5,wa=0:1:0", "users {*} hosts sim1 to lic=5,wait=60"),
        ("to li=5\nname b to slots=1", "to lic=5\nname b to slots=1"),
        ("no rule", "no rule"),
    ],
)
def test_limits_are_kept_by_name_and_type(limit: str, kept: str) -> None:
    assert stored(ON, config_object(Kind.QUOTA, "x", {"limit": limit})).text("limit") == kept


def test_only_what_was_given_is_stored() -> None:
    for kind in (Kind.QUEUE, Kind.HOST, Kind.QUOTA, Kind.SHARETREE, Kind.COMPLEX):
        bare = config_object(kind, "x", {})
        assert stored(ON, bare) is bare
    project_of_that_name = config_object(Kind.PROJECT, "slots", {"oticket": "5"})
    assert stored(ON, project_of_that_name).values == {"oticket": "5"}
    assert stored(ON, config_object(Kind.HOST, "n1", {"unheard_of": "a  b"})).values == {"unheard_of": "a  b"}
    assert stored(ON, config_object(Kind.HOSTGROUP, "@G", {"hostlist": "n1"})).name == "@g"
    assert stored(ON, config_object(Kind.PROJECT, "@G", {})).name == "@G"


def test_slots_are_always_what_the_qmaster_makes_of_them() -> None:
    given = {"shortcut": "sl", "type": "DOUBLE", "relop": ">=", "consumable": "NO", "urgency": "7"}
    slots = stored(ON, config_object(Kind.COMPLEX, "slots", given))
    kept = [
        slots.text(name) for name in ("shortcut", "type", "relop", "requestable", "consumable", "default", "urgency")
    ]
    assert kept == ["sl", "INT", "<=", "YES", "YES", "1", "7"]
    other = stored(ON, config_object(Kind.COMPLEX, "other", given))
    assert [other.text(name) for name in ("type", "relop", "consumable")] == ["DOUBLE", ">=", "NO"]


def test_the_order_of_managers_is_no_difference() -> None:
    """The qmaster sorts them: `qconf -am anna` makes `anna root` of `root`."""
    before, after = (config_object(Kind.MANAGERS, "managers", {"entries": text}) for text in ("root anna", "anna root"))
    assert is_same_field(before, after, "entries")
    assert not is_same_field(before, before.with_value("entries", "root"), "entries")
    queue, other = (config_object(Kind.QUEUE, "q", {"pe_list": text}) for text in ("a b", "b a"))
    assert not is_same_field(queue, other, "pe_list")
