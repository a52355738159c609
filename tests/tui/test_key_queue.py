"""Keys that come faster than the screen opens what they are for: none is lost, none is taken for a command."""

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.app import App
from textual.screen import Screen
from textual.widgets import Input

from qmon_tui.model.kinds import Kind
from qmon_tui.report.fuzzy_search import SearchHit
from qmon_tui.sources import Source, read_folder
from qmon_tui.tui.app import QmonApp
from qmon_tui.tui.base.key_queue import PATIENCE, KeyQueue
from qmon_tui.tui.dialogs.help import HelpDialog
from qmon_tui.tui.jobs.view import JobsView
from qmon_tui.tui.screens.palette_targets import PaletteTargets
from qmon_tui.workspace import Result, Snapshot, Workspace, evaluate
from tests.tui.screen_harness import Opened, cluster_copy, opened


async def _no_changes(source: Source, stop: asyncio.Event) -> AsyncIterator[frozenset[str]]:
    await stop.wait()
    yield frozenset()


def burst(it: Opened, *keys: str) -> None:
    """All keys at once, as a slow line brings them."""
    for key in keys:
        it.app.post_message(events.Key(key, key if len(key) == 1 else None))


async def typed(it: Opened) -> None:
    """Wait until the keys are taken, and for what they started."""
    await it.pilot.pause()
    while it.app._keys.busy:
        await it.pilot.pause(0.01)
    await it.settle()


@pytest.mark.parametrize("width", [80, 140])
async def test_a_value_typed_in_one_burst(tmp_path: Path, width: int) -> None:
    async with opened(cluster_copy("teaching", tmp_path), size=(width, 30)) as it:
        await it.go_to(Kind.COMPLEX, "lic", "urgency")
        # Every letter would be a command: undo, delete, add, save.
        burst(it, "enter", "1", "2", "5", "enter")
        await typed(it)
        lic = it.workspace.cluster.get(Kind.COMPLEX, "lic")
        assert lic is not None
        assert lic.text("urgency") == "125"
        assert len(it.workspace.changes()) == 1


async def test_a_key_that_waits_when_the_program_ends_is_dropped(tmp_path: Path) -> None:
    async with opened(cluster_copy("teaching", tmp_path)) as it:
        keys = it.app._keys
    keys._waiting.append(events.Key("w", "w"))
    for timer_is_due in (keys._next, keys._unanswered):
        await timer_is_due()
    assert keys.busy


@pytest.mark.parametrize("width", [80, 140])
async def test_keys_for_a_form_that_is_being_opened_reach_it(tmp_path: Path, width: int) -> None:
    async with opened(cluster_copy("teaching", tmp_path), size=(width, 30)) as it:
        await it.go_to(Kind.COMPLEX, "lic")
        burst(it, "3", "2", "enter", *["down"] * 7)
        await typed(it)
        assert it.main.form.field == "urgency"


async def test_keys_for_rows_wait_for_the_first_run_and_others_do_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_run = threading.Event()

    def slow(snapshot: Snapshot) -> Result:
        may_run.wait(20)
        return evaluate(snapshot)

    monkeypatch.setattr("qmon_tui.tui.screens.live_run.evaluate", slow)
    folder = cluster_copy("teaching", tmp_path)
    app = QmonApp(Workspace(read_folder(folder)), changes=_no_changes)
    async with app.run_test(size=(140, 30)) as pilot:
        it = Opened(app, pilot, folder)
        await pilot.pause(0.3)
        await pilot.press("J", "question_mark")
        assert isinstance(app.screen, HelpDialog), "help needs no rows"
        await pilot.press("escape")
        burst(it, "down", "down", "m")
        await pilot.pause(0.3)
        assert it.at_main
        may_run.set()
        await typed(it)
        view = it.main.pages.view
        assert isinstance(view, JobsView)
        assert view.rows is not None
        assert view.marked == {view.rows.rows[2].job.id}


async def test_what_was_typed_ahead_of_the_first_run_is_given_up_by_escape() -> None:
    taken: list[str] = []
    early = True

    async def take(key: events.Key) -> None:
        taken.append(key.key)

    app = Answering()
    async with app.run_test() as pilot:
        app.keys = keys = KeyQueue(app, take, lambda key: early and key == "j")
        await keys.settled()
        for key in ("j", "d", "escape"):
            await keys.take(events.Key(key, key))
        await pilot.pause(0.2)
        assert taken == ["escape"]
        await keys.take(events.Key("j", "j"))
        await pilot.pause(0.2)
        assert taken == ["escape"]
        early = False
        await pilot.pause(0.5)
        assert taken == ["escape", "j"]


