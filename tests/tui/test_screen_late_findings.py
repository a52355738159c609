"""What comes late: findings that are still looked for while saving asks, and notices beside dialogs."""

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Button

from qmon_tui.model.findings import Finding
from qmon_tui.tui.dialogs.help import HelpDialog
from qmon_tui.tui.dialogs.question_dialogs import ChoiceDialog, NameDialog
from qmon_tui.tui.dialogs.save import SaveDialog
from qmon_tui.tui.screens import saving
from qmon_tui.workspace import findings_of
from tests.tui.screen_harness import Opened, cluster_copy, opened
from tests.tui.test_screen_dialogs import edit_urgency, focused_answer


@pytest.fixture
def teaching(tmp_path: Path) -> Path:
    return cluster_copy("teaching", tmp_path)


GPU = "    shortcut: gpu\n    type: INT\n    relop: <=\n    requestable: YES\n    consumable: YES\n    default: 0\n"


@pytest.fixture
def look(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Nothing is known of what would be saved until this is set."""
    may_end = threading.Event()

    def slowly(*given: Any) -> tuple[Finding, ...]:
        may_end.wait(20)
        return findings_of(*given)

    monkeypatch.setattr(saving, "findings_of", slowly)
    yield may_end
    may_end.set()


async def save_before_the_run_is_over(it: Opened, text: str) -> None:
    await edit_urgency(it, text)
    it.workspace.result = None
    await it.press("s")


async def looked(it: Opened, look: threading.Event) -> None:
    look.set()
    async with asyncio.timeout(60):
        while "looking" in it.text:
            await it.pilot.pause()
    await it.settle()


async def test_the_difference_is_shown_before_the_findings_are_known(teaching: Path, look: threading.Event) -> None:
    async with opened(teaching) as it:
        await save_before_the_run_is_over(it, "100")
        assert isinstance(it.app.screen, SaveDialog)
        assert "urgency  0 → 100" in it.text
        assert "looking" in it.text
        await looked(it, look)
        assert "✓ no errors, no warnings" in it.text
        assert focused_answer(it) == "n keep editing"
        await it.press("f2")
        assert not it.workspace.is_dirty()


async def test_saving_said_early_is_done_once_there_are_no_errors(teaching: Path, look: threading.Event) -> None:
    async with opened(teaching) as it:
        await save_before_the_run_is_over(it, "100")
        await it.press("f2")
        assert "looking for them …; saved then if" in it.text
        assert it.workspace.is_dirty()
        await looked(it, look)
        assert it.at_main
        assert not it.workspace.is_dirty()


async def test_saving_said_early_is_not_done_with_errors(teaching: Path, look: threading.Event) -> None:
    async with opened(teaching) as it:
        await save_before_the_run_is_over(it, "many")
        await it.press("f2")
        await looked(it, look)
        assert isinstance(it.app.screen, SaveDialog)
        assert "despite" in it.text
        assert next(str(button.label) for button in it.app.screen.query(Button)) == "n keep editing"
        assert focused_answer(it) == "n keep editing"
        await it.press("enter")
        assert it.at_main
        assert it.workspace.is_dirty()


async def test_what_was_left_before_the_findings_were_known_stays_closed(teaching: Path, look: threading.Event) -> None:
    async with opened(teaching) as it:
        await save_before_the_run_is_over(it, "100")
        await it.press("escape", "n")
        assert isinstance(it.app.screen, NameDialog)
        await looked(it, look)
        assert isinstance(it.app.screen, NameDialog)
        assert it.workspace.is_dirty()


async def test_what_was_said_before_does_not_hide_a_dialog(teaching: Path) -> None:
    async with opened(teaching, size=(80, 24), read_only=True) as it:
        await it.press("e", "d")
        assert "open read-only" in it.text
        await it.press("question_mark")
        assert isinstance(it.app.screen, HelpDialog)
        assert it.toasts == []
        assert "open read-only" not in it.text
        await it.press("escape")
        assert it.at_main
        assert "open read-only" not in it.text


async def test_what_is_said_in_a_dialog_does_not_hide_its_answers(teaching: Path) -> None:
    async with opened(teaching, size=(80, 24)) as it:
        await edit_urgency(it)
        it.write("cluster.yaml", f"{GPU}    urgency: 0", f"{GPU}    urgency: 7")
        await it.changed_on_disk("cluster.yaml")
        await it.press("r", "m")
        it.app.screen.notify("Something that comes up meanwhile.", title="From elsewhere")
        await it.press("enter")
        assert "1 not decided yet" in it.text
        assert "Something that comes up" in it.text
        for answer in ("m yours", "t on disk", "e another value", "M all yours", "T all on disk", "Enter done"):
            assert answer in it.text


async def test_what_an_action_says_before_its_dialog_opens_is_there_to_be_read(teaching: Path) -> None:
    async with opened(teaching) as it:
        await edit_urgency(it)
        await it.press("s")
        it.write("cluster.yaml", f"{GPU}    urgency: 0", f"{GPU}    urgency: 7")
        await it.press("f2")
        assert isinstance(it.app.screen, ChoiceDialog)
        assert "Not saved" in it.text
        await it.press("l")
        assert it.at_main
        assert "Not saved" in it.text
