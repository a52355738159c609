from hypothesis import given
from hypothesis import strategies as st

from qmon_tui.model.cluster import Cluster
from qmon_tui.model.kinds import Kind
from qmon_tui.workspace.difference import What, changes, differences
from qmon_tui.workspace.edits import Edit, RenameObject
from tests.unit.workspace.samples import applied, cluster, clusters, edits, queue


def test_two_spellings_are_unsaved_work_but_no_difference() -> None:
    for field, one, other in (
        ("h_rt", "0:0:10", "00:00:10"),
        ("h_vmem", "1G", "1024M"),
        ("pe_list", "none", "NONE"),
        ("load_thresholds", "np_load_avg=1.0", "np_load_avg=1.000000"),
    ):
        before, after = cluster(queue("a.q", **{field: one})), cluster(queue("a.q", **{field: other}))
        assert differences(before, after) == (), field
        assert [change.fields for change in changes(before, after)] == [((field, one, other),)]


def test_a_default_that_is_written_out_is_neither() -> None:
    before, after = cluster(queue("a.q")), cluster(queue("a.q", slots="1", tmpdir="/tmp"))
    assert changes(before, after) == differences(before, after) == ()


def test_a_field_that_is_left_out_shows_as_such() -> None:
    (change,) = differences(cluster(queue("a.q", slots="4")), cluster(queue("a.q")))
    assert change.fields == (("slots", "4", None),)


def test_fields_come_in_the_order_of_the_catalogue_and_unknown_ones_last() -> None:
    (change,) = changes(cluster(queue("a.q")), cluster(queue("a.q", zzz="1", slots="3", hostlist="@all")))
    assert [field for field, _, _ in change.fields] == ["hostlist", "slots", "zzz"]


def test_a_renamed_object_is_one_less_and_one_more() -> None:
    base = cluster(queue("a.q", slots="4"))
    found = changes(base, RenameObject(Kind.QUEUE, "a.q", "b.q").apply(base))
    assert {(change.name, change.what) for change in found} == {("a.q", What.REMOVED), ("b.q", What.ADDED)}
    assert {field for change in found for field, _, _ in change.fields} == {"qname", "slots"}


@given(clusters, st.lists(edits, max_size=6))
def test_differences_are_never_more_than_changes(start: Cluster, some: list[Edit]) -> None:
    edited = applied(start, some)
    assert {(c.kind, c.name) for c in differences(start, edited)} <= {(c.kind, c.name) for c in changes(start, edited)}


@given(clusters, st.lists(edits, max_size=6))
def test_both_ways_round_the_same_objects_differ(start: Cluster, some: list[Edit]) -> None:
    edited = applied(start, some)
    there, back = differences(start, edited), differences(edited, start)
    assert {(c.kind, c.name) for c in there} == {(c.kind, c.name) for c in back}
    assert {(c.name, field, old, new) for c in there for field, old, new in c.fields} == {
        (c.name, field, new, old) for c in back for field, old, new in c.fields
    }
