from dataclasses import replace

from hypothesis import given, strategies as st

from qmon_tui.model.cluster import Cluster, ConfigObject, Origin
from qmon_tui.model.kinds import Kind
from qmon_tui.workspace import Edit, RenameObject, SetField
from qmon_tui.workspace.difference import ChangeKind, changes, differences, renamed_from, with_renames
from qmon_tui.workspace.edits import AddObject
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
    object_changes = changes(base, RenameObject(Kind.QUEUE, "a.q", "b.q").apply(base))
    assert {(change.name, change.what) for change in object_changes} == {
        ("a.q", ChangeKind.REMOVED),
        ("b.q", ChangeKind.ADDED),
    }
    assert {field for change in object_changes for field, _, _ in change.fields} == {"qname", "slots"}


def test_an_object_with_another_name_is_known_by_where_it_was_read() -> None:
    def read(name: str, line: int) -> ConfigObject:
        return replace(queue(name), origin=Origin("c.yaml", line))

    base = cluster(queue("lost.q"), read("gone.q", 5), read("a.q", 1), read("b.q", 2))
    now = cluster(read("b.q", 2), read("x.q", 1), queue("new.q"), replace(queue("copy.q"), origin=Origin("c.yaml", 2)))
    found = {name: renamed_from(base, now, Kind.QUEUE, name) for name in ("x.q", "b.q", "new.q", "copy.q", "no.q")}
    assert {name: obj and obj.name for name, obj in found.items()} == {
        "x.q": "a.q",
        "b.q": None,
        "new.q": None,
        "copy.q": None,
        "no.q": None,
    }


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


def test_people_are_told_of_a_renamed_object_as_one_with_what_else_differs() -> None:
    base = cluster(queue("a.q", "q.yaml", slots="4"), queue("z.q", "q.yaml"))
    edited = RenameObject(Kind.QUEUE, "a.q", "b.q").apply(base)
    edited = SetField(Kind.QUEUE, "b.q", "slots", "5").apply(edited)
    (change,) = with_renames(changes(base, edited))
    assert (change.name, change.what, change.fields) == ("b.q", ChangeKind.RENAMED, (("slots", "4", "5"),))
    assert change.before is base.get(Kind.QUEUE, "a.q")
    added = AddObject(queue("a.q", "q.yaml", slots="9")).apply(edited.without(Kind.QUEUE, "b.q"))
    (change,) = with_renames(changes(base, added))
    assert change.what is ChangeKind.CHANGED, "another object under the name of one that was deleted"
    copied = AddObject(queue("c.q", "q.yaml", slots="4")).apply(base.without(Kind.QUEUE, "a.q"))
    assert {change.what for change in with_renames(changes(base, copied))} == {ChangeKind.ADDED, ChangeKind.REMOVED}


@given(clusters, st.lists(edits, max_size=6))
def test_telling_renames_as_one_loses_no_object(start: Cluster, some: list[Edit]) -> None:
    edited = applied(start, some)
    told = with_renames(changes(start, edited))
    names = {(change.kind, change.name) for change in told} | {
        (change.kind, change.before.name) for change in told if change.what is ChangeKind.RENAMED and change.before
    }
    assert names == {(change.kind, change.name) for change in changes(start, edited)}
