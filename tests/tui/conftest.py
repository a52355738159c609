"""Screens drawn the same everywhere: no animation, no blinking, no colours from the environment, no real home."""

import os

os.environ["TEXTUAL_ANIMATIONS"] = "none"
for name in ("NO_COLOR", "TEXTUAL_THEME", "COLUMNS", "LINES"):
    os.environ.pop(name, None)

from pathlib import Path  # noqa: E402

import pytest  # noqa: E402
from textual.widgets import Input  # noqa: E402

from qmon_tui.tui.screens import day_ahead  # noqa: E402


@pytest.fixture(autouse=True)
def _quiet(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    home: Path = tmp_path_factory.mktemp("home")
    for name in ("XDG_STATE_HOME", "XDG_DATA_HOME", "HOME"):
        monkeypatch.setenv(name, str(home))
    monkeypatch.setattr(Input, "_toggle_cursor", lambda self: None)
    monkeypatch.setattr(day_ahead, "SECONDS", 0.0)  # only its own tests wait for a day simulated ahead
