"""Dialogs: each asks with the safe answer focused, Esc leaves everything as it is."""

import os
from pathlib import Path

import pytest
from textual.css.stylesheet import Stylesheet
from textual.widgets import Button

from qmon_tui.model.findings import Finding, Severity
from qmon_tui.model.kinds import Kind
from qmon_tui.model.references import references_to
from qmon_tui.tui.base.span_widgets import Lines
from qmon_tui.tui.dialogs.dialog import Dialog
from qmon_tui.tui.dialogs.findings import FindingsDialog
from qmon_tui.tui.dialogs.help import HelpDialog
from qmon_tui.tui.dialogs.question_dialogs import ChoiceDialog, NameDialog
from qmon_tui.tui.dialogs.reading_dialogs import TextDialog
from qmon_tui.tui.dialogs.save import SaveDialog
from qmon_tui.workspace import SetField
from tests.tui.screen_harness import Opened, cluster_copy, opened


@pytest.fixture
def teaching(tmp_path: Path) -> Path:
    return cluster_copy("teaching", tmp_path)


async def edit_urgency(it: Opened, text: str = "100") -> None:
    it.main.apply(SetField(Kind.COMPLEX, "gpu", "urgency", text))
    await it.settle()


def focused_answer(it: Opened) -> str:
    focused = it.app.screen.focused
    assert isinstance(focused, Button)
    return str(focused.label)


async def test_saving_shows_the_difference_and_writes_exactly_that(teaching: Path) -> None:
    before = (teaching / "cluster.yaml").read_text()
    async with opened(teaching) as it:
        await edit_urgency(it)
        await it.press("s")
        assert isinstance(it.app.screen, SaveDialog)
        assert "urgency  0 → 100" in it.text
        assert "-     urgency: 0" in it.text
        assert "+     urgency: 100" in it.text
        await it.press("f2")
        assert it.at_main
        assert not it.workspace.is_dirty()
        assert it.main.action_context().undo is not None, "undo goes on across saving"
    changed = [
        (old, new)
        for old, new in zip(before.splitlines(), (teaching / "cluster.yaml").read_text().splitlines(), strict=True)
        if old != new
    ]
    assert changed == [("    urgency: 0", "    urgency: 100")]


async def test_not_saving_writes_nothing(teaching: Path) -> None:
    before = (teaching / "cluster.yaml").read_text()
    async with opened(teaching) as it:
        await edit_urgency(it)
        for way_out in ("escape", "n"):
            await it.press("s", way_out)
            assert it.at_main
        assert it.workspace.is_dirty()
    assert (teaching / "cluster.yaml").read_text() == before


async def test_with_errors_the_safe_answer_is_not_to_save(teaching: Path) -> None:
    async with opened(teaching) as it:
        await edit_urgency(it, "many")
        await it.press("s")
        assert "despite" in it.text
        assert focused_answer(it) == "n keep editing"
        await it.press("enter")
        assert it.workspace.is_dirty()


async def test_saving_is_refused_while_there_is_nothing_to_save(teaching: Path) -> None:
    async with opened(teaching) as it:
        await it.press("s")
        assert it.at_main
        assert "Nothing has changed since the last save." in it.toasts


async def test_what_is_said_already_is_not_said_again(teaching: Path) -> None:
    async with opened(teaching, size=(80, 24)) as it:
        await it.press("U", "U", "s", "U")
        assert sorted(it.toasts) == ["Nothing has changed since the last save.", "There is nothing to redo."]


async def test_a_change_on_disk_before_saving_is_not_overwritten(teaching: Path) -> None:
    async with opened(teaching) as it:
        await edit_urgency(it)
        await it.press("s")
        it.write("cluster.yaml", "shortcut: gpu", "shortcut: g")
        await it.press("f2")
        assert isinstance(it.app.screen, ChoiceDialog), "it asks what to do instead"
        assert "shortcut: g\n" in (teaching / "cluster.yaml").read_text()
        await it.press("m")
        assert it.at_main
        gpu = it.workspace.cluster.get(Kind.COMPLEX, "gpu")
        assert gpu is not None
        assert (gpu.text("shortcut"), gpu.text("urgency")) == ("g", "100")


async def test_deleting_asks_and_says_who_uses_it(teaching: Path) -> None:
    async with opened(teaching) as it:
        await it.go_to(Kind.COMPLEX, "gpu")
        await it.press("d")
        assert "host sim4" in it.text
        await it.press("y")
        assert isinstance(it.app.screen, ChoiceDialog), "what is used cannot be deleted"
        assert "Removing it there changes:" in it.text
        await it.press("t")
        assert it.at_main
        assert it.workspace.cluster.get(Kind.COMPLEX, "gpu") is None
        assert not references_to(it.workspace.cluster, Kind.COMPLEX, "gpu")
        await it.press("u")
        assert not it.workspace.is_dirty()
        await it.go_to(Kind.USER, "usera")
        await it.press("d")
        assert focused_answer(it) == "n no, keep it"
        await it.press("enter")
        assert it.workspace.cluster.get(Kind.USER, "usera") is not None
        await it.press("d", "y")
        assert it.workspace.cluster.get(Kind.USER, "usera") is None
        await it.press("u")
        assert it.workspace.cluster.get(Kind.USER, "usera") is not None


