"""Changes on disk: followed at once, never over unsaved edits, and broken files keep the last good state."""

import asyncio
import threading
from pathlib import Path

import pytest
from textual import events

from qmon_tui.model.cluster import config_object
from qmon_tui.model.kinds import Kind
from qmon_tui.sources import FolderSource, Reading
from qmon_tui.sources.save_log import LoggedFile, write_log
from qmon_tui.tui.dialogs.conflicts import ConflictsDialog
from qmon_tui.tui.dialogs.dialog import AnswerButton
from qmon_tui.tui.dialogs.question_dialogs import ChoiceDialog, NameDialog
from qmon_tui.tui.dialogs.save import SaveDialog
from qmon_tui.workspace import RemoveObject, SetField
from qmon_tui.workspace.edits import AddObject
from tests.tui.screen_harness import Opened, cluster_copy, opened


@pytest.fixture
def teaching(tmp_path: Path) -> Path:
    return cluster_copy("teaching", tmp_path)


def urgency(it: Opened) -> str:
    gpu = it.workspace.cluster.get(Kind.COMPLEX, "gpu")
    assert gpu is not None
    return gpu.text("urgency")


GPU = "    shortcut: gpu\n    type: INT\n    relop: <=\n    requestable: YES\n    consumable: YES\n    default: 0\n"


async def test_the_schedule_follows_the_file(teaching: Path) -> None:
    async with opened(teaching) as it:
        it.write("cluster.yaml", f"{GPU}    urgency: 0", f"{GPU}    urgency: 100")
        await it.changed_on_disk("cluster.yaml")
        assert urgency(it) == "100"
        assert next(iter(it.main.live.job_rows)).job.name == "jobB4"
        assert "read from disk" in it.text
        assert "▲" in it.text
        assert "edit" not in it.text.splitlines()[0]


async def test_our_own_save_is_no_change(teaching: Path) -> None:
    async with opened(teaching) as it:
        it.main.apply(SetField(Kind.COMPLEX, "gpu", "urgency", "100"))
        await it.press("s", "f2")
        revision = it.workspace.revision
        await it.changed_on_disk("cluster.yaml")
        assert it.workspace.revision == revision
        assert "▲" in it.text, "the marks of the edit stay"


async def test_a_broken_file_keeps_the_last_good_schedule(teaching: Path) -> None:
    async with opened(teaching) as it:
        it.write("jobs.yaml", "jobs:", "jobs: [")
        await it.changed_on_disk("jobs.yaml")
        assert "stale" in it.text.splitlines()[0]
        assert "jobs.yaml cannot be read; this is its last good state" in it.text.splitlines()[1]
        assert "jobs.yaml cannot be read" in it.text
        assert len(it.main.live.job_rows) == 8
        assert "✗ 1" in it.text
        it.write("jobs.yaml", "jobs: [", "jobs:")
        await it.changed_on_disk("jobs.yaml")
        assert "stale" not in it.text


async def test_unsaved_edits_are_not_overwritten_and_merge(teaching: Path) -> None:
    async with opened(teaching) as it:
        it.main.apply(SetField(Kind.COMPLEX, "gpu", "urgency", "50"))
        it.write("policy.yaml", "weight_ticket: 0.010000", "weight_ticket: 1.000000")
        await it.changed_on_disk("policy.yaml")
        assert urgency(it) == "50"
        assert "⇅" in it.text
        assert "1 object changed on disk, 1 edit unsaved here" in it.text
        await it.press("r")
        assert isinstance(it.app.screen, ChoiceDialog)
        assert "weight_ticket" in it.text
        assert "Nothing was changed by both." in it.text
        await it.press("enter")
        assert it.at_main
        assert urgency(it) == "50"
        assert it.workspace.cluster.single(Kind.SCHEDULER).text("weight_ticket") == "1.000000"
        assert "changed on disk" not in it.text


