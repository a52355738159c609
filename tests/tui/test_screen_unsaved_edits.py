"""Nothing is lost: all edits in sight, edits that outlive the program, and earlier versions."""

import asyncio
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from qmon_tui.model.kinds import Kind
from qmon_tui.qmaster.commands import Target
from qmon_tui.sources import FolderSource, Reading, SavePlan
from qmon_tui.sources.journal import Journal, abandoned_journals, journal_folder
from qmon_tui.sources.versions import versions
from qmon_tui.tui.dialogs.changes import ChangesDialog
from qmon_tui.tui.dialogs.conflicts import ConflictsDialog
from qmon_tui.tui.dialogs.question_dialogs import ChoiceDialog
from qmon_tui.tui.dialogs.versions import VersionsDialog
from qmon_tui.workspace import RemoveObject, ReplaceDocument, SetField, uses
from tests.edits import alter_jobs
from tests.tui.screen_harness import Opened, cluster_copy, opened


@pytest.fixture
def teaching(tmp_path: Path) -> Path:
    return cluster_copy("teaching", tmp_path)


def set_to(name: str, field: str, text: str, kind: Kind = Kind.QUEUE) -> SetField:
    return SetField(kind, name, field, text)


SLOTS = set_to("all.q", "slots", "3")
URGENCY = set_to("gpu", "urgency", "50", Kind.COMPLEX)


def slots(it: Opened) -> str:
    all_q = it.workspace.cluster.get(Kind.QUEUE, "all.q")
    assert all_q is not None
    return all_q.text("slots")


async def kept(it: Opened) -> None:
    """Wait until everything is on disk."""
    await it.settle()
    async with asyncio.timeout(60):
        while not it.main.autosave.idle:
            await it.pilot.pause()


# All edits


async def test_the_commands_of_all_edits_are_shown_and_written(teaching: Path, tmp_path: Path) -> None:
    file = tmp_path / "edits.sh"
    async with opened(teaching) as it:
        it.main.apply(SLOTS)
        await it.press("C", "c")
        assert "The unsaved edits as 1 command" in it.text
        assert "qconf -rattr queue slots 3 all.q" in it.text
        await it.press("w")
        await it.type(str(file))
        await it.press("enter")
        assert f"Wrote the commands to {file}" in it.toasts
        await it.press("escape", "escape", "s")
        await it.press("c")
        assert "The unsaved edits as 1 command" in it.text
        await it.press("y")
        assert it.app.clipboard == file.read_text()
        await it.press("escape")
        assert "F2 save" in it.text, "the question is open still"
    lines = file.read_text().splitlines()
    assert lines[0] == "#!/bin/sh"
    assert lines[1].startswith(f"# Unsaved edits of {teaching}, ")
    assert lines[2] == "# 1 object changed; 1 command"
    assert lines[-3:] == ["# ● queue all.q   changed", "#   slots  2 → 3", "qconf -rattr queue slots 3 all.q"]


async def test_all_edits_are_seen_and_any_can_be_reverted(teaching: Path) -> None:
    async with opened(teaching) as it:
        await it.press("C")
        assert "Nothing has changed since the last save." in it.toasts
        for edit in (SLOTS, set_to("all.q", "seq_no", "7"), URGENCY):
            it.main.apply(edit)
        await it.press("C")
        assert isinstance(it.app.screen, ChangesDialog)
        assert "2 edits unsaved" in it.text
        assert "2 → 3" in it.text
        await it.press("down", "down", "down")
        await it.press("x")
        assert [change.fields for change in it.workspace.changes()] == [
            (("urgency", "0", "50"),), (("slots", "2", "3"),),
        ]  # fmt: skip
        await it.press("u")
        assert len(it.workspace.changes()) == 2
        await it.press("X")
        assert not it.workspace.is_dirty()
        assert "There are no unsaved edits left." in it.text
        await it.press("u")
        assert slots(it) == "3"
        await it.press("l")
        assert "+     urgency: 50" in it.text, "the lines of the files"
        await it.press("y")
        assert it.app.clipboard.endswith(
            "qconf -Mc complexes\nqconf -rattr queue seq_no 7 all.q\nqconf -rattr queue slots 3 all.q\n"
        )
        await it.press("escape")
        assert it.at_main


async def test_from_an_edit_to_its_field_or_to_saving(teaching: Path) -> None:
    async with opened(teaching) as it:
        it.main.apply(URGENCY)
        await it.press("C", "down", "enter")
        assert (it.main.kind, it.main.chosen, it.main.form.field) == (Kind.COMPLEX, "gpu", "urgency")
        it.main.apply(RemoveObject(Kind.USER, "userb"))
        await it.press("escape", "C", "end", "enter")
        assert it.main.kind is Kind.USER, "what is gone leads to its kind"
        await it.press("C", "s")
        assert "What changes" in it.text
        await it.press("escape")


# Edits that outlive the program


