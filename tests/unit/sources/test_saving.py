"""Saving: only what changed, atomically, links and permissions kept, and never over somebody else's change."""

import errno
import grp
import json
import os
import pwd
import stat
import struct
import time
from pathlib import Path

import pytest

from qmon_tui.model.cluster import config_object
from qmon_tui.model.kinds import Kind
from qmon_tui.sources import ConflictError, Reading, SavePlan, SourceError, read_folder
from qmon_tui.sources.conversion import convert
from qmon_tui.sources.exchange import exchange
from qmon_tui.sources.folder_files import folder_lock
from qmon_tui.sources.save_log import LoggedFile, write_log
from qmon_tui.sources.saving import save_files
from qmon_tui.sources.source import FileChange

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


def test_links_and_what_a_file_has_besides_its_text_are_kept(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "real.yaml"
    (folder / "c.yaml").rename(elsewhere)
    elsewhere.chmod(0o440)
    if os.geteuid() == 0:
        os.chown(elsewhere, 12, 34)
    has_xattr = extended(elsewhere, "user.origin", b"cfengine")
    has_acl = extended(elsewhere, "system.posix_acl_access", ACL)
    (folder / "c.yaml").symlink_to(elsewhere)
    before = elsewhere.stat()
    reading = read_folder(folder)
    plan = with_slots(reading, "8")
    assert plan.losses == ()
    reading.source.write(reading, plan)
    assert (folder / "c.yaml").is_symlink()
    assert "slots: 8" in elsewhere.read_text()
    after = elsewhere.stat()
    assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid)
    assert not has_xattr or os.getxattr(elsewhere, "user.origin") == b"cfengine"
    assert not has_acl or os.getxattr(elsewhere, "system.posix_acl_access") == ACL
    assert sorted(os.listdir(elsewhere.parent)) == ["real.yaml"]


def test_an_acl_that_a_folder_gives_to_new_files_is_not_given_to_old_ones(folder: Path) -> None:
    if not extended(folder, "system.posix_acl_default", ACL):
        pytest.skip("no ACLs here")
    reading = read_folder(folder)
    before = (folder / "c.yaml").stat().st_mode
    reading.source.write(reading, with_slots(reading, "8"))
    assert os.listxattr(folder / "c.yaml") == []
    assert (folder / "c.yaml").stat().st_mode == before


def test_what_cannot_be_kept_is_said_before_saving(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.link(folder / "c.yaml", folder / "another name")
    reading = read_folder(folder)
    hard = "c.yaml: it is one file with 2 names (hard links): the others keep the old text"
    assert with_slots(reading, "8").losses == (hard,)
    has_xattr = extended(folder / "c.yaml", "user.origin", b"cfengine")

    def refused(*_: object) -> None:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    status = os.stat

    def of_somebody_else(path: "str | int", **more: bool) -> os.stat_result:
        result = list(status(path, **more))
        if str(path).endswith("c.yaml"):
            result[stat.ST_UID], result[stat.ST_GID] = 4_000_000, 4_000_001
        return os.stat_result(result)

    monkeypatch.setattr("qmon_tui.sources.atomic_write.os.stat", of_somebody_else)
    monkeypatch.setattr("qmon_tui.sources.atomic_write.os.fchown", refused)
    monkeypatch.setattr("qmon_tui.sources.atomic_write.os.setxattr", refused)
    plan = with_slots(reading, "8")
    me, group = pwd.getpwuid(os.geteuid()).pw_name, grp.getgrgid(os.getegid()).gr_name
    assert plan.losses == (
        hard,
        f"c.yaml: its owner becomes {me}, who saves it, instead of user 4000000",
        f"c.yaml: its group becomes {group} instead of group 4000001",
        *(("c.yaml: user.origin cannot be kept",) if has_xattr else ()),
    )
    (folder / "c.yaml").chmod(0o664)
    reading.source.write(reading, plan)
    monkeypatch.undo()
    assert (folder / "c.yaml").stat().st_mode & 0o777 == 0o644, "another group may do what everybody may"
    assert "slots: 1" in (folder / "another name").read_text()
    assert with_slots(read_folder(folder), "9").losses == ()


def acl(owner: int, user_7: int, group: int, mask: int, other: int) -> bytes:
    """An access control list as the system keeps it (acl(5)), with an entry for user 7."""
    nobody = 0xFFFFFFFF
    entries = ((1, owner, nobody), (2, user_7, 7), (4, group, nobody), (16, mask, nobody), (32, other, nobody))
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)