async def test_what_removes_something_is_not_saved_by_enter_alone(teaching: Path) -> None:
    async with opened(teaching) as it:
        await it.go_to(Kind.USER, "usera")
        await it.press("d", "y", "s")
        assert focused_answer(it) == "n keep editing"
        await it.press("enter")
        assert it.workspace.is_dirty()
        await it.press("s", "f2")
        assert not it.workspace.is_dirty()


async def test_in_the_live_pane_the_same_key_deletes_a_job(teaching: Path) -> None:
    async with opened(teaching) as it:
        await it.go_to(Kind.USER, "usera")
        await it.press("3")
        row = it.main.live.chosen
        assert row is not None
        await it.press("d")
        assert f"Delete job {row.job.id}?" in it.text
        assert focused_answer(it) == "n no"
        await it.press("d")
        assert not it.at_main, "the key that asked does not answer"
        await it.press("y")
        assert row.job.id not in [job.id for job in it.workspace.state.jobs]
        assert it.workspace.cluster.get(Kind.USER, "usera") is not None


async def test_built_in_attributes_cannot_be_deleted(teaching: Path) -> None:
    async with opened(teaching) as it:
        await it.go_to(Kind.COMPLEX, "h_vmem")
        await it.press("d", "y")
        assert it.workspace.cluster.get(Kind.COMPLEX, "h_vmem") is not None
        assert isinstance(it.app.screen, ChoiceDialog)
        assert "✗" in it.text
        await it.press("escape")


async def test_adding_asks_for_a_free_name(teaching: Path) -> None:
    async with opened(teaching) as it:
        await it.go_to(Kind.QUEUE)
        await it.press("a")
        assert isinstance(it.app.screen, NameDialog)
        await it.type("all.q")
        await it.press("enter")
        assert 'cluster queue "all.q" already exists' in it.text, "in the qmaster's words"
        await it.type("new.q")
        await it.press("enter")
        assert it.main.chosen == "new.q"
        assert it.workspace.cluster.get(Kind.QUEUE, "new.q") is not None


async def test_cloning_copies_all_values(teaching: Path) -> None:
    async with opened(teaching) as it:
        await it.go_to(Kind.QUEUE, "all.q")
        await it.press("c")
        await it.type("copy.q")
        await it.press("enter")
        copy = it.workspace.cluster.get(Kind.QUEUE, "copy.q")
        assert copy is not None
        assert copy.text("hostlist") == "@allhosts"
        assert copy.text("qname") == "copy.q"


async def test_help_finds_what_is_called_so_and_what_it_is_about(teaching: Path) -> None:
    async with opened(teaching) as it:
        await it.press("question_mark", *"about", "enter")
        assert isinstance(it.app.screen, TextDialog)
        assert "Textual" in it.text
        await it.press("escape", "question_mark", *"tickets_sh")
        assert "What it is about" in it.text
        assert "field weight_tickets_share of Scheduler" in it.text
        await it.press("enter")
        assert it.main.form.field == "weight_tickets_share"


async def test_the_palette_finds_a_place_before_a_field_of_the_same_words(teaching: Path) -> None:
    async with opened(teaching) as it:
        await it.press("colon", *"share tree", "enter")
        assert it.main.kind is Kind.SHARETREE
        assert it.main.form.group() == "Tree"


async def test_renaming_keeps_the_place_in_the_list(teaching: Path) -> None:
    async with opened(teaching) as it:
        await it.go_to(Kind.COMPLEX, "gpu")
        order = list(it.workspace.cluster.objects(Kind.COMPLEX))
        await it.press("n")
        await it.type("cards")
        await it.press("enter")
        assert "gpu is used in" in it.text
        assert focused_answer(it) == "f follow"
        await it.press("o")
        assert it.main.chosen == "cards"
        renamed = ["cards" if name == "gpu" else name for name in order]
        assert list(it.workspace.cluster.objects(Kind.COMPLEX)) == renamed


async def test_renaming_follows_the_references_as_one_step(teaching: Path) -> None:
    async with opened(teaching) as it:
        await it.go_to(Kind.COMPLEX, "gpu")
        pages = len(references_to(it.workspace.cluster, Kind.COMPLEX, "gpu"))
        await it.press("n")
        await it.type("cards")
        await it.press("enter", "f")
        assert it.main.chosen == "cards"
        assert len(references_to(it.workspace.cluster, Kind.COMPLEX, "cards")) == pages > 0
        assert references_to(it.workspace.cluster, Kind.COMPLEX, "gpu") == ()
        await it.press("u")
        assert not it.workspace.is_dirty()
        await it.go_to(Kind.COMPLEX, "gpu")
        await it.press("n")
        await it.type("cards")
        await it.press("enter", "n")
        assert not it.workspace.is_dirty()


