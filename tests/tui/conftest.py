"""Screens drawn the same everywhere: no animation, no blinking, no colours from the environment, no real home."""

import os
from functools import lru_cache

os.environ["TEXTUAL_ANIMATIONS"] = "none"
for name in ("NO_COLOR", "TEXTUAL_THEME", "COLUMNS", "LINES"):
    os.environ.pop(name, None)

from pathlib import Path  # noqa: E402

import pytest  # noqa: E402
from textual.notifications import Notification  # noqa: E402
from textual.widgets import Input  # noqa: E402

from qmon_tui.formats import folder_reader, parsed_files  # noqa: E402
from qmon_tui.tui.app import QmonApp  # noqa: E402
from qmon_tui.tui.screens import day_ahead  # noqa: E402
from tests import waiting  # noqa: E402

# Most tests open the same cluster; a file that says the same is not read again, as in the program.
_parse_file_once = lru_cache(512)(parsed_files.parse_file)


@pytest.fixture(autouse=True)
def _quiet(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    home: Path = tmp_path_factory.mktemp("home")
    for name in ("XDG_STATE_HOME", "XDG_DATA_HOME", "HOME"):
        monkeypatch.setenv(name, str(home))
    monkeypatch.setattr(folder_reader, "parse_file", _parse_file_once)
    monkeypatch.setattr(Input, "_toggle_cursor", lambda self: None)
    monkeypatch.setattr(day_ahead, "SECONDS", 0.0)  # only its own tests wait for a day simulated ahead
    # On a busy machine five seconds may pass between a notice and the look at it.
    monkeypatch.setattr(Notification, "time_left", 600.0)


@pytest.fixture(autouse=True)
def _failures_of_dialogs_fail(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """A dialog survives what fails in it; a test does not, unless it is about that."""
    if "dialogs_survive" not in request.fixturenames:
        monkeypatch.setattr(QmonApp, "on_dialog_failed", lambda app, event: app._handle_exception(event.error))


@pytest.fixture
def dialogs_survive() -> None:
    """Leave a dialog open in which something fails, as the program does."""


@pytest.fixture(autouse=True)
def _waits_and_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    waiting.draw_when_tests_wait(monkeypatch)
    waiting.wait_for_what_works(monkeypatch)
    waiting.parse_styles_once(monkeypatch)