ACL = acl(4, 4, 4, 4, 0)


def extended(path: Path, name: str, value: bytes) -> bool:
    """Set an extended attribute; False where the file system has none."""
    try:
        os.setxattr(path, name, value)
    except OSError:
        return False
    return True


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


@pytest.fixture
def two_edits(folder: Path) -> tuple[Reading, SavePlan]:
    """A reading, and edits of both of its files."""
    reading = read_folder(folder)
    queue = reading.cluster.objects(Kind.QUEUE)["all.q"].with_value("slots", "8")
    pe = reading.cluster.objects(Kind.PE)["smp"].with_value("slots", "8")
    return reading, reading.source.plan(reading, reading.cluster.with_objects((queue, pe)))


@pytest.mark.parametrize(
    ("call", "number", "file"),
    [
        *(
            ("write", 0, None),
            ("write", 1, "c.yaml"),
            ("write", 2, "pes.yaml"),
            ("rename", 0, None),
            ("rename", 1, None),
        ),
        *(("fsync", 0, None), ("fsync", 2, "c.yaml"), ("fsync", 3, "pes.yaml"), ("fchmod", 3, "pes.yaml")),
    ],
)
def test_a_save_that_fails_changes_no_file_and_says_so(
    folder: Path,
    two_edits: tuple[Reading, SavePlan],
    monkeypatch: pytest.MonkeyPatch,
    call: str,
    number: int,
    file: str | None,
) -> None:
    reading, plan = two_edits
    before = {path.name: path.read_text() for path in folder.iterdir()}
    real, numbers = getattr(os, call), iter(range(100))

    def failing(*arguments: object) -> object:
        if next(numbers) == number:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), ".qmon-tui-something")
        return real(*arguments)

    monkeypatch.setattr(f"qmon_tui.sources.atomic_write.os.{call}", failing)
    with pytest.raises(SourceError) as failed:
        reading.source.write(reading, plan)
    monkeypatch.undo()
    what = f"to {folder}" if file is None else folder / file
    assert str(failed.value) == f"cannot write {what}: No space left on device; no file has changed"
    assert {path.name: path.read_text() for path in folder.iterdir()} == before


def test_a_save_that_can_neither_end_nor_be_undone_says_what_is_written(
    folder: Path, two_edits: tuple[Reading, SavePlan], monkeypatch: pytest.MonkeyPatch
) -> None:
    reading, plan = two_edits

    def exchange_once(ours: str, place: str) -> None:
        monkeypatch.setattr("qmon_tui.sources.saving.exchange", broken)
        monkeypatch.setattr("qmon_tui.sources.save_log.exchange", broken)
        exchange(ours, place)

    def broken(ours: str, place: str) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO), place)

    monkeypatch.setattr("qmon_tui.sources.saving.exchange", exchange_once)
    with pytest.raises(SourceError, match=r"Input/output error; of the files these are written: c\.yaml\. It is taken"):
        reading.source.write(reading, plan)
    monkeypatch.undo()
    assert read_folder(folder) == reading
    assert sorted(os.listdir(folder)) == ["c.yaml", "pes.yaml"]


def test_whoever_cannot_undo_a_save_that_was_killed_sees_the_folder_before_it(
    folder: Path, two_edits: tuple[Reading, SavePlan], monkeypatch: pytest.MonkeyPatch
) -> None:
    reading, plan = two_edits
    write_log(str(folder), [LoggedFile(*change, f".qmon-tui-{change.file}") for change in plan.files])
    (folder / "c.yaml").write_text(plan.files[0].after or "")
    with folder_lock(folder, shared=True, patience=0):  # as much as not to be alone
        seen = read_folder(folder)
    assert seen.files == reading.files
    assert seen.cluster == reading.cluster
    (finding,) = set(seen.findings) - set(reading.findings)
    assert finding.message.startswith(
        "a save of c.yaml, pes.yaml was interrupted: what is shown is the folder as it was"
    )
    assert "slots: 8" in (folder / "c.yaml").read_text()
    assert seen.undone == ()
    mended = read_folder(folder)
    assert (mended.findings, mended.undone) == (reading.findings, ("c.yaml", "pes.yaml"))
    assert (folder / "c.yaml").read_text() == TEXT
    assert read_folder(folder).undone == ()


