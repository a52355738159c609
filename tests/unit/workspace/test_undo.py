import contextlib

import pytest
from hypothesis import given, settings, strategies as st

from qmon_tui.model.catalogue import spec
from qmon_tui.model.cluster import Cluster
from qmon_tui.model.kinds import Kind
from qmon_tui.workspace import Edit, EditError, RemoveObject, RenameObject, SetField, Workspace, WorkspaceError
from tests.unit.workspace.samples import cluster, clusters, edits, queue, reading

Typed = list[tuple[Edit, bool]]


def slots(text: str) -> SetField:
    return SetField(Kind.QUEUE, "a.q", "slots", text)


def said(content: Cluster) -> dict[tuple[Kind, str], dict[str, str]]:
    """All that a cluster says, defaults written out; a scheduler that is all defaults is as good as none."""
    texts = {
        (obj.kind, obj.name): {field.name: obj.text(field.name) for field in spec(obj.kind).fields} for obj in content
    }
    return {
        place: fields
        for place, fields in texts.items()
        if place[0] is not Kind.SCHEDULER
        or any(fields[field.name] != field.default for field in spec(Kind.SCHEDULER).fields)
    }


def opened() -> Workspace:
    return Workspace(reading(cluster(queue("a.q", slots="1"), queue("b.q"))))


@given(clusters, st.lists(st.tuples(edits, st.booleans()), max_size=12))
@settings(deadline=None)
def test_undoing_everything_is_the_original_and_redoing_everything_the_edited(start: Cluster, some: Typed) -> None:
    workspace = Workspace(reading(start))
    for edit, typing in some:
        with contextlib.suppress(EditError):
            workspace.apply(edit, typing=typing)
    edited = workspace.cluster
    while workspace.undo():
        pass
    assert workspace.cluster == start
    assert {kind: list(objects) for kind, objects in workspace.cluster.kinds.items()} == {
        kind: list(objects) for kind, objects in start.kinds.items()
    }
    assert not workspace.is_dirty()
    while workspace.redo():
        pass
    assert workspace.cluster == edited


@given(clusters, st.lists(edits, max_size=6))
@settings(deadline=None)
def test_there_are_changes_exactly_if_the_clusters_say_something_else(start: Cluster, some: list[Edit]) -> None:
    workspace = Workspace(reading(start))
    for edit in some:
        with contextlib.suppress(EditError):
            workspace.apply(edit)
    assert (workspace.changes() == ()) == (said(workspace.cluster) == said(start))


def test_typing_one_value_is_one_step() -> None:
    workspace = opened()
    for text in ("2", "24", "240"):
        workspace.apply(slots(text), typing=True)
    assert workspace.revision == 3
    assert workspace.undo() == "set slots of queue a.q"
    assert not workspace.is_dirty()
    assert workspace.undo() is None


def test_enter_after_a_pause_belongs_to_the_typing() -> None:
    """Else moves would be told since the pause, and not since the value was changed."""
    workspace = opened()
    workspace.apply(slots("2"), typing=True)
    workspace.apply(slots("24"))
    workspace.end_typing()
    assert workspace.undo() == "set slots of queue a.q"
    assert not workspace.is_dirty()


def test_leaving_the_field_ends_the_step() -> None:
    workspace = opened()
    workspace.apply(slots("2"), typing=True)
    workspace.end_typing()
    workspace.apply(slots("24"), typing=True)
    workspace.undo()
    assert workspace.cluster.objects(Kind.QUEUE)["a.q"].text("slots") == "2"


def test_another_field_or_an_undo_in_between_ends_the_step() -> None:
    workspace = opened()
    workspace.apply(slots("2"), typing=True)
    workspace.apply(SetField(Kind.QUEUE, "a.q", "seq_no", "5"), typing=True)
    workspace.apply(slots("3"), typing=True)
    assert [workspace.undo(), workspace.undo()] == ["set slots of queue a.q", "set seq_no of queue a.q"]
    workspace.apply(slots("4"), typing=True)
    workspace.undo()
    assert workspace.cluster.objects(Kind.QUEUE)["a.q"].text("slots") == "2"


def test_typing_back_to_the_start_leaves_nothing_to_undo() -> None:
    workspace = opened()
    workspace.apply(slots("12"), typing=True)
    workspace.apply(slots("1"), typing=True)
    assert workspace.history.undo_label is None
    assert not workspace.is_dirty()