async def test_reverting_an_object(teaching: Path) -> None:
    async with opened(teaching) as it:
        await edit_urgency(it)
        await it.go_to(Kind.COMPLEX, "gpu")
        await it.press("x")
        assert not it.workspace.is_dirty()
        await it.press("x")
        assert "This object has not changed since the last save." in it.toasts


async def test_findings_jump_to_the_field(teaching: Path) -> None:
    async with opened(teaching) as it:
        found = Finding("complex.urgency", Severity.ERROR, "complex", "gpu", "urgency", "not a number", "give a number")
        dialog = FindingsDialog([Finding("x", Severity.WARNING, "queue", "all.q", "slots", "odd"), found])

        def chosen(finding: Finding | None) -> None:
            assert finding is not None
            it.main.go_to_finding(finding)

        it.app.push_screen(dialog, chosen)
        await it.settle()
        assert "1 error, 1 warning" in it.text
        assert "→ give a number" in it.text, "errors come first, and all about the chosen one is shown"
        await it.press("slash", "o", "d", "d", "enter")
        assert "not a number" not in it.text
        await it.press("escape", "home", "enter")
        assert it.main.chosen == "gpu"
        assert it.main.form.field == "urgency"


async def test_help_lists_everything_and_does_it(teaching: Path) -> None:
    async with opened(teaching, size=(100, 60)) as it:
        await it.press("question_mark")
        assert isinstance(it.app.screen, HelpDialog)
        await it.type("difference")
        assert "Not now: Nothing has changed since the last save." in it.text
        await it.type("next theme")
        await it.press("enter")
        assert it.app.theme == "light"


async def test_leaving_with_unsaved_edits_asks(teaching: Path) -> None:
    async with opened(teaching) as it:
        await edit_urgency(it)
        for keys in (("q",), ("ctrl+q",)):
            await it.press(*keys)
            assert isinstance(it.app.screen, ChoiceDialog)
            assert focused_answer(it) == "n stay"
            await it.press("enter")
            assert it.at_main
        await it.press("q", "D")
        assert not it.app.is_running or it.app._exit


async def test_leaving_can_save_first(teaching: Path) -> None:
    async with opened(teaching) as it:
        await edit_urgency(it)
        await it.press("q", "s")
        assert isinstance(it.app.screen, SaveDialog)
        await it.pilot.press("f2")
        await it.pilot.pause()
    assert "urgency: 100" in (teaching / "cluster.yaml").read_text()


async def test_what_saving_cannot_keep_of_a_file_is_said_before(teaching: Path) -> None:
    os.link(teaching / "cluster.yaml", teaching / "another name")
    async with opened(teaching) as it:
        await edit_urgency(it)
        await it.press("s")
        shown = it.app.screen.query_one("#save-findings", Lines).text
        assert "hard links" in shown
        assert "the others keep the old text" in " ".join(shown.split())


async def test_the_palette_goes_to_any_object(teaching: Path) -> None:
    async with opened(teaching) as it:
        await it.press("colon")
        await it.type("hostgroup @allhosts")
        await it.pilot.pause(0.3)
        await it.press("enter")
        await it.settle()
        assert it.main.kind is Kind.HOSTGROUP
        assert it.main.chosen == "@allhosts"


@pytest.mark.parametrize("keys", [("s",), ("d",), ("a",), ("question_mark",), ("q",), ("w",)])
async def test_every_dialog_fits_a_small_screen_and_leaves_by_escape(teaching: Path, keys: tuple[str, ...]) -> None:
    async with opened(teaching, size=(80, 24)) as it:
        await edit_urgency(it)
        await it.go_to(Kind.COMPLEX, "gpu")
        await it.press(*keys)
        dialog = it.app.screen
        assert isinstance(dialog, Dialog)
        for widget in dialog.query("*"):
            assert widget.region.right <= 80
            assert widget.region.bottom <= 24
        cluster = it.workspace.cluster
        await it.press("escape")
        assert it.at_main
        assert it.workspace.cluster is cluster


async def test_the_first_dialog_opens_without_working_out_all_styles_again(
    teaching: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    again: list[str] = []
    async with opened(teaching) as it:
        monkeypatch.setattr(Stylesheet, "reparse", lambda _: again.append("all of them"))
        await it.press("question_mark")
        assert isinstance(it.app.screen, HelpDialog)
        assert it.app.screen.query_one(".dialog").styles.border_top[0] == "round", "its styles are there"
    assert not again
