"""Screens drawn the same everywhere: no animation, no blinking, no colours from the environment, no real home."""

import os

os.environ["TEXTUAL_ANIMATIONS"] = "none"
for name in ("NO_COLOR", "TEXTUAL_THEME", "COLUMNS", "LINES"):
    os.environ.pop(name, None)

from pathlib import Path  # noqa: E402

import pytest  # noqa: E402
from textual._compositor import Compositor  # noqa: E402
from textual.notifications import Notification  # noqa: E402
from textual.pilot import Pilot  # noqa: E402
from textual.screen import Screen  # noqa: E402
from textual.widgets import Input  # noqa: E402

from qmon_tui.tui.screens import day_ahead  # noqa: E402


@pytest.fixture(autouse=True)
def _quiet(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    home: Path = tmp_path_factory.mktemp("home")
    for name in ("XDG_STATE_HOME", "XDG_DATA_HOME", "HOME"):
        monkeypatch.setenv(name, str(home))
    monkeypatch.setattr(Input, "_toggle_cursor", lambda self: None)
    monkeypatch.setattr(day_ahead, "SECONDS", 0.0)  # only its own tests wait for a day simulated ahead
    # On a busy machine five seconds may pass between a notice and the look at it.
    monkeypatch.setattr(Notification, "time_left", 600.0)


@pytest.fixture(autouse=True)
def _draws_when_the_test_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Frames that nobody could look at are not drawn: a third of the work. Each moment at which a test waits is."""
    undrawn: set[Compositor] = set()
    pause = Pilot.pause

    def put_off(compositor: Compositor, full: bool = False, screen_stack: list[Screen[None]] | None = None) -> None:
        compositor._dirty_regions.clear()
        undrawn.add(compositor)

    async def pause_and_draw(pilot: Pilot[None], delay: float | None = None) -> None:
        await pause(pilot, delay)
        compositor = pilot.app.screen._compositor
        if compositor in undrawn:
            undrawn.clear()
            compositor.render_full_update()

    monkeypatch.setattr(Compositor, "render_update", put_off)
    monkeypatch.setattr(Pilot, "pause", pause_and_draw)
