"""Answers that do not fit side by side."""

from pathlib import Path

import pytest

from qmon_tui.tui.dialogs.dialog import AnswerButton
from tests.tui.screen_harness import cluster_copy, opened


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (60, 24)])
async def test_all_answers_are_in_sight_and_can_be_clicked(tmp_path: Path, size: tuple[int, int]) -> None:
    async with opened(cluster_copy("site", tmp_path), size=size) as it:
        await it.press("J", "W")
        buttons = list(it.app.screen.query(AnswerButton))
        assert len(buttons) == 7
        box = it.app.screen.query_one(".dialog").region
        assert all(box.contains_region(button.region) for button in buttons)
        assert len({button.region for button in buttons}) == 7
        number = it.main.live.chosen
        assert number is not None
        await it.pilot.click(buttons[2])
        await it.settle()
        assert it.at_main
        held = next(job for job in it.workspace.state.jobs if job.id == number.job.id)
        assert held.request.hold == "o"