async def test_enter_in_the_palette_waits_for_what_was_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    search = PaletteTargets.hits

    def slowly(everything: PaletteTargets, query: str) -> list[SearchHit]:
        time.sleep(0.3 if query.strip() else 0.0)
        return search(everything, query)

    monkeypatch.setattr(PaletteTargets, "hits", slowly)
    async with opened(cluster_copy("site", tmp_path), size=(140, 40)) as it:
        burst(it, "colon", "1", "0")
        await typed(it)
        await it.pilot.pause(0.8)
        assert it.app.focused is not None
        # By now the list shows what fits 10; what is typed next and taken at once is found nowhere yet.
        burst(it, "9", "enter", "z")
        await typed(it)
        chosen = it.main.live.chosen
        assert it.at_main
        assert chosen is not None
        assert chosen.key == (109, 1)
        assert it.main.has_class("-zoom"), "a key after Enter is for what Enter has gone to"


async def test_a_name_typed_into_a_dialog_in_one_burst(tmp_path: Path) -> None:
    async with opened(cluster_copy("teaching", tmp_path), size=(140, 40)) as it:
        burst(it, "a", *"usad", "enter")
        await typed(it)
        assert it.workspace.cluster.get(Kind.COMPLEX, "usad") is not None
        assert [change.name for change in it.workspace.changes()] == ["usad"]


def watched(app: App[None]) -> tuple[KeyQueue, list[str]]:
    """Keys of an application, and those that it was given."""
    taken: list[str] = []

    async def take(key: events.Key) -> None:
        taken.append(key.key)

    return KeyQueue(app, take), taken


async def test_keys_from_before_the_start_wait_however_long_it_takes() -> None:
    app: App[None] = App()
    async with app.run_test() as pilot:
        keys, taken = watched(app)
        await keys.take(events.Key("w", "w"))
        await pilot.pause(1.2 * PATIENCE)
        assert taken == [], "before the start there is nobody who could do anything with it"
        await keys.settled()
        assert taken == ["w"]


class Answering(App[None]):
    """Hands on what is settled, if it does."""

    keys: KeyQueue | None = None

    async def on_key_settled(self) -> None:
        if self.keys is not None:
            await self.keys.settled()


async def test_what_still_has_the_focus_is_waited_for_and_what_has_lost_it_is_not() -> None:
    app = Answering()
    async with app.run_test() as pilot:
        keys, taken = watched(app)
        await keys.settled()
        # Nobody tells that the first key is settled: its receiver is busy.
        await keys.take(events.Key("w", "w"))
        await keys.take(events.Key("x", "x"))
        await pilot.pause(1.5 * PATIENCE)
        assert taken == ["w"], "what has the focus is only slow"
        app.keys = keys
        await app.mount(Input())
        app.query_one(Input).focus()
        await pilot.pause(1.5 * PATIENCE)
        assert taken == ["w", "x"], "what had the focus will not answer, what has it now does"


class SlowScreen(Screen[None]):
    """Takes a while to draw anything."""

    def call_after_refresh(self, callback: Callable[..., object], *args: Any, **kwargs: Any) -> bool:
        self.set_timer(PATIENCE / 5, partial(callback, *args, **kwargs))
        return True


@pytest.mark.parametrize("later", [0.0, PATIENCE / 20], ids=["at once", "when the first is settled, but not drawn"])
async def test_the_next_key_is_for_what_has_the_focus_once_all_is_drawn(later: float) -> None:
    app = Answering()
    async with app.run_test() as pilot:
        await app.push_screen(SlowScreen())
        await app.screen.mount(Input(id="first"), Input(id="second"))
        first, second = app.screen.query_one("#first", Input), app.screen.query_one("#second", Input)
        first.focus()
        await pilot.pause()
        places: list[object] = []

        async def take(key: events.Key) -> None:
            places.append(app.focused)
            if key.key == "w":
                app.screen.call_after_refresh(second.focus)

        app.keys = keys = KeyQueue(app, take)
        await keys.settled()
        await keys.take(events.Key("w", "w"))
        await asyncio.sleep(later)
        await keys.take(events.Key("x", "x"))
        await pilot.pause(1.5 * PATIENCE)
        assert places == [first, second]
