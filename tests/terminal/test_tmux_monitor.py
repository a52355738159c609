"""A day in a real terminal: played, stopped, asked why, changed from a moment on, taken back."""

import shutil
from pathlib import Path

import pytest

from tests.terminal.terminal import Terminal, program

pytestmark = [
    pytest.mark.tmux,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
CONFIGS = Path(__file__).parents[2] / "configs"


def test_play_stop_why_branch_and_back(terminal: Terminal, tmp_path: Path) -> None:
    campus = Path(shutil.copytree(CONFIGS / "campus", tmp_path / "campus"))
    terminal.start(program("--play", campus))
    terminal.wait_for("▶ plays", "506 storm gets a reservation", "simulated Tue 07:4")
    terminal.keys("Space")
    terminal.wait_for("‖ stopped")

    # Why 506 waits at this moment: its reservation is behind what runs.
    terminal.keys("@")
    terminal.wait_for("Go to a time")
    terminal.type(*"08:05")
    terminal.keys("Enter")
    terminal.wait_for("Tue 08:05:00", "502.1-8 ice suspended", gone="Go to a time")
    terminal.keys("/")
    terminal.wait_for("words that must occur")
    terminal.type(*"storm")
    terminal.wait_for("506 storm gets a reservation", gone="512 late starts")
    terminal.keys("Enter")
    terminal.wait_for("Monitor ▸ 506")
    terminal.keys("w")
    terminal.wait_for("Why it waits", "a reservation that begins at 2026-11-17T10:01:00")
    terminal.keys("Escape")
    terminal.wait_for("simulated", gone="Why it waits")
    terminal.keys("Escape")
    terminal.wait_for("512 late starts")
    terminal.keys("J")
    terminal.wait_for("campus ▸ Jobs", "simulated Tue 08:05:00", "storm")

    # From here on with more slots: the day goes another way.
    terminal.keys(":")
    terminal.wait_for("Go to")
    terminal.type(*"night.q slots")
    terminal.wait_for("slots")
    terminal.keys("Enter")
    terminal.wait_for("night.q", "Enter edit")
    terminal.keys("Enter")
    terminal.keys("C-u", "9", "Enter")
    terminal.wait_for("● 1 edit")
    terminal.keys("Escape")
    terminal.wait_for("e edit   a add")
    terminal.keys("4")
    terminal.wait_for("1 branch", "edit: ")
    terminal.keys(".")
    terminal.wait_for("‖ stopped")

    # Undo leads back to before the edit; leaving shows the folder as it is.
    terminal.keys("u")
    terminal.wait_for("Tue 08:05:00", gone="● 1 edit")
    terminal.keys("X")
    terminal.wait_for("Tue 07:40:00", gone="simulated")
    terminal.keys("q")
    terminal.wait_for("RC=0")