def test_typing_a_name_is_one_rename() -> None:
    workspace = opened()
    workspace.apply(SetField(Kind.QUEUE, "a.q", "qname", "a.qu"), typing=True)
    workspace.apply(SetField(Kind.QUEUE, "a.qu", "qname", "a.queue"), typing=True)
    workspace.undo()
    assert list(workspace.cluster.objects(Kind.QUEUE)) == ["a.q", "b.q"]
    workspace.apply(RenameObject(Kind.QUEUE, "a.q", "x"), typing=True)
    workspace.apply(RenameObject(Kind.QUEUE, "x", "xy"), typing=True)
    assert workspace.history.undo_label == "rename queue a.q to xy"


def test_a_new_edit_forgets_what_was_undone() -> None:
    workspace = opened()
    workspace.apply(slots("2"))
    workspace.undo()
    assert workspace.history.redo_label == "set slots of queue a.q"
    workspace.apply(slots("3"))
    assert workspace.history.redo_label is None


def test_writing_a_default_out_is_a_step_but_nothing_to_save() -> None:
    workspace = opened()
    workspace.apply(SetField(Kind.QUEUE, "b.q", "slots", "1"))
    assert not workspace.is_dirty()
    assert workspace.history.undo_label == "set slots of queue b.q"


def test_an_edit_that_changes_nothing_is_no_step() -> None:
    workspace = opened()
    assert not workspace.apply(slots("1"))
    assert workspace.revision == 0
    assert workspace.history.undo_label is None


def test_dirt_is_known_per_kind_object_and_field() -> None:
    workspace = opened()
    workspace.apply(slots("2"))
    assert workspace.is_dirty(Kind.QUEUE, "a.q", "slots")
    assert not workspace.is_dirty(Kind.QUEUE, "a.q", "seq_no")
    assert not workspace.is_dirty(Kind.QUEUE, "b.q")
    assert not workspace.is_dirty(Kind.HOST)


def test_reverting_is_itself_undoable() -> None:
    workspace = opened()
    workspace.apply(slots("2"))
    workspace.apply(SetField(Kind.QUEUE, "a.q", "seq_no", "7"))
    workspace.revert(Kind.QUEUE, "a.q", field="slots")
    assert [field for change in workspace.changes() for field, _, _ in change.fields] == ["seq_no"]
    workspace.revert(Kind.QUEUE, "a.q")
    assert not workspace.is_dirty()
    workspace.undo()
    workspace.undo()
    assert workspace.cluster.objects(Kind.QUEUE)["a.q"].text("slots") == "2"


def test_reverting_brings_removed_objects_back_and_drops_added_ones() -> None:
    workspace = opened()
    workspace.apply(RenameObject(Kind.QUEUE, "a.q", "z.q"))
    workspace.revert(Kind.QUEUE, "z.q")
    workspace.revert(Kind.QUEUE, "a.q")
    assert list(workspace.cluster.objects(Kind.QUEUE)) == ["a.q", "b.q"]
    assert not workspace.is_dirty()


def test_read_only_refuses_every_change_with_a_sentence() -> None:
    workspace = Workspace(reading(cluster(queue("a.q"))), read_only=True)
    for act in (
        lambda: workspace.apply(RemoveObject(Kind.QUEUE, "a.q")),
        workspace.undo,
        workspace.redo,
        workspace.save,
    ):
        with pytest.raises(WorkspaceError, match="read-only"):
            act()
    assert workspace.revision == 0


def test_a_renamed_object_gets_its_old_name_back_at_once_or_one_field_its_old_text() -> None:
    workspace = Workspace(reading(cluster(queue("a.q", "q.yaml", slots="1"), queue("b.q", "q.yaml"))))
    before = workspace.cluster
    workspace.apply(RenameObject(Kind.QUEUE, "a.q", "x.q"))
    workspace.apply(SetField(Kind.QUEUE, "x.q", "slots", "77"))
    assert workspace.revert(Kind.QUEUE, "x.q", field="slots")
    assert workspace.cluster.objects(Kind.QUEUE)["x.q"].text("slots") == before.objects(Kind.QUEUE)["a.q"].text("slots")
    workspace.apply(SetField(Kind.QUEUE, "x.q", "slots", "77"))
    assert workspace.revert(Kind.QUEUE, "x.q")
    assert workspace.cluster == before
    assert list(workspace.cluster.objects(Kind.QUEUE)) == list(before.objects(Kind.QUEUE))
    workspace.undo()
    assert workspace.cluster.objects(Kind.QUEUE)["x.q"].text("slots") == "77"
