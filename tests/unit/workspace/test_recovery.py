"""Unsaved edits that are made again by another run of the program."""

import pytest
from hypothesis import given, strategies as st

from qmon_tui.model.cluster import Cluster, Origin
from qmon_tui.model.jobs import Job, Request
from qmon_tui.model.kinds import Kind
from qmon_tui.model.state import State
from qmon_tui.model.state_fields import StateKind
from qmon_tui.workspace import (
    Document,
    Edit,
    RemoveObject,
    RenameObject,
    ReplaceDocument,
    SetEntry,
    SetField,
    Workspace,
    WorkspaceError,
    document_changes,
    edits_text,
    read_edits,
    replayed,
)
from tests.unit.workspace.samples import applied, cluster, clusters, edits, queue, reading

BASE = cluster(queue("a.q", file="q.yaml", slots="1"), queue("b.q", slots="1"))


def recovered(base: Document, document: Document, onto: Document) -> Workspace:
    """A workspace on `onto` in which the edits were made again."""
    read = read_edits(edits_text("/cluster", base, document))
    assert read is not None
    assert read.folder == "/cluster"
    found = replayed(read, onto)
    workspace = Workspace(reading(onto.cluster, onto.state))
    workspace.apply(ReplaceDocument("restore", found.document), conflicts=found.conflicts)
    return workspace


def document(cluster: Cluster, state: State | None = None) -> Document:
    return Document(cluster, state or State())


@given(clusters, st.lists(edits, max_size=5))
def test_edits_come_back_as_they_were(base: Cluster, some: list[Edit]) -> None:
    before, after = document(base), document(applied(base, some))
    text = edits_text("/cluster", before, after)
    if not text:
        assert document_changes(before, after) == ()
        return
    workspace = recovered(before, after, before)
    assert document_changes(Document(workspace.cluster, workspace.state), after) == ()
    assert workspace.unresolved == ()
    workspace.undo()
    assert not workspace.is_dirty()


def test_what_has_changed_meanwhile_stays_and_what_overlaps_is_to_be_decided() -> None:
    mine = SetField(Kind.QUEUE, "a.q", "slots", "2").apply(SetField(Kind.QUEUE, "b.q", "slots", "2").apply(BASE))
    theirs = SetField(Kind.QUEUE, "a.q", "slots", "7").apply(SetField(Kind.QUEUE, "a.q", "seq_no", "9").apply(BASE))
    workspace = recovered(document(BASE), document(mine), document(theirs))
    a, b = workspace.cluster.objects(Kind.QUEUE).values()
    assert (a.text("slots"), a.text("seq_no"), b.text("slots")) == ("2", "9", "2")
    (conflict,) = workspace.unresolved
    assert (conflict.label, conflict.mine, conflict.theirs) == ("slots of queue a.q", "2", "7")
    with pytest.raises(WorkspaceError, match="Decide first"):
        workspace.save_plan()
    workspace.resolve(conflict, "theirs")
    assert workspace.unresolved == ()


@given(clusters, st.lists(edits, max_size=5))
def test_edits_that_were_saved_are_no_edits_any_more(base: Cluster, some: list[Edit]) -> None:
    before, after = document(base), document(applied(base, some))
    if text := edits_text("/cluster", before, after):
        read = read_edits(text)
        assert read is not None
        assert replayed(read, after).changes == ()


def test_of_edits_of_which_some_were_saved_the_others_are_left() -> None:
    both = SetField(Kind.QUEUE, "a.q", "seq_no", "9").apply(SetField(Kind.QUEUE, "a.q", "slots", "2").apply(BASE))
    mine = RemoveObject(Kind.QUEUE, "b.q").apply(both)
    saved = RemoveObject(Kind.QUEUE, "b.q").apply(SetField(Kind.QUEUE, "a.q", "slots", "2").apply(BASE))
    read = read_edits(edits_text("/cluster", document(BASE), document(mine)))
    assert read is not None
    (change,) = replayed(read, document(saved)).changes
    assert (change.name, change.fields) == ("a.q", (("seq_no", None, "9"),))


def test_a_renamed_object_keeps_its_place() -> None:
    renamed = RenameObject(Kind.QUEUE, "a.q", "z.q").apply(BASE)
    workspace = recovered(document(BASE), document(renamed), document(BASE))
    assert set(workspace.cluster.objects(Kind.QUEUE)) == {"z.q", "b.q"}
    assert workspace.cluster.objects(Kind.QUEUE)["z.q"].origin == Origin("q.yaml")


def test_a_renamed_object_that_was_removed_meanwhile_is_to_be_decided() -> None:
    renamed = RenameObject(Kind.QUEUE, "a.q", "z.q").apply(BASE)
    workspace = recovered(document(BASE), document(renamed), document(RemoveObject(Kind.QUEUE, "a.q").apply(BASE)))
    (conflict,) = workspace.unresolved
    assert conflict.label == "queue a.q, renamed z.q"
    workspace.resolve(conflict, "theirs")
    assert set(workspace.cluster.objects(Kind.QUEUE)) == {"b.q"}


def test_edits_of_jobs_come_back() -> None:
    state = State(now=100, jobs=(Job(1, "anna", 50, Request(), "one", qsub="sleep 60"),))
    before = document(BASE, state)
    after = SetEntry(StateKind.JOB, "1", (("owner", "bela"),)).made(before)
    workspace = recovered(before, after, before)
    assert [job.owner for job in workspace.state.jobs] == ["bela"]
    assert [(change.kind, change.name) for change in workspace.changes()] == [(StateKind.JOB, "1")]


@pytest.mark.parametrize(
    "text", ["", "no", "[]", "{}", '{"format": 2}', '{"format": 1, "folder": "x", "things": [[1]]}']
)
def test_what_is_no_text_of_edits_is_none(text: str) -> None:
    assert read_edits(text) is None


def test_without_edits_there_is_no_text() -> None:
    assert edits_text("/cluster", document(BASE), document(BASE)) == ""


def test_what_is_no_text_of_ours_is_none() -> None:
    for text in ("", "[]", "{}", "[" * 100_000, '{"a":' * 100_000, '{"format": 1, "folder": "", "things": [1]}'):
        assert read_edits(text) is None
