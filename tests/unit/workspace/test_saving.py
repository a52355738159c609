"""Saving real folders of both layouts, while others write to them too."""

import shutil
from pathlib import Path

import pytest

from qmon_tui.model.kinds import Kind
from qmon_tui.sources import read_folder
from qmon_tui.sources.conversion import convert
from qmon_tui.workspace import Event, RemoveObject, RenameObject, SetField, Workspace, WorkspaceError
from qmon_tui.workspace.edits import AddObject

TEACHING = Path(__file__).parents[3] / "configs" / "teaching"
SLOTS = SetField(Kind.QUEUE, "all.q", "slots", "3")


@pytest.fixture(params=["yaml", "qconf"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    copy = tmp_path / "teaching"
    if request.param == "yaml":
        shutil.copytree(TEACHING, copy)
    else:
        convert(read_folder(TEACHING), copy, "qconf")
    return copy


def texts(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


def opened(folder: Path) -> Workspace:
    return Workspace(read_folder(folder))


def file_of(workspace: Workspace, kind: Kind, name: str) -> str:
    obj = workspace.base_document.cluster.get(kind, name)
    assert obj is not None
    assert obj.origin is not None
    return obj.origin.file


def edit_outside(folder: Path, workspace: Workspace, edit: SetField | AddObject) -> None:
    """Somebody else's program makes an edit and saves it."""
    other = opened(folder)
    other.apply(edit)
    assert other.save() is None


def test_saving_changes_one_line_of_one_file(folder: Path) -> None:
    before = texts(folder)
    workspace = opened(folder)
    workspace.apply(SLOTS)
    told: list[Event] = []
    workspace.subscribe(told.append)
    assert workspace.save() is None
    after = texts(folder)
    (changed,) = (name for name in after if after[name] != before.get(name))
    old, new = before[changed].splitlines(), after[changed].splitlines()
    assert [pair for pair in zip(old, new, strict=True) if pair[0] != pair[1]] == [
        (line, line.replace("2", "3")) for line in old if line.split()[:1] in (["slots:"], ["slots"])
    ]
    assert set(after) == set(before)
    assert not workspace.is_dirty()
    assert told == [Event.SAVED]


def test_undo_goes_on_after_saving_and_saving_that_restores_the_files(folder: Path) -> None:
    before = texts(folder)
    workspace = opened(folder)
    workspace.apply(SLOTS)
    workspace.apply(RemoveObject(Kind.USER, "userb"))
    workspace.save()
    assert workspace.undo() == "delete user userb"
    assert workspace.undo() == "set slots of queue all.q"
    assert [(change.kind, change.name) for change in workspace.changes()] == [
        (Kind.QUEUE, "all.q"),
        (Kind.USER, "userb"),
    ]
    workspace.save()
    assert opened(folder).changes() == ()
    again = texts(folder)
    name = file_of(workspace, Kind.QUEUE, "all.q")
    assert again[name] == before[name]


def test_what_is_saved_is_what_is_read_again(folder: Path) -> None:
    workspace = opened(folder)
    workspace.apply(RenameObject(Kind.QUEUE, "all.q", "main.q"))
    workspace.apply(SetField(Kind.SCHEDULER, "scheduler", "weight_ticket", "0.5"))
    workspace.apply(AddObject(workspace.cluster.objects(Kind.COMPLEX)["gpu"].renamed("fpga")))
    workspace.apply(SetField(Kind.COMPLEX, "fpga", "shortcut", "fpga"))
    workspace.save()
    again = opened(folder)
    assert "main.q" in again.cluster.objects(Kind.QUEUE)
    assert "all.q" not in again.cluster.objects(Kind.QUEUE)
    assert again.cluster.single(Kind.SCHEDULER).text("weight_ticket").rstrip("0") == "0.5"
    assert again.cluster.objects(Kind.COMPLEX)["fpga"].text("shortcut") == "fpga"
    assert again.reading.findings == ()


def test_nothing_is_written_where_nothing_changed(folder: Path) -> None:
    workspace = opened(folder)
    edit_outside(folder, workspace, SetField(Kind.QUEUE, "all.q", "slots", "7"))
    with pytest.raises(WorkspaceError, match="Nothing to save"):
        workspace.save()
    assert opened(folder).cluster.objects(Kind.QUEUE)["all.q"].text("slots") == "7"


def test_a_conflict_is_offered_instead_of_written(folder: Path) -> None:
    workspace = opened(folder)
    workspace.apply(SLOTS)
    edit_outside(folder, workspace, SetField(Kind.QUEUE, "all.q", "slots", "7"))
    outside = texts(folder)
    change = workspace.save()
    assert change is not None
    assert change is workspace.disk
    assert [(c.label, c.base, c.mine, c.theirs) for c in change.conflicts] == [("slots of queue all.q", "2", "3", "7")]
    assert texts(folder) == outside
    workspace.merge()
    workspace.resolve(workspace.unresolved[0], "mine")
    assert workspace.save() is None
    assert opened(folder).cluster.objects(Kind.QUEUE)["all.q"].text("slots") == "3"


def test_what_others_added_meanwhile_survives(folder: Path) -> None:
    workspace = opened(folder)
    workspace.apply(SetField(Kind.COMPLEX, "gpu", "urgency", "100"))
    fpga = workspace.cluster.objects(Kind.COMPLEX)["gpu"].renamed("fpga").with_value("shortcut", "fpga")
    edit_outside(folder, workspace, AddObject(fpga))
    if workspace.save() is not None:
        assert workspace.merge() == ()
        assert workspace.save() is None
    saved = opened(folder).cluster.objects(Kind.COMPLEX)
    assert saved["gpu"].text("urgency") == "100"
    assert saved["fpga"].text("shortcut") == "fpga"


def test_a_comment_written_meanwhile_survives_and_is_no_conflict(tmp_path: Path) -> None:
    folder = tmp_path / "teaching"
    shutil.copytree(TEACHING, folder)
    workspace = opened(folder)
    workspace.apply(SLOTS)
    file = folder / file_of(workspace, Kind.QUEUE, "all.q")
    file.write_text("# a word from somebody else\n" + file.read_text())
    assert workspace.save() is None
    assert file.read_text().startswith("# a word from somebody else\n")
    assert opened(folder).cluster.objects(Kind.QUEUE)["all.q"].text("slots") == "3"


def test_a_half_written_file_keeps_the_pane_and_is_mended_by_the_rest(folder: Path) -> None:
    workspace = opened(folder)
    whole = workspace.cluster
    file = folder / file_of(workspace, Kind.QUEUE, "all.q")
    text = file.read_text()
    file.write_text(text[: text.index("slots")] + "slo")
    workspace.disk_changed(read_folder(folder))
    assert [obj.text("slots") for obj in workspace.cluster.objects(Kind.QUEUE).values()] == ["2"]
    assert workspace.snapshot().stale_files == (file.relative_to(folder).as_posix(),)
    assert not workspace.is_dirty()
    file.write_text(text)
    workspace.disk_changed(read_folder(folder))
    assert workspace.cluster == whole
    assert workspace.snapshot().stale_files == ()


def test_other_files_can_be_saved_while_one_is_broken(folder: Path) -> None:
    workspace = opened(folder)
    scheduler = folder / file_of(workspace, Kind.SCHEDULER, "scheduler")
    broken = folder / file_of(workspace, Kind.QUEUE, "all.q")
    broken.write_text("{{{")
    workspace.disk_changed(read_folder(folder))
    workspace.apply(SetField(Kind.SCHEDULER, "scheduler", "weight_ticket", "0.5"))
    assert workspace.save() is None
    assert "0.5" in scheduler.read_text()
    assert broken.read_text() == "{{{"
    assert not workspace.is_dirty()
    assert "all.q" in workspace.cluster.objects(Kind.QUEUE)