def test_a_log_that_nobody_can_read_is_said_and_nothing_is_saved_over_it(folder: Path) -> None:
    reading = read_folder(folder)
    (folder / ".qmon-tui-saving").write_text("[" * 100_000)
    (finding,) = set(read_folder(folder).findings) - set(reading.findings)
    assert "some files may be new and others old" in finding.message
    with pytest.raises(
        SourceError, match=r"cannot be undone, as \S+/\.qmon-tui-saving is damaged: look through the files"
    ):
        reading.source.write(reading, with_slots(reading, "8"))
    assert (folder / "c.yaml").read_text() == TEXT


def test_a_damaged_log_of_a_finished_save_blocks_nothing(folder: Path) -> None:
    (folder / ".qmon-tui-saved").write_text("[")
    reading = read_folder(folder)
    saved = reading.source.write(reading, with_slots(reading, "8"))
    assert (saved.findings, sorted(os.listdir(folder))) == ((), ["c.yaml", "pes.yaml"])


@pytest.mark.parametrize("log", [".qmon-tui-saving", ".qmon-tui-saved"])
@pytest.mark.parametrize(
    "entry",
    [
        ["c.yaml", TEXT, "x", "../away/kept"],
        ["../away/known", None, "known", ".qmon-tui-1"],
        ["{away}/known", None, "known", ".qmon-tui-1"],
        ["link.yaml", "evil", "known", ".qmon-tui-1"],
        ["through/known", None, "known", ".qmon-tui-1"],
        ["c.yaml", TEXT, "x", "pes.yaml"],
        [".", None, "x", ".qmon-tui-1"],
        ["c.yaml\0", None, "x", ".qmon-tui-1"],
        [None, None, "x", ".qmon-tui-1"],
    ],
)
def test_the_log_of_a_folder_that_is_handed_in_reaches_nothing_outside(
    tmp_path: Path, log: str, entry: list[str | None]
) -> None:
    folder, away = tmp_path / "folder", tmp_path / "away"
    for made in (folder, away):
        made.mkdir()
    texts = {folder / "c.yaml": TEXT, folder / "pes.yaml": "pes: {}\n", away / "kept": "kept", away / "known": "known"}
    for path, text in texts.items():
        path.write_text(text)
    (folder / "link.yaml").symlink_to("../away/known")
    (folder / "through").symlink_to("../away")
    files = [[text and text.replace("{away}", str(away)) for text in entry]]
    (folder / log).write_text(json.dumps({"format": 1, "files": files}))
    read_folder(folder)
    assert {path: path.read_text() for path in texts} == texts
    assert sorted(os.listdir(away)) == ["kept", "known"]


@pytest.mark.parametrize("layout", ["qconf", "yaml"])
def test_a_name_that_the_locale_has_no_letters_for_is_refused_before_anything_is_written(
    tmp_path: Path, layout: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "from").mkdir()
    (tmp_path / "from" / "c.yaml").write_text("users: {anna: {}, müller: {}}\n")
    reading = read_folder(tmp_path / "from")
    monkeypatch.setattr("qmon_tui.sources.source.os.fsencode", lambda name: name.encode("ascii"))
    if layout == "yaml":
        assert list(convert(reading, tmp_path / "to", "yaml").files) == ["users.yaml"]
        return
    with pytest.raises(SourceError, match=r"no file can be called users/müller in this locale .*: set LC_ALL=C\.UTF-8"):
        convert(reading, tmp_path / "to", layout)
    assert not (tmp_path / "to").exists()
    change = FileChange("users/müller", None, "name müller\n")
    with pytest.raises(SourceError, match="no file can be called"):
        save_files(str(tmp_path / "from"), [change])
    assert os.listdir(tmp_path / "from") == ["c.yaml"]


def test_a_folder_that_somebody_else_saves_is_waited_for(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reading = read_folder(folder)
    monkeypatch.setattr("qmon_tui.sources.saving.PATIENCE_SECONDS", 0.05)
    with (
        folder_lock(folder, shared=False, patience=0),
        pytest.raises(SourceError, match="is being saved by another program"),
    ):
        reading.source.write(reading, with_slots(reading, "8"))
    reading.source.write(reading, with_slots(reading, "8"))


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


def test_what_a_killed_program_was_writing_goes_with_a_later_save(folder: Path) -> None:
    for name, age in ((".qmon-tui-old", 7200), (".qmon-tui-new", 1), (".mine", 7200)):
        (folder / name).write_text("half a te")
        os.utime(folder / name, (time.time() - age,) * 2)
    reading = read_folder(folder)
    reading.source.write(reading, with_slots(reading, "8"))
    assert sorted(os.listdir(folder)) == [".mine", ".qmon-tui-new", "c.yaml", "pes.yaml"]
