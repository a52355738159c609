"""Pictures that come out the same everywhere: no animation, no colours from the environment, a fixed clock."""

import os

os.environ["TEXTUAL_ANIMATIONS"] = "none"
for name in ("NO_COLOR", "TEXTUAL_THEME", "COLUMNS", "LINES"):
    os.environ.pop(name, None)

import pytest  # noqa: E402
from textual.widgets import Input  # noqa: E402

from qmon_tui.report import header, live_pane  # noqa: E402
from qmon_tui.tui.screens import day_ahead  # noqa: E402
from tests import waiting  # noqa: E402


@pytest.fixture(autouse=True)
def _fixed(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_STATE_HOME", "XDG_DATA_HOME", "HOME"):
        monkeypatch.setenv(name, str(tmp_path_factory.mktemp("home")))
    monkeypatch.setattr(Input, "_toggle_cursor", lambda self: None)
    monkeypatch.setattr(day_ahead, "SECONDS", 0.0)  # only its own tests wait for a day simulated ahead
    monkeypatch.setattr(live_pane, "clock", lambda epoch: "10:31:07")
    for module in (header, live_pane):
        monkeypatch.setattr(module, "milliseconds", lambda seconds: "12 ms")
    waiting.wait_for_what_works(monkeypatch)
    waiting.parse_styles_once(monkeypatch)
