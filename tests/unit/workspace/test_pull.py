"""A folder that was taken from a qmaster takes over what changes there, three-way, and keeps its new base."""

import os
from pathlib import Path

import pytest

from qmon_tui.cli import main
from qmon_tui.model.kinds import Kind
from qmon_tui.sources import Source, SourceError, read_folder
from qmon_tui.sources.conversion import convert
from qmon_tui.sources.qmaster_source import QmasterSource
from qmon_tui.sources.snapshot import FOLDER, advanced, pulled_now, read_snapshot
from qmon_tui.workspace import Pull, SetField, Side, WorkspaceError, keep_base, merge_pull, pull_of
from qmon_tui.workspace.workspace import Workspace
from tests.unit.sources.successor_cell import successor_cell

QUEUE = (Kind.QUEUE, "all.q")


@pytest.fixture
def layout() -> str:
    return "qconf"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, layout: str) -> Path:
    cell = successor_cell(tmp_path)
    monkeypatch.setenv("SGE_ROOT", cell.root)
    for name in ("SGE_CELL", "SGE_QMASTER_PORT", "SGE_EXECD_PORT"):
        monkeypatch.delenv(name, raising=False)
    return Path(convert(QmasterSource(cell).read(), tmp_path / "site", layout).source.location)


def on_qmaster(folder: Path, file: str, before: str, after: str) -> None:
    place = folder.parent / "dump" / file
    text = place.read_text()
    assert before in text
    place.write_text(text.replace(before, after))


def pulled(workspace: Workspace) -> Pull:
    """Pull as the key does."""
    folder = workspace.reading.folder
    assert folder is not None
    snapshot = read_snapshot(folder)
    now = pulled_now(snapshot)
    pull = pull_of(workspace.edited_document, snapshot.cluster, now.cluster)
    if pull.made:
        merge_pull(workspace, pull, advanced(folder, now))
        keep_base(workspace)
    return pull


def value(workspace: Workspace, kind: Kind, name: str, field: str) -> str:
    obj = workspace.cluster.get(kind, name)
    return obj.text(field) if obj is not None else "gone"


def test_a_snapshot_says_when_from_where_and_by_which_clients(folder: Path) -> None:
    snapshot = read_snapshot(folder)
    assert snapshot.location == "qmaster:"
    assert snapshot.cell == f"default of {os.environ['SGE_ROOT']}"
    assert snapshot.clients.startswith("OCS 9.2.0")
    assert snapshot.taken > 1_700_000_000
    reading = read_folder(folder)
    assert not any(file.startswith(".") for file in reading.files)
    assert main(["diff", str(folder), "qmaster:"]) == 0
    assert main(["check", str(folder)]) == 0


def test_nothing_has_changed(folder: Path) -> None:
    assert pulled(Workspace(read_folder(folder))).made == ()


@pytest.mark.parametrize("layout", ["yaml", "qconf"])
def test_changes_on_both_sides_merge_by_field_and_element(folder: Path) -> None:
    workspace = Workspace(read_folder(folder))
    workspace.apply(SetField(*QUEUE, "slots", "4,[n1=2]"))
    workspace.apply(SetField(*QUEUE, "seq_no", "7"))
    workspace.save()
    workspace.apply(SetField(*QUEUE, "priority", "3"))
    on_qmaster(folder, "cqueues/all.q", "4", "4,[n2=8]")
    on_qmaster(folder, "users/amir", "1772449832799319", "1772449999999999")
    (folder.parent / "dump/projects").mkdir(exist_ok=True)
    (folder.parent / "dump/projects/ice").write_text("name ice\noticket 0\nfshare 5\nacl NONE\nxacl NONE\n")
    pull = pulled(workspace)
    assert [(change.what, change.name) for change in pull.made] == [("changed", "all.q"), ("added", "ice")]
    assert not workspace.unresolved
    assert value(workspace, *QUEUE, "slots") == "4,[n1=2],[n2=8]"
    assert value(workspace, *QUEUE, "seq_no") == "7"
    assert value(workspace, *QUEUE, "priority") == "3"
    assert value(workspace, Kind.PROJECT, "ice", "fshare") == "5"
    workspace.undo()
    assert value(workspace, *QUEUE, "slots") == "4,[n1=2]"
    workspace.redo()
    workspace.save()
    again = Workspace(read_folder(folder))
    assert value(again, *QUEUE, "slots") == "4,[n1=2],[n2=8]"
    assert pulled(again).made == ()
    on_qmaster(folder, "cqueues/all.q", "[n2=8]", "[n2=9]")
    pulled(again)
    assert not again.unresolved, "the base is that of the last pull"
    assert value(again, *QUEUE, "slots") == "4,[n1=2],[n2=9]"