async def test_overlapping_edits_are_decided_field_by_field(teaching: Path) -> None:
    async with opened(teaching) as it:
        it.main.apply(SetField(Kind.COMPLEX, "gpu", "urgency", "50"))
        it.write("cluster.yaml", f"{GPU}    urgency: 0", f"{GPU}    urgency: 7")
        await it.changed_on_disk("cluster.yaml")
        await it.press("r", "m")
        assert isinstance(it.app.screen, ConflictsDialog)
        assert "urgency of complex gpu" in it.text
        await it.press("enter")
        assert isinstance(it.app.screen, ConflictsDialog), "not before all is decided"
        await it.press("t", "enter")
        assert it.at_main
        assert urgency(it) == "7"
        await it.press("u")
        assert urgency(it) == "50"


async def test_conflicts_are_decided_with_the_mouse(teaching: Path) -> None:
    async with opened(teaching, size=(80, 24)) as it:
        it.main.apply(SetField(Kind.COMPLEX, "gpu", "urgency", "50"))
        it.write("cluster.yaml", f"{GPU}    urgency: 0", f"{GPU}    urgency: 7")
        await it.changed_on_disk("cluster.yaml")
        await it.press("r", "m")
        for words in ("all yours", "all on disk", "done"):
            button = next(button for button in it.app.screen.query(AnswerButton) if words in str(button.label))
            assert await it.pilot.click(button)
            await it.settle()
        assert it.at_main
        assert urgency(it) == "7"


async def test_something_else_can_be_what_counts(teaching: Path) -> None:
    async with opened(teaching) as it:
        it.main.apply(SetField(Kind.COMPLEX, "gpu", "urgency", "50"))
        it.write("cluster.yaml", f"{GPU}    urgency: 0", f"{GPU}    urgency: 7")
        await it.changed_on_disk("cluster.yaml")
        await it.press("r", "m", "e")
        await it.type("33")
        await it.press("enter")
        assert "✎33" in it.text
        await it.press("enter")
        assert it.at_main
        assert urgency(it) == "33"
        assert "decide which values to keep" not in it.text
        await it.press("u")
        assert urgency(it) == "50"
        assert "decide which values to keep" in it.text


async def test_deciding_later_keeps_mine_and_saving_asks_again(teaching: Path) -> None:
    async with opened(teaching) as it:
        it.main.apply(SetField(Kind.COMPLEX, "gpu", "urgency", "50"))
        it.write("cluster.yaml", f"{GPU}    urgency: 0", f"{GPU}    urgency: 7")
        await it.changed_on_disk("cluster.yaml")
        await it.press("r", "m", "escape")
        assert urgency(it) == "50"
        assert "decide which values to keep" in it.text
        await it.press("s")
        assert any("Decide first" in toast for toast in it.toasts)
        await it.press("r", "m", "enter")
        assert urgency(it) == "50"
        assert "decide which values to keep" not in it.text


@pytest.mark.parametrize(("key", "expected"), [("r", "7"), ("k", "50")])
async def test_reload_drops_and_keep_keeps(teaching: Path, key: str, expected: str) -> None:
    async with opened(teaching) as it:
        it.main.apply(SetField(Kind.COMPLEX, "gpu", "urgency", "50"))
        it.write("cluster.yaml", f"{GPU}    urgency: 0", f"{GPU}    urgency: 7")
        await it.changed_on_disk("cluster.yaml")
        await it.press("r", key)
        assert urgency(it) == expected