async def left_behind(folder: Path, *edits: SetField) -> None:
    """A session that was killed."""
    async with opened(folder) as it:
        for edit in edits:
            it.main.apply(edit)
        await kept(it)
        # A killed process gives its lock up and writes nothing more.
        it.main.autosave._journal.close()


async def test_edits_are_offered_again_with_their_difference(teaching: Path) -> None:
    await left_behind(teaching, SLOTS, URGENCY)
    async with opened(teaching) as it:
        assert isinstance(it.app.screen, ChoiceDialog)
        assert "Unsaved edits of an earlier session" in it.text
        assert "2 → 3" in it.text
        await it.press("enter")
        assert it.at_main
        assert slots(it) == "3"
        assert len(it.workspace.changes()) == 2
        await it.press("u")
        assert not it.workspace.is_dirty(), "restoring is one step"
        await it.press("U")
        await kept(it)
        (file,) = journal_folder(teaching).glob("*.json")
        assert file == it.main.autosave._journal.path, "they are in the journal of this session now"
        await it.press("s", "f2")
        await kept(it)
        assert list(journal_folder(teaching).glob("*.json")) == []
    assert abandoned_journals(teaching) == ()


async def test_edits_are_kept_before_they_are_saved_and_not_offered_when_they_were(
    teaching: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(teaching) as it:
        it.main.apply(SLOTS)
        await it.press("s")
        write, found = FolderSource.write, list[Path]()

        def written(source: FolderSource, reading: Reading, plan: SavePlan) -> Reading:
            found.extend(journal_folder(teaching).glob("*.json"))
            shutil.copy(found[0], tmp_file)
            return write(source, reading, plan)

        tmp_file = teaching.parent / "journal"
        monkeypatch.setattr(FolderSource, "write", written)
        await it.press("f2")
        assert found, "a save that is killed is undone"
        await kept(it)
        it.main.autosave._journal.close()
    shutil.copy(tmp_file, found[0])  # as if it had been killed just after saving
    async with opened(teaching) as it:
        assert slots(it) == "3"
        assert it.at_main
    assert not found[0].exists()


async def test_edits_can_be_left_for_later_or_discarded(teaching: Path) -> None:
    await left_behind(teaching, SLOTS)
    async with opened(teaching) as it:
        await it.press("l")
        assert not it.workspace.is_dirty()
    async with opened(teaching) as it:
        await it.press("d")
        assert "so they are lost" in it.text
        await it.press("enter")
        assert it.at_main, "one letter, which may have been meant for something else, loses nothing"
    async with opened(teaching) as it:
        assert isinstance(it.app.screen, ChoiceDialog)
        await it.press("d")
        await it.press("D")
    async with opened(teaching) as it:
        assert it.at_main


async def test_what_changed_meanwhile_is_merged_and_asked_about(teaching: Path) -> None:
    await left_behind(teaching, SLOTS, set_to("all.q", "seq_no", "7"))
    text = (teaching / "cluster.yaml").read_text()
    assert text.count("slots: 2") == 1
    (teaching / "cluster.yaml").write_text(text.replace("slots: 2", "slots: 9"))
    async with opened(teaching) as it:
        assert "1 place changed on disk since, too" in it.text
        await it.press("r")
        assert slots(it) == "3"
        assert [conflict.label for conflict in it.workspace.unresolved] == ["slots of queue all.q"]
        await it.press("r")
        assert isinstance(it.app.screen, ConflictsDialog)
        await it.press("t", "enter")
        assert slots(it) == "9"
        assert [change.fields for change in it.workspace.changes()] == [(("seq_no", None, "7"),)]


@pytest.mark.parametrize(("key", "stays"), [("m", True), ("t", False)])
async def test_what_was_removed_meanwhile_is_asked_about(tmp_path: Path, key: str, stays: bool) -> None:
    file = tmp_path / "small" / "all.yaml"
    file.parent.mkdir()
    file.write_text("ckpts:\n  blcr: {interface: application-level}\nprojects:\n  p1: {fshare: 5}\n")
    await left_behind(file.parent, set_to("blcr", "interface", "userdefined", Kind.CKPT))
    file.write_text("projects:\n  p1: {fshare: 5}\n")
    async with opened(file.parent) as it:
        await it.press("r", "r")
        assert isinstance(it.app.screen, ConflictsDialog)
        await it.press(key, "enter")
        assert it.at_main
        assert (it.workspace.cluster.get(Kind.CKPT, "blcr") is not None) is stays
        assert not it.workspace.unresolved


async def test_leaving_with_discard_leaves_nothing(teaching: Path) -> None:
    async with opened(teaching) as it:
        it.main.apply(SLOTS)
        await kept(it)
        assert len(list(journal_folder(teaching).glob("*.json"))) == 1
        await it.press("q", "D")
    assert abandoned_journals(teaching) == ()
    assert list(journal_folder(teaching).iterdir()) == []


async def test_two_programs_do_not_touch_each_others_edits(teaching: Path) -> None:
    other = Journal(teaching)
    other.write("the edits of another program")
    async with opened(teaching) as it:
        assert it.at_main
        it.main.apply(SLOTS)
        await kept(it)
        await it.press("q", "D")
    assert other.path.read_text() == "the edits of another program"
    other.close()


async def test_a_reader_neither_keeps_nor_is_offered_edits(teaching: Path) -> None:
    await left_behind(teaching, SLOTS)
    async with opened(teaching, read_only=True) as it:
        assert it.at_main
    (left,) = abandoned_journals(teaching)
    left.leave()


async def test_edits_that_cannot_be_read_stay_where_they_are(teaching: Path) -> None:
    other = Journal(teaching)
    other.write("{ broken")
    other.close()
    async with opened(teaching) as it:
        assert it.at_main
        assert any("cannot be read" in toast for toast in it.toasts)
    assert other.path.read_text() == "{ broken"


async def test_it_is_said_once_where_edits_cannot_be_kept(teaching: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(teaching / "jobs.yaml"))
    async with opened(teaching) as it:
        it.main.apply(SLOTS)
        await kept(it)
        it.main.apply(URGENCY)
        await kept(it)
        assert len([toast for toast in it.toasts if "unsaved edits are lost" in toast]) == 1


# Earlier versions


async def test_a_save_can_be_restored_as_an_edit(teaching: Path) -> None:
    async with opened(teaching) as it:
        it.main.apply(SLOTS)
        await it.press("s", "f2")
        assert len(versions(teaching)) == 2
        await it.press("V")
        assert isinstance(it.app.screen, VersionsDialog)
        assert "changed queue all.q" in it.text
        await it.press("end")
        assert "3 → 2" in it.text
        await it.press("enter")
        assert it.at_main
        assert slots(it) == "2"
        await it.press("u")
        assert slots(it) == "3"


@pytest.mark.parametrize(("key", "slots_then", "priority_then"), [("r", "2", 0), ("o", "2", -7), ("j", "3", 0)])
async def test_jobs_come_back_with_the_objects_or_alone(
    teaching: Path, key: str, slots_then: str, priority_then: int
) -> None:
    async with opened(teaching) as it:
        await it.press("V", "n", *"before", "enter", "escape")
        it.main.apply(SLOTS)
        it.main.apply(alter_jobs((Target(8),), "-p -7"))
        await it.press("V")
        assert "Restoring the objects" in it.text
        assert "Restoring jobs and state" in it.text
        await it.press(key)
        assert it.at_main

        def priority() -> int:
            return next(job.request.priority for job in it.workspace.state.jobs if job.id == 8)

        assert (slots(it), priority()) == (slots_then, priority_then)
        await it.press("u")
        assert (slots(it), priority()) == ("3", -7)


async def test_a_snapshot_has_a_name_and_can_be_forgotten(teaching: Path) -> None:
    async with opened(teaching) as it:
        it.main.apply(SLOTS)
        await it.press("V", "n")
        await it.type("three [slots]")
        await it.press("enter")
        assert "three [slots]" in it.text
        await it.press("r")
        assert isinstance(it.app.screen, VersionsDialog), "there is nothing to restore"
        await it.press("d", "n")
        assert len(versions(teaching)) == 1
        await it.press("d", "y")
        assert versions(teaching) == ()
        await it.press("escape")
        assert slots(it) == "3"


async def test_a_reader_is_told_only_what_can_be_done_with_versions(teaching: Path) -> None:
    async with opened(teaching, read_only=True) as it:
        await it.press("V")
        assert "Earlier versions: 0. Opened read-only: none can be restored" in it.text
        assert "None yet: n names one now." in it.text
        await it.press("n", *"before", "enter")
        assert "Earlier versions: 1. Opened read-only" in it.text
        assert [version.name for version in versions(teaching)] == ["before"]
        await it.press("enter")
        assert isinstance(it.app.screen, VersionsDialog)


# Names


async def test_a_renamed_host_takes_its_load_values_along(teaching: Path) -> None:
    async with opened(teaching) as it:
        state = replace(it.workspace.state, loads={"sim1": {"cpu": "7"}})
        it.main.apply(ReplaceDocument("load", it.workspace.document.with_state(state)))
        await it.go_to(Kind.HOST, "sim1")
        await it.press("n")
        await it.type("big1")
        await it.press("enter", "enter")
        after = it.workspace.state
        assert after.loads["big1"] == {"cpu": "7"}
        assert "sim1" not in after.loads
        assert not any("@sim1" in place for job in after.jobs for place in job.running_places)


async def test_a_new_name_is_followed_into_jobs_if_wanted(teaching: Path) -> None:
    async with opened(teaching) as it:
        await it.go_to(Kind.COMPLEX, "gpu")
        await it.press("n")
        await it.type("cards")
        await it.press("enter")
        assert "job 6 jobB4: -l gpu=1" in it.text
        await it.press("f")
        assert "cards=1" in next(job.qsub for job in it.workspace.state.jobs if job.id == 6)
        assert uses(it.workspace.cluster, it.workspace.state, Kind.COMPLEX, "cards") != ()
        await it.press("u")
        assert not it.workspace.is_dirty(), "objects and jobs are one step"