@pytest.mark.parametrize("side", list(Side))
def test_what_both_sides_changed_is_decided_before_saving(folder: Path, side: Side) -> None:
    workspace = Workspace(read_folder(folder))
    workspace.apply(SetField(*QUEUE, "seq_no", "7"))
    on_qmaster(folder, "cqueues/all.q", "seq_no                0", "seq_no                9")
    pulled(workspace)
    (conflict,) = workspace.unresolved
    assert (conflict.label, conflict.mine, conflict.theirs) == ("seq_no of queue all.q", "7", "9")
    assert value(workspace, *QUEUE, "seq_no") == "7"
    with pytest.raises(WorkspaceError, match="Decide first"):
        workspace.save_plan()
    workspace.resolve(conflict, side)
    assert not workspace.unresolved
    assert value(workspace, *QUEUE, "seq_no") == ("7" if side is Side.MINE else "9")
    workspace.apply(SetField(*QUEUE, "priority", "1"))
    workspace.save()
    assert pulled(Workspace(read_folder(folder))).made == ()


def test_a_saved_value_that_stays_is_decided_once(folder: Path) -> None:
    workspace = Workspace(read_folder(folder))
    workspace.apply(SetField(*QUEUE, "seq_no", "7"))
    workspace.save()
    on_qmaster(folder, "cqueues/all.q", "seq_no                0", "seq_no                9")
    pulled(workspace)
    (conflict,) = workspace.unresolved
    workspace.resolve(conflict, Side.MINE)
    keep_base(workspace)
    assert not workspace.changes()
    assert pulled(workspace).made == ()


@pytest.mark.parametrize("side", list(Side))
def test_an_object_that_is_removed_there_and_changed_here(folder: Path, side: Side) -> None:
    workspace = Workspace(read_folder(folder))
    workspace.apply(SetField(*QUEUE, "seq_no", "7"))
    (folder.parent / "dump/cqueues/all.q").unlink()
    (folder.parent / "dump/usersets/staff").unlink()
    pulled(workspace)
    (conflict,) = workspace.unresolved
    assert conflict.field is None
    assert value(workspace, *QUEUE, "seq_no") == "7"
    assert value(workspace, Kind.USERSET, "staff", "type") == "gone"
    workspace.resolve(conflict, side)
    assert not workspace.unresolved
    assert value(workspace, *QUEUE, "seq_no") == ("7" if side is Side.MINE else "gone")


def test_the_same_change_on_both_sides_is_no_edit_and_a_new_base(folder: Path) -> None:
    workspace = Workspace(read_folder(folder))
    workspace.apply(SetField(*QUEUE, "seq_no", "9"))
    workspace.save()
    on_qmaster(folder, "cqueues/all.q", "seq_no                0", "seq_no                9")
    assert pulled(workspace).made
    assert not workspace.changes()
    assert pulled(workspace).made == ()


def test_a_merge_that_is_undone_keeps_the_old_base(folder: Path) -> None:
    workspace = Workspace(read_folder(folder))
    on_qmaster(folder, "cqueues/all.q", "seq_no                0", "seq_no                9")
    pulled(workspace)
    workspace.undo()
    workspace.apply(SetField(*QUEUE, "priority", "1"))
    workspace.save()
    assert [change.name for change in pulled(workspace).made] == ["all.q"]


def test_another_cell_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = successor_cell(folder.parent / "other")
    monkeypatch.setenv("SGE_ROOT", other.root)
    with pytest.raises(SourceError, match=r"the snapshot is of cell default of .*, but qmaster: is cell"):
        pulled_now(read_snapshot(folder))


@pytest.mark.parametrize(
    ("file", "text", "words"),
    [
        ("about", None, "keeps no snapshot of a running cluster"),
        ("about", "taken yesterday\n", "is no snapshot"),
        ("about", "", "is no snapshot"),
        ("cluster.yaml", "queues: [", "is no snapshot"),
        ("cluster.yaml", None, "cannot read"),
        ("cluster.yaml", "\udcff", "is not UTF-8"),
    ],
)
def test_a_snapshot_that_cannot_be_read_is_a_sentence(folder: Path, file: str, text: str | None, words: str) -> None:
    place: Path = folder / FOLDER / file
    place.unlink()
    if text is not None:
        place.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(SourceError, match=words):
        read_snapshot(folder)


def test_a_location_that_is_no_running_cluster_is_refused(folder: Path) -> None:
    place = folder / FOLDER / "about"
    place.write_text(place.read_text().replace("qmaster:", "/etc"))
    with pytest.raises(SourceError, match='the snapshot is of "/etc", which is no running cluster'):
        pulled_now(read_snapshot(folder))


def test_a_conversion_of_a_folder_keeps_no_snapshot_of_its_own(folder: Path) -> None:
    source: Source = convert(read_folder(folder), folder.parent / "copy", "yaml").source
    assert not (Path(source.location) / FOLDER).exists()
