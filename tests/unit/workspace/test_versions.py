"""Earlier versions of a real folder: kept by saving, named, restored as an edit."""

import shutil
from pathlib import Path

import pytest

from qmon_tui.model.kinds import Kind
from qmon_tui.qmaster.commands import Target
from qmon_tui.sources import read_folder
from qmon_tui.sources.conversion import convert
from qmon_tui.sources.versions import VersionKind, files_of, versions
from qmon_tui.workspace import (
    RemoveObject,
    RestoredPart,
    SetField,
    Workspace,
    document_of,
    keep_saved,
    keep_snapshot,
    restore_edit,
)
from qmon_tui.workspace.difference import changes, state_changes
from qmon_tui.workspace.edits import AddObject
from tests.edits import alter_jobs, delete_jobs
from tests.unit.workspace.samples import queue

TEACHING = Path(__file__).parents[3] / "configs" / "teaching"


@pytest.fixture(params=["yaml", "qconf"])
def folder(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    copy = tmp_path / "teaching"
    if request.param == "yaml":
        shutil.copytree(TEACHING, copy)
    else:
        convert(read_folder(TEACHING), copy, "qconf")
    return copy


def slots(text: str) -> SetField:
    return SetField(Kind.QUEUE, "all.q", "slots", text)


def save(workspace: Workspace) -> None:
    before, made = workspace.reading, workspace.changes()
    assert workspace.save() is None
    keep_saved(before, workspace.reading, made)


def test_each_save_is_kept_and_what_was_there_before(folder: Path) -> None:
    first = dict(read_folder(folder).files)
    workspace = Workspace(read_folder(folder))
    workspace.apply(slots("3"))
    save(workspace)
    workspace.apply(slots("4"))
    save(workspace)
    newest, middle, oldest = versions(folder)
    assert [version.kind for version in (newest, middle, oldest)] == [
        VersionKind.SAVED, VersionKind.SAVED, VersionKind.FOUND,
    ]  # fmt: skip
    assert newest.changed == ("changed queue all.q",)
    assert files_of(oldest) == first
    assert files_of(newest) == dict(read_folder(folder).files)


def test_what_somebody_else_has_written_meanwhile_is_kept_too(folder: Path) -> None:
    workspace = Workspace(read_folder(folder))
    workspace.apply(slots("3"))
    save(workspace)
    other = Workspace(read_folder(folder))
    other.apply(slots("9"))
    other.save()
    workspace.disk_changed(read_folder(folder))
    workspace.apply(slots("4"))
    save(workspace)
    assert [version.kind for version in versions(folder)[:2]] == [VersionKind.SAVED, VersionKind.FOUND]


def test_restoring_is_an_edit_that_can_be_undone_and_saved(folder: Path) -> None:
    first = read_folder(folder).cluster
    workspace = Workspace(read_folder(folder))
    workspace.apply(slots("3"))
    workspace.apply(AddObject(queue("new.q")))
    workspace.apply(RemoveObject(Kind.USER, "userb"))
    save(workspace)
    oldest = versions(folder)[-1]
    workspace.apply(slots("5"))
    workspace.apply(restore_edit(workspace, document_of(oldest, "teaching"), "restore"))
    assert workspace.history.undo_label == "restore"
    assert {(change.kind, change.name) for change in workspace.changes()} == {
        (Kind.QUEUE, "all.q"), (Kind.QUEUE, "new.q"), (Kind.USER, "userb"),
    }  # fmt: skip
    workspace.undo()
    assert [change.fields for change in workspace.changes()] == [(("slots", "3", "5"),)]
    workspace.redo()
    save(workspace)
    assert changes(first, read_folder(folder).cluster) == ()


def test_a_snapshot_holds_what_is_not_saved_and_leaves_it_unsaved(folder: Path) -> None:
    workspace = Workspace(read_folder(folder))
    workspace.apply(slots("3"))
    keep_snapshot(workspace, "trying three slots")
    (version,) = versions(folder)
    assert version.name == "trying three slots"
    all_q = document_of(version, "teaching").cluster.get(Kind.QUEUE, "all.q")
    assert all_q is not None
    assert all_q.text("slots") == "3"
    assert workspace.is_dirty()


def test_a_snapshot_can_be_taken_of_what_cannot_be_saved(folder: Path) -> None:
    workspace = Workspace(read_folder(folder))
    workspace.apply(slots("3"))
    other = Workspace(read_folder(folder))
    other.apply(slots("9"))
    other.save()
    workspace.disk_changed(read_folder(folder))
    keep_snapshot(workspace, "mine")
    all_q = document_of(versions(folder)[0], "teaching").cluster.get(Kind.QUEUE, "all.q")
    assert all_q is not None
    assert all_q.text("slots") == "3"


@pytest.mark.parametrize("part", RestoredPart)
def test_jobs_come_back_with_the_objects_or_without_them(folder: Path, part: RestoredPart) -> None:
    workspace = Workspace(read_folder(folder))
    before = workspace.document
    keep_snapshot(workspace, "before")
    workspace.apply(slots("3"))
    workspace.apply(delete_jobs((Target(4),), force=True))
    workspace.apply(alter_jobs((Target(8),), "-p -7 -N other"))
    after = workspace.document
    save(workspace)
    version = document_of(next(version for version in versions(folder) if version.name == "before"), "teaching")
    workspace.apply(restore_edit(workspace, version, "restore", part))
    assert changes(workspace.cluster, (after if part is RestoredPart.STATE else before).cluster) == ()
    expected = after.state if part is RestoredPart.OBJECTS else before.state
    assert {job.id: job for job in workspace.state.jobs} == {job.id: job for job in expected.jobs}
    save(workspace)
    again = read_folder(folder)
    assert {job.id: job for job in again.state.jobs} == {job.id: job for job in expected.jobs}
    workspace.undo()
    assert state_changes(workspace.state, after.state) == ()
