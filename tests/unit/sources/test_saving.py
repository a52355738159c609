"""Saving: only what changed, atomically, links and permissions kept, and never over somebody else's change."""

import os
from pathlib import Path

import pytest

from qmon_tui.model.cluster import config_object
from qmon_tui.model.kinds import Kind
from qmon_tui.sources import ConflictError, Reading, SavePlan, SourceError, read_folder

TEXT = "# ours\nqueues:\n  all.q: {slots: 1}   # few\nhosts: {}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "c.yaml").write_text(TEXT)
    (tmp_path / "pes.yaml").write_text("pes: {smp: {slots: 2}}\n")
    return tmp_path


def with_slots(reading: Reading, slots: str) -> SavePlan:
    queue = reading.cluster.objects(Kind.QUEUE)["all.q"]
    return reading.source.plan(reading, reading.cluster.with_object(queue.with_value("slots", slots)))


def test_the_plan_names_the_files_that_change(folder: Path) -> None:
    reading = read_folder(folder)
    assert reading.source.plan(reading, reading.cluster) == SavePlan(())
    (change,) = with_slots(reading, "8").files
    assert (change.file, change.before, change.after) == ("c.yaml", TEXT, TEXT.replace("slots: 1", "slots: 8"))
    assert (folder / "c.yaml").read_text() == TEXT


def test_saving_writes_just_that_and_reads_it(folder: Path) -> None:
    reading = read_folder(folder)
    untouched = (folder / "pes.yaml").stat()
    saved = reading.source.write(reading, with_slots(reading, "8"))
    assert (folder / "c.yaml").read_text() == TEXT.replace("slots: 1", "slots: 8")
    assert saved.cluster.objects(Kind.QUEUE)["all.q"].text("slots") == "8"
    assert saved.files == read_folder(folder).files
    assert (folder / "pes.yaml").stat().st_ino == untouched.st_ino
    assert sorted(os.listdir(folder)) == ["c.yaml", "pes.yaml"]


def test_permissions_and_links_are_kept(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "real.yaml"
    (folder / "c.yaml").rename(elsewhere)
    elsewhere.chmod(0o640)
    (folder / "c.yaml").symlink_to(elsewhere)
    reading = read_folder(folder)
    reading.source.write(reading, with_slots(reading, "8"))
    assert (folder / "c.yaml").is_symlink()
    assert "slots: 8" in elsewhere.read_text()
    assert elsewhere.stat().st_mode & 0o7777 == 0o640


def test_a_new_file_has_the_usual_permissions(folder: Path) -> None:
    mask = os.umask(0o027)
    try:
        reading = read_folder(folder)
        queue = config_object(Kind.CALENDAR, "night", {"calendar_name": "night"})
        reading.source.write(reading, reading.source.plan(reading, reading.cluster.with_object(queue)))
    finally:
        os.umask(mask)
    assert (folder / "calendars.yaml").stat().st_mode & 0o7777 == 0o640


def test_somebody_elses_change_is_not_overwritten(folder: Path) -> None:
    reading = read_folder(folder)
    plan = with_slots(reading, "8")
    (folder / "c.yaml").write_text(TEXT + "# theirs\n")
    with pytest.raises(ConflictError, match=r"c\.yaml") as refused:
        reading.source.write(reading, plan)
    assert refused.value.files == ("c.yaml",)
    assert (folder / "c.yaml").read_text() == TEXT + "# theirs\n"


def test_a_file_that_appeared_meanwhile_is_not_overwritten(folder: Path) -> None:
    reading = read_folder(folder)
    calendar = config_object(Kind.CALENDAR, "night", {"calendar_name": "night"})
    plan = reading.source.plan(reading, reading.cluster.with_object(calendar))
    (folder / "calendars.yaml").write_bytes(b"\xff theirs")
    with pytest.raises(ConflictError):
        reading.source.write(reading, plan)
    assert (folder / "calendars.yaml").read_bytes() == b"\xff theirs"


def test_a_change_elsewhere_is_no_conflict(folder: Path) -> None:
    reading = read_folder(folder)
    plan = with_slots(reading, "8")
    (folder / "pes.yaml").write_text("pes: {smp: {slots: 4}}\n")
    reading.source.write(reading, plan)
    assert "slots: 8" in (folder / "c.yaml").read_text()


def test_a_failing_write_leaves_the_old_file_and_no_other(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reading = read_folder(folder)
    plan = with_slots(reading, "8")

    def broken(source: str, target: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("qmon_tui.sources.atomic_write.os.replace", broken)
    with pytest.raises(SourceError, match="No space left on device"):
        reading.source.write(reading, plan)
    assert (folder / "c.yaml").read_text() == TEXT
    assert sorted(os.listdir(folder)) == ["c.yaml", "pes.yaml"]


def test_an_edit_that_cannot_be_written_is_a_sentence(folder: Path) -> None:
    (folder / "c.yaml").write_text("queues:\n  all.q: &a {slots: 1}\n  b.q: *a\n")
    reading = read_folder(folder)
    with pytest.raises(SourceError, match=r'queue "b\.q"'):
        with_slots(reading, "8")


def test_objects_of_a_qconf_folder_come_and_go(tmp_path: Path) -> None:
    (tmp_path / "projects").mkdir()
    (tmp_path / "projects" / "p").write_text("name p\noticket 0\nfshare 0\nacl NONE\nxacl NONE\n")
    reading = read_folder(tmp_path)
    project = reading.cluster.objects(Kind.PROJECT)["p"]
    after = reading.cluster.without(Kind.PROJECT, "p").with_object(project.renamed("q"))
    user = config_object(Kind.USER, "anna", {"name": "anna"})
    saved = reading.source.write(reading, reading.source.plan(reading, after.with_object(user)))
    assert sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()) == [
        "projects/q",
        "users/anna",
    ]
    assert list(saved.cluster.objects(Kind.PROJECT)) == ["q"]
