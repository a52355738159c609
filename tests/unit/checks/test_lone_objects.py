"""What is said of objects by themselves: of a table of attributes too, where it is among them."""

from qmon_tui.checks.lone_objects import lone_findings
from qmon_tui.model import Kind, config_object

ATTRIBUTE = config_object(Kind.COMPLEX, "gpu", {"name": "gpu", "shortcut": "g", "type": "INT", "relop": "<="})
TWIN = config_object(Kind.COMPLEX, "gpus", {"name": "gpus", "shortcut": "g", "type": "INT", "relop": "<="})
QUEUE = config_object(Kind.QUEUE, "a.q", {"qname": "a.q", "hostlist": "@nobody", "slots": "x"})


def test_attributes_are_looked_at_together_and_other_objects_by_themselves() -> None:
    said = {finding.name for finding in lone_findings([ATTRIBUTE, TWIN])}
    assert said & {"gpu", "gpus"}
    assert {finding.kind for finding in lone_findings([QUEUE])} == {Kind.QUEUE}
    assert not lone_findings([ATTRIBUTE])


def test_what_objects_name_is_taken_to_be_there_unless_it_is_among_them() -> None:
    queue = config_object(Kind.QUEUE, "b.q", {"hostlist": "@all n1", "pe_list": "mpi", "load_thresholds": "load=1"})
    assert not lone_findings([queue])
    environment = config_object(Kind.PE, "mpi", {"slots": "x"})
    assert [(finding.kind, finding.name) for finding in lone_findings([queue, environment])] == [(Kind.PE, "mpi")]


def test_a_share_tree_by_itself_has_users_at_its_leaves() -> None:
    nodes = [("Root", "1,2"), ("anna", "NONE"), ("group", "3"), ("below", "4"), ("bert", "NONE")]
    lines = (
        f"id={number}\nname={name}\ntype=0\nshares=1\nchildnodes={ids}" for number, (name, ids) in enumerate(nodes)
    )
    tree = config_object(Kind.SHARETREE, "sharetree", {"tree": "\n".join(lines)})
    assert not lone_findings([tree])