async def test_what_reading_again_has_found_does_not_come_over_another_dialog(
    teaching: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_end = threading.Event()

    read = FolderSource.read

    def slowly(source: FolderSource, previous: Reading | None = None) -> Reading:
        may_end.wait(20)
        return read(source, previous)

    async with opened(teaching) as it:
        monkeypatch.setattr(FolderSource, "read", slowly)
        it.main.apply(SetField(Kind.COMPLEX, "gpu", "urgency", "50"))
        it.write("policy.yaml", "weight_ticket: 0.010000", "weight_ticket: 1.000000")
        # A pilot that presses keys waits for what they have started.
        for key in "rrn":
            it.app.post_message(events.Key(key, key))
        async with asyncio.timeout(60):
            while not isinstance(it.app.screen, NameDialog):
                await asyncio.sleep(0.01)
        may_end.set()
        async with asyncio.timeout(60):
            while it.workspace.disk is None:
                await it.pilot.pause()
        await it.settle()
        assert isinstance(it.app.screen, NameDialog)
        await it.press("escape")
        assert it.at_main
        assert "1 object changed on disk, 1 edit unsaved here" in it.text
        await it.press("r")
        assert isinstance(it.app.screen, ChoiceDialog)
        await it.press("escape")
        assert it.at_main


async def test_reload_says_when_nothing_changed(teaching: Path) -> None:
    async with opened(teaching) as it:
        await it.press("r")
        assert "Nothing has changed on disk." in it.toasts


ONE_PER_LINE = """usersets:
  staff: {type: ACL, entries: "anna"}
ckpts:
  blcr: {interface: application-level}
projects:
  p1: {fshare: 5}
"""


@pytest.fixture
def small(tmp_path: Path) -> Path:
    (tmp_path / "small").mkdir()
    (tmp_path / "small" / "all.yaml").write_text(ONE_PER_LINE)
    return tmp_path / "small"


def fshare(it: Opened, name: str = "p1") -> str | None:
    project = it.workspace.cluster.get(Kind.PROJECT, name)
    return project.text("fshare") if project else None


@pytest.mark.parametrize(("key", "fshare_then"), [("m", "7"), ("t", None)])
async def test_what_is_edited_here_and_removed_on_disk_is_asked_about(
    small: Path, key: str, fshare_then: str | None
) -> None:
    async with opened(small) as it:
        it.main.apply(SetField(Kind.PROJECT, "p1", "fshare", "7"))
        it.write("all.yaml", "  p1: {fshare: 5}\n", "")
        await it.changed_on_disk("all.yaml")
        await it.press("r", "m")
        assert isinstance(it.app.screen, ConflictsDialog)
        assert "project p1" in it.text
        assert "before  there" in it.text
        assert "yours   changed: fshare 7" in it.text
        assert "on disk removed" in it.text
        await it.press(key, "enter")
        assert it.at_main
        assert fshare(it) == fshare_then
        assert "decide which values to keep" not in it.text


@pytest.mark.parametrize(("key", "fshare_then"), [("M", None), ("T", "7")])
async def test_what_is_removed_here_and_edited_on_disk_is_asked_about(
    small: Path, key: str, fshare_then: str | None
) -> None:
    async with opened(small) as it:
        it.main.apply(RemoveObject(Kind.PROJECT, "p1"))
        it.write("all.yaml", "fshare: 5", "fshare: 7")
        await it.changed_on_disk("all.yaml")
        await it.press("r", "m", key, "enter")
        assert it.at_main
        assert fshare(it) == fshare_then
        assert not it.workspace.unresolved


async def test_mine_counts_also_where_it_was_edited_again_before_that_was_decided(small: Path) -> None:
    async with opened(small) as it:
        it.main.apply(SetField(Kind.PROJECT, "p1", "fshare", "7"))
        it.write("all.yaml", "  p1: {fshare: 5}\n", "")
        await it.changed_on_disk("all.yaml")
        await it.press("r", "m", "escape")
        it.main.apply(SetField(Kind.PROJECT, "p1", "fshare", "8"))
        await it.press("r", "m", "enter")
        assert not it.workspace.unresolved
        assert fshare(it) == "8"


async def renamed_here_and_removed_on_disk(it: Opened) -> None:
    it.main.apply(SetField(Kind.PROJECT, "p1", "fshare", "7"))
    await it.go_to(Kind.PROJECT, "p1")
    await it.press("n")
    await it.type("p2")
    await it.press("enter")
    it.write("all.yaml", "  p1: {fshare: 5}\n", "")
    await it.changed_on_disk("all.yaml")


@pytest.mark.parametrize(("key", "fshare_then"), [("m", "7"), ("t", None)])
async def test_what_is_renamed_here_and_removed_on_disk_is_asked_about(
    small: Path, key: str, fshare_then: str | None
) -> None:
    async with opened(small) as it:
        await renamed_here_and_removed_on_disk(it)
        await it.press("r", "m")
        assert isinstance(it.app.screen, ConflictsDialog)
        assert "project p1, renamed p2" in it.text
        assert "yours   renamed p2: fshare 7" in it.text
        await it.press(key, "enter")
        assert it.at_main
        assert (fshare(it, "p1"), fshare(it, "p2")) == (None, fshare_then)
        assert not it.workspace.unresolved
        if fshare_then:
            await it.press("s", "f2")
            assert "  p2:\n    fshare: 7\n" in (small / "all.yaml").read_text()


@pytest.mark.parametrize(("key", "fshare_then"), [("m", "7"), ("t", None)])
async def test_the_question_stays_where_undo_brings_the_old_name_back(
    small: Path, key: str, fshare_then: str | None
) -> None:
    async with opened(small) as it:
        await renamed_here_and_removed_on_disk(it)
        await it.press("r", "m", "escape", "u")
        assert fshare(it, "p1") == "7"
        await it.press("r", key, "enter")
        assert it.at_main
        assert fshare(it, "p1") == fshare_then
        assert not it.workspace.unresolved


async def test_a_folder_that_is_gone_is_told_until_it_is_back(teaching: Path) -> None:
    async with opened(teaching, size=(80, 24)) as it:
        it.main.apply(SetField(Kind.COMPLEX, "gpu", "urgency", "50"))
        away = teaching.rename(teaching.with_name("away"))
        await it.changed_on_disk(".")
        assert "✗ folder" in it.text.splitlines()[0]
        assert "r: read it again. The folder is gone; this is its last state" in it.text.splitlines()[1]
        it.app.clear_notifications()
        await it.press("s")
        assert it.at_main
        assert "The folder is gone: nothing can be saved until it is back." in it.toasts
        await it.press("r")
        assert it.at_main
        assert any("is shown until it is back" in toast for toast in it.toasts)
        assert not teaching.exists()
        away.rename(teaching)
        await it.press("r")
        assert "✗ folder" not in it.text
        assert "read it again" not in it.text
        await it.press("s", "f2")
        assert not it.workspace.is_dirty()


async def test_what_changed_in_a_folder_while_it_was_gone_is_asked_about(teaching: Path) -> None:
    async with opened(teaching) as it:
        it.main.apply(SetField(Kind.COMPLEX, "gpu", "urgency", "50"))
        away = teaching.rename(teaching.with_name("away"))
        await it.changed_on_disk(".")
        away.rename(teaching)
        it.write("policy.yaml", "weight_ticket: 0.010000", "weight_ticket: 1.000000")
        await it.changed_on_disk(".")
        assert "1 object changed on disk, 1 edit unsaved here" in it.text.splitlines()[1]
        assert "gone" not in "\n".join(it.text.splitlines()[:2])


async def test_saving_does_not_make_a_folder_anew_that_is_gone(tmp_path: Path) -> None:
    folder = tmp_path / "saved"
    (folder / "projects").mkdir(parents=True)
    (folder / "projects" / "p1").write_text("name p1\noticket 0\nfshare 5\nacl NONE\nxacl NONE\n")
    async with opened(folder) as it:
        it.main.apply(AddObject(config_object(Kind.PROJECT, "p2", {"name": "p2"})))
        await it.press("s")
        assert isinstance(it.app.screen, SaveDialog)
        folder.rename(tmp_path / "away")
        await it.press("f2")
        assert not folder.exists()
        assert any("is gone: nothing can be saved until it is back" in toast for toast in it.toasts)
        assert it.workspace.is_dirty()


async def test_a_save_that_was_interrupted_is_undone_and_said(teaching: Path) -> None:
    cluster = teaching / "cluster.yaml"
    before = cluster.read_text()

    def interrupted() -> None:
        write_log(str(teaching), [LoggedFile("cluster.yaml", before, "queues: {}\n", ".qmon-tui-1")])
        cluster.write_text("queues: {}\n")

    interrupted()
    async with opened(teaching) as it:
        said = "A save of cluster.yaml was interrupted. It was undone: the folder is as before it."
        assert it.toasts.count(said) == 1
        it.app.clear_notifications()
        interrupted()
        await it.changed_on_disk("cluster.yaml")
        assert it.toasts.count(said) == 1
        assert urgency(it) == "0"
    assert cluster.read_text() == before
