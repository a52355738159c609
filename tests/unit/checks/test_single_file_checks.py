"""What is said of objects by themselves: of a table of attributes too, where it is among them."""

import pytest

from qmon_tui.checks.check_cluster import single_file_findings
from qmon_tui.model import ConfigObject, Kind, config_object, default_complexes

ATTRIBUTE = config_object(Kind.COMPLEX, "gpu", {"name": "gpu", "shortcut": "g", "type": "INT", "relop": "<="})
TWIN = config_object(Kind.COMPLEX, "gpus", {"name": "gpus", "shortcut": "g", "type": "INT", "relop": "<="})
QUEUE = config_object(Kind.QUEUE, "a.q", {"qname": "a.q", "hostlist": "@nobody", "slots": "x"})


def test_attributes_are_looked_at_together_and_other_objects_by_themselves() -> None:
    said = {finding.name for finding in single_file_findings([ATTRIBUTE, TWIN])}
    assert said & {"gpu", "gpus"}
    assert {finding.kind for finding in single_file_findings([QUEUE])} == {Kind.QUEUE}
    assert not single_file_findings([ATTRIBUTE])


def test_what_objects_name_is_taken_to_be_there_unless_it_is_among_them() -> None:
    queue = config_object(Kind.QUEUE, "b.q", {"hostlist": "@all n1", "pe_list": "mpi", "load_thresholds": "load=1"})
    assert not single_file_findings([queue])
    environment = config_object(Kind.PE, "mpi", {"slots": "x"})
    assert [(finding.kind, finding.name) for finding in single_file_findings([queue, environment])] == [
        (Kind.PE, "mpi")
    ]


def test_a_share_tree_by_itself_has_users_at_its_leaves() -> None:
    nodes = [("Root", "1,2"), ("anna", "NONE"), ("group", "3"), ("below", "4"), ("bert", "NONE")]
    lines = (
        f"id={number}\nname={name}\ntype=0\nshares=1\nchildnodes={ids}" for number, (name, ids) in enumerate(nodes)
    )
    tree = config_object(Kind.SHARETREE, "sharetree", {"tree": "\n".join(lines)})
    assert not single_file_findings([tree])


def attribute(name: str) -> ConfigObject:
    return config_object(Kind.COMPLEX, name, {"name": name, "shortcut": name, "type": "INT", "relop": "<="})


@pytest.mark.parametrize(("built_in", "others", "told"), [(35, 0, 17), (34, 0, 0), (34, 1, 0), (34, 2, 18), (1, 5, 0)])
def test_built_in_attributes_are_missed_in_a_table_that_has_two_thirds_of_them(
    built_in: int, others: int, told: int
) -> None:
    table = [*list(default_complexes())[:built_in], *(attribute(f"x{number}") for number in range(others))]
    missed = [finding for finding in single_file_findings(table) if finding.rule == "complex.builtin.missing"]
    assert len(missed) == told


def lone(kind: Kind, **values: str) -> list[str]:
    return [finding.message for finding in single_file_findings([config_object(kind, "x", values)])]


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (Kind.QUEUE, {"hostlist": "n1", "load_thresholds": "la=1,np_load_avg=2"}),
        (Kind.QUEUE, {"hostlist": "n1", "complex_values": "lic=abc", "load_thresholds": "NONE"}),
        (Kind.QUEUE, {"hostlist": "n1", "complex_values": "lic=4,[n1=lic=5]", "load_thresholds": "NONE"}),
        (Kind.QUOTA, {"limit": "users {*} to lic=4", "enabled": "TRUE"}),
        (Kind.QUOTA, {"limit": "hosts {*} to lic=$num_proc*2", "enabled": "TRUE"}),
        (Kind.QUOTA, {"limit": "hosts {*} to slots=$lic*2", "enabled": "TRUE"}),
        (Kind.QUOTA, {"limit": "users {*} to lic=1:0:0,word=abc", "enabled": "TRUE"}),
        (Kind.SCHEDULER, {"load_formula": "lic*2"}),
        (Kind.SCHEDULER, {"job_load_adjustments": "lic=0.5"}),
        (Kind.HOST, {"complex_values": "a=1:0:0,b=inf,c=-1,d=4G", "load_scaling": "e=2"}),
        (Kind.USERSET, {"type": "ACL", "entries": "anna"}),
        (Kind.PE, {"slots": "4", "user_lists": "staff"}),
        (Kind.CALENDAR, {"week": "mon=8-18=off"}),
    ],
)
def test_nothing_is_said_of_what_the_rest_may_have(kind: Kind, values: dict[str, str]) -> None:
    assert lone(kind, **values) == []


def test_where_there_is_a_table_its_attributes_are_all_that_there_are() -> None:
    queue = config_object(Kind.QUEUE, "x", {"hostlist": "n1", "load_thresholds": "gpu=1,load=1"})
    said = [finding.message for finding in single_file_findings([ATTRIBUTE, queue])]
    assert said == ['Complex attribute "load" does not exist']
    assert single_file_findings([queue]) == ()


def test_what_is_wrong_with_the_objects_themselves_is_said() -> None:
    assert lone(Kind.HOST, complex_values="slots=x") == ['attribute "slots" is not a integer value']
    assert lone(Kind.QUEUE, hostlist="@nobody", complex_values="slots=x") == [
        'attribute "slots" is not a integer value'
    ]
