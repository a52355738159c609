"""The very first start says what to press and begins with the jobs; Esc hides it."""

from pathlib import Path

import pytest

from qmon_tui.sources import read_folder
from qmon_tui.tui.app import QmonApp
from qmon_tui.tui.keys import Pane
from qmon_tui.tui.screens.main import MainScreen
from qmon_tui.workspace import Workspace
from tests.tui.screen_harness import Opened, cluster_copy


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 55)])
async def test_the_first_start_says_what_to_press(tmp_path: Path, size: tuple[int, int]) -> None:
    folder = cluster_copy("teaching", tmp_path)
    app = QmonApp(Workspace(read_folder(folder)), welcome=True)
    async with app.run_test(size=size) as pilot:
        it = Opened(app, pilot, folder)
        await it.settle()
        assert isinstance(app.screen, MainScreen)
        assert app.screen.pages.page == "jobs"
        for words in (
            "Tab: from pane to pane",
            "F1 explains what is under the cursor",
            "s and then F2 saves. Esc hides this.",
        ):
            assert words in it.text
        assert it.text.count("hides this.") == 1, "no line is cut"
        assert "waiting" in it.text, "what the run made of the jobs is in sight"
        await it.press("escape")
        assert "hides these lines" not in it.text
        assert app.screen.pane is Pane.PAGE, "the keys are those of Jobs"
        await it.press("w")
        assert "Why it waits" in it.text
