"""Whatever dialog is open, what it is about may vanish on disk: its answer counts, or a sentence says why not."""

import asyncio
import shutil
from pathlib import Path

import pytest
from textual.widgets import Input

from qmon_tui.model.kinds import Kind
from qmon_tui.tui.dialogs.dialog import Dialog
from qmon_tui.tui.keys.action import Action
from qmon_tui.tui.registry import REGISTRY
from qmon_tui.tui.screens.screen_state import here
from tests.tui.screen_harness import Opened, cluster_copy, opened
from tests.tui.test_screen_all_keys import WHERES, at_its_place

MOST_ANSWERS = 12


SHARE = 8
"""In a usual run each place has this part of its dialogs tried."""


@pytest.mark.parametrize("where", WHERES)
async def test_dialogs_outlive_what_they_are_about(where: str, tmp_path: Path) -> None:
    await try_dialogs(where, tmp_path, first=WHERES.index(where) % SHARE, step=SHARE)


@pytest.mark.long
@pytest.mark.parametrize("where", WHERES)
async def test_every_dialog_outlives_what_it_is_about(where: str, tmp_path: Path) -> None:
    assert len(await try_dialogs(where, tmp_path)) > (5 if where in ("", "jobs") else -1)


async def try_dialogs(where: str, tmp_path: Path, first: int = 0, step: int = 1) -> list[str]:
    """Open the dialogs of a place, one after the other, and let the cluster vanish under them; which were tried."""
    actions = [action for action in REGISTRY.actions if action.where == where and action.keys][first::step]
    asked: list[str] = []
    while actions:
        folder = cluster_copy("site", tmp_path / str(len(actions)))
        async with opened(folder) as it:
            action = await next_that_asks(it, where, actions)
            if action is None:
                break
            asked.append(action.id)
            if len(asked) % 4 == 3:
                shutil.rmtree(folder)
            else:
                for file in folder.iterdir():
                    file.write_text("# nothing is left\n")
            it.bursts.put_nowait(frozenset(["cluster.yaml"]))
            await it.pilot.pause(0.1)
            await answer_all(it)
            await it.settle()
            await it.settle()
            assert it.app._exception is None, action.id
            assert it.main.is_attached, action.id
    return asked


async def next_that_asks(it: Opened, where: str, actions: list[Action]) -> Action | None:
    """Take the first of the actions whose key opens a dialog, and those before; None where there is none."""
    await at_its_place(it, where)
    while actions:
        action = actions.pop(0)
        await it.press(action.keys[0])
        if not it.at_main:
            return action
        if here(it.main)[0] != where:
            await at_its_place(it, where)
    return None


async def answer_all(it: Opened) -> None:
    """Accept or change what is asked, question after question, until nothing is asked any more."""
    for _ in range(MOST_ANSWERS):
        screen = it.app.screen
        if it.at_main:
            return
        focused = screen.focused
        if isinstance(focused, Input):
            await it.type(f"{focused.value}9")
            await it.pilot.press("enter")
            await it.pilot.pause()
            if it.app.screen is screen:
                await it.pilot.press("escape")
        else:
            answers = screen._answers if isinstance(screen, Dialog) else ()
            letter = next((answer.letter for answer in answers if not answer.safe and answer.result is not None), None)
            await it.pilot.press(letter or "enter")
            await it.pilot.pause()
            if it.app.screen is screen:
                await it.pilot.press("escape")
        await it.pilot.pause(0.05)


async def test_the_document_follows_once_nothing_is_asked(tmp_path: Path) -> None:
    async with opened(cluster_copy("teaching", tmp_path)) as it:
        await it.go_to(Kind.USER, "userb")
        await it.press("n")
        it.write("policy.yaml", "  userb: {fshare: 100}\n", "")
        it.bursts.put_nowait(frozenset(["policy.yaml"]))
        await it.pilot.pause(0.3)
        assert it.workspace.cluster.get(Kind.USER, "userb"), "what the question is about is still there"
        await it.type("userx")
        await it.press("enter")
        if not it.at_main:
            await it.press("o")
        await it.settle()
        assert it.workspace.cluster.get(Kind.USER, "userx")
        assert "1 object changed on disk, 1 edit unsaved here" in it.text


async def test_without_an_answer_the_change_on_disk_is_taken(tmp_path: Path) -> None:
    async with opened(cluster_copy("teaching", tmp_path)) as it:
        await it.go_to(Kind.USER, "userb")
        await it.press("n")
        it.write("policy.yaml", "  userb: {fshare: 100}\n", "")
        it.bursts.put_nowait(frozenset(["policy.yaml"]))
        await it.pilot.pause(0.3)
        await it.press("escape")
        async with asyncio.timeout(60):
            while it.workspace.cluster.get(Kind.USER, "userb"):
                await it.pilot.pause(0.05)
