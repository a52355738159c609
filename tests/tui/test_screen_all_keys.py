"""A walk through every key of the registry: each does what the registry says, or says why not."""

from dataclasses import replace
from pathlib import Path

import pytest

from qmon_tui.model.catalogue import single_name, spec
from qmon_tui.model.cluster import config_object
from qmon_tui.model.kinds import Kind
from qmon_tui.tui.base.line_table import LineTable
from qmon_tui.tui.keys.action import Action
from qmon_tui.tui.pages import PAGES_BY_ID
from qmon_tui.tui.panels import PANELS
from qmon_tui.tui.registry import REGISTRY
from qmon_tui.tui.screens.screen_state import here
from qmon_tui.workspace import SetField
from qmon_tui.workspace.edits import AddObject
from tests.tui.screen_harness import Opened, cluster_copy, opened

WHERES = sorted({action.where for action in REGISTRY.actions})


async def at_its_place(it: Opened, where: str) -> None:
    """The place or panel has the focus; otherwise the list of queues."""
    while not it.at_main:
        await it.press("escape")
    if where in PAGES_BY_ID:
        it.main.go_to_page(where)
    elif where:
        panel = next(panel for panel in PANELS if panel.id == where)
        if not it.workspace.cluster.objects(panel.kind):
            name = single_name(panel.kind) if spec(panel.kind).single else "walk"
            it.main.apply(AddObject(config_object(panel.kind, name, {})))
        name = next(iter(it.workspace.cluster.objects(panel.kind)))
        it.main.go_to(panel.kind, name)
        await it.settle()
        it.main.form.choose_group(panel.title)
    else:
        it.main.go_to(Kind.QUEUE, "short.q")
    await it.settle()


@pytest.mark.parametrize("where", WHERES)
async def test_every_key_does_what_the_registry_says_or_says_why_not(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    async with opened(cluster_copy("site", tmp_path)) as it:
        general = it.main.actions

        def remember(action_id: str) -> None:
            done.append(action_id)
            general.run(action_id)

        it.main.actions = replace(general, run=remember)
        monkeypatch.setattr(it.app, "exit", lambda *args: done.append("left"))
        for action in REGISTRY.actions:
            for key in action.keys if action.where == where else ():
                if not where or not it.at_main or here(it.main)[0] != where:
                    await at_its_place(it, where)
                if not it.workspace.changes():
                    it.main.apply(SetField(Kind.QUEUE, "short.q", "seq_no", str(len(done) + 100)))
                    await it.settle()
                assert await pressed(it, action, key, done), f"{key} should do {action.id}"


async def pressed(it: Opened, action: Action, key: str, done: list[str]) -> bool:
    """Press a key; whether its deed was done or its refusal was said."""
    reason = action.disabled_reason(it.main.action_context())
    if action.where and reason is None:
        view = here(it.main)[1]
        assert view is not None
        view.actions = replace(view.actions, run=done.append)
    done.clear()
    it.app.clear_notifications()
    await it.press(key)
    return any(reason in toast for toast in it.toasts) if reason else action.id in done or not it.at_main


async def test_keys_of_the_user_work_and_are_shown(tmp_path: Path) -> None:
    registry = REGISTRY.with_keys({"undo": ("Z",), "down": ("W",), "about": ("f11",)})
    async with opened(cluster_copy("teaching", tmp_path), registry=registry) as it:
        await it.go_to(Kind.COMPLEX, "gpu")
        it.main.apply(SetField(Kind.COMPLEX, "gpu", "urgency", "7"))
        await it.settle()
        assert "Z undo" in it.text
        before = it.main.chosen
        await it.press("j", "u")
        assert it.main.chosen == before
        assert it.workspace.changes()
        await it.press("W", "Z")
        assert it.main.chosen != before
        assert not it.workspace.changes()
        await it.press("question_mark")
        assert "Z  " in it.text
        await it.type("One row down")
        assert " W  " in it.text


async def test_keys_of_the_user_work_in_dialogs_and_inputs(tmp_path: Path) -> None:
    wanted = {
        "dialog.accept": ("f9",), "dialog.leave": ("f10", "escape"), "typing.drop": ("f10",), "undo": ("Z",),
        "changes": ("f11",), "typing.down": ("f7",),
    }  # fmt: skip
    async with opened(cluster_copy("site", tmp_path), registry=REGISTRY.with_keys(wanted)) as it:
        await it.go_to(Kind.QUEUE, "short.q", "prolog")
        before = it.workspace.document
        await it.press("enter", "x", "f10")
        assert it.workspace.document == before, "what was typed is dropped by the user's key"
        it.main.apply(SetField(Kind.QUEUE, "short.q", "seq_no", "77"))
        await it.press("f11")
        assert not it.at_main
        await it.press("u")
        assert it.workspace.changes(), "undo has another key now, in the list of edits as well"
        await it.press("Z")
        assert not it.workspace.changes()
        await it.press("f11", "f10")
        assert it.at_main
        await it.press("colon", "f7", "f7")
        assert it.app.screen.query_one(LineTable).cursor == 2
        await it.press("f10")
        assert it.at_main


async def test_what_of_the_keys_file_is_not_followed_is_said(tmp_path: Path) -> None:
    async with opened(cluster_copy("teaching", tmp_path), key_problems=["keys.toml line 1: s is save already."]) as it:
        assert any("s is save already" in toast for toast in it.toasts)
