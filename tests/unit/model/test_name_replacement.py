"""What renaming and deleting make of the texts that name an object."""

from pathlib import Path

import pytest

from qmon_tui.model.catalogue import spec
from qmon_tui.model.cluster import Cluster
from qmon_tui.model.kinds import Kind
from qmon_tui.model.name_replacement import CannotRemoveName, Replacements, with_replaced_names
from qmon_tui.model.references import references_of
from qmon_tui.sources import read_folder

CONFIGS = Path(__file__).parents[3] / "configs"


def made(kind: Kind, field: str, text: str, names: Replacements) -> str:
    return with_replaced_names(kind, spec(kind).by_name[field], text, names)


Q, QUOTA = Kind.QUEUE, Kind.QUOTA
GPU, STAFF, MPI, LOW = (Kind.COMPLEX, "gpu"), (Kind.USERSET, "staff"), (Kind.PE, "mpi"), (Kind.QUEUE, "low.q")
NODE, RACK = (Kind.HOST, "node1"), (Kind.HOSTGROUP, "@rack")


@pytest.mark.parametrize(
    ("kind", "field", "before", "names", "after"),
    [
        (Q, "pe_list", "smp mpi,[node1=mpi]", {MPI: "openmpi"}, "smp openmpi,[node1=openmpi]"),
        (Q, "pe_list", "smp mpi,[node1=mpi]", {MPI: None}, "smp,[node1=NONE]"),
        (Q, "pe_list", "mpi-2, smp", {MPI: "x"}, "mpi-2, smp"),
        (Q, "hostlist", "Node1 @rack", {NODE: "n1"}, "n1 @rack"),
        (Q, "hostlist", "@rack", {RACK: None}, "NONE"),
        (Q, "slots", "1,[@rack=4],[Node1=2]", {NODE: "n1"}, "1,[@rack=4],[n1=2]"),
        (Q, "slots", "1,[@rack=4],[node1=2]", {RACK: None}, "1,[node1=2]"),
        (Q, "calendar", "night,[@rack=day]", {(Kind.CALENDAR, "night"): None}, "NONE,[@rack=day]"),
        (Q, "complex_values", "gpu=2,mem=4G,[node1=gpu=1]", {GPU: "gpus"}, "gpus=2,mem=4G,[node1=gpus=1]"),
        (Q, "complex_values", "gpu=2", {GPU: None}, "NONE"),
        (Q, "subordinate_list", "low.q=4, idle.q", {LOW: "slow.q"}, "slow.q=4, idle.q"),
        (Q, "subordinate_list", "slots=8(low.q:1:sr, idle.q:2:lr)", {LOW: None}, "slots=8(idle.q:2:lr)"),
        (Kind.HOST, "complex_values", "gpu=2,mem=gpu", {GPU: "gpus"}, "gpus=2,mem=gpu"),
        (Kind.SCHEDULER, "load_formula", "gpu*2-mem", {GPU: "gpus"}, "gpus*2-mem"),
        (Kind.SCHEDULER, "load_formula", "mem-gpu*2+cpu", {GPU: None}, "mem+cpu"),
        (QUOTA, "limit", "users @staff to gpu=2", {STAFF: "crew"}, "users @crew to gpu=2"),
        (QUOTA, "limit", "users staff to gpu=2", {STAFF: "crew"}, "users staff to gpu=2"),
        (QUOTA, "limit", "users {!@staff} to gpu=$gpu*2\nto mem=1", {GPU: "g", STAFF: None}, "to g=$g*2\nto mem=1"),
        (QUOTA, "limit", "users @staff to gpu=2\nto mem=1", {STAFF: None}, "to mem=1"),
        (QUOTA, "limit", "hosts {@rack} to gpu=2,mem=1", {GPU: None}, "hosts {@rack} to mem=1"),
        (Kind.USERSET, "entries", "ann,@ann", {(Kind.USER, "ann"): "anna"}, "anna,@ann"),
        (Kind.PROJECT, "acl", "staff wheel", {STAFF: None}, "wheel"),
        (Kind.USER, "default_project", "apollo", {(Kind.PROJECT, "apollo"): "gemini"}, "gemini"),
    ],
)  # fmt: skip
def test_names_change_where_they_are_names(
    kind: Kind, field: str, before: str, names: Replacements, after: str
) -> None:
    assert made(kind, field, before, names) == after


TREE = "id=0\nname=Root\ntype=0\nshares=1\nchildnodes=1,2\nid=1\nname=ann\ntype=0\nshares=10\nchildnodes=NONE\n\
id=2\nname=apollo\ntype=1\nshares=20\nchildnodes=3\nid=3\nname=bob\ntype=0\nshares=1\nchildnodes=NONE"


def test_a_leaf_of_the_share_tree_is_taken_out_and_its_parent_no_longer_names_it() -> None:
    after = made(Kind.SHARETREE, "tree", TREE, {(Kind.USER, "bob"): None})
    assert "bob" not in after
    assert after.endswith("name=apollo\ntype=1\nshares=20\nchildnodes=NONE")
    assert made(Kind.SHARETREE, "tree", TREE, {(Kind.USER, "ann"): "anna"}) == TREE.replace("ann", "anna")


@pytest.mark.parametrize(
    ("kind", "field", "text", "names"),
    [
        (Kind.SHARETREE, "tree", TREE, {(Kind.PROJECT, "apollo"): None}),
        (Kind.SCHEDULER, "load_formula", "gpu", {GPU: None}),
        (QUOTA, "limit", "users @staff to gpu=2", {STAFF: None}),
        (QUOTA, "limit", "to mem=$gpu*2\nto mem=1", {GPU: None}),
    ],
)
def test_what_would_mean_something_else_is_not_taken_out(
    kind: Kind, field: str, text: str, names: Replacements
) -> None:
    with pytest.raises(CannotRemoveName):
        made(kind, field, text, names)


@pytest.mark.parametrize("name", ["teaching", "site", "broken"])
def test_every_reference_that_is_found_can_be_renamed_there_and_back(name: str) -> None:
    cluster: Cluster = read_folder(CONFIGS / name).cluster
    seen = 0
    for obj in cluster:
        for target, reference in references_of(obj):
            kind, old = target
            new = "@renamed" if kind is Kind.HOSTGROUP else "renamed"
            field = spec(obj.kind).by_name[reference.field]
            text = obj.text(field.name)
            changed = with_replaced_names(obj.kind, field, text, {target: new})
            renamed = obj.with_value(field.name, changed)
            there = [found for found, at in references_of(renamed) if at.field == field.name]
            assert (kind, new) in there
            assert target not in there
            back = with_replaced_names(obj.kind, field, changed, {(kind, new): old})
            assert dict.fromkeys(references_of(obj.with_value(field.name, back))) == dict.fromkeys(references_of(obj))
            seen += 1
    assert seen > 8
