"""A lesson in a real terminal: answered, edited, continued, handed in and graded."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.terminal.terminal import Terminal, program

pytestmark = [
    pytest.mark.tmux,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]


def test_do_a_lesson_and_have_it_graded(terminal: Terminal, tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    terminal.start(f"cd {work} && {program('learn', 'half_rule', '--student', 'Ada')}")
    terminal.wait_for("What is the priority of jobC1?", "step 1/4", gone="0.55500")
    terminal.type(*"0.5")
    terminal.keys("Enter")
    terminal.wait_for("not right; 1 more try")
    terminal.type(*"0.555")
    terminal.keys("Enter")
    terminal.wait_for("Explanation", "points 2/6", "Live schedule")
    terminal.keys("]")
    terminal.wait_for("step 2/4", "In which order")
    terminal.keys("Escape")
    terminal.wait_for("Space answer")
    terminal.keys("]")
    terminal.wait_for("step 3/4")
    terminal.keys("Escape")
    terminal.wait_for("Space answer")
    terminal.keys("]")
    terminal.wait_for("step 4/4", "○ The first pending job is jobB2")
    terminal.keys("J")
    terminal.wait_for("job-ID", "jobC1")
    terminal.keys("Down", "Down", "P")
    terminal.wait_for("priority")
    terminal.type(*"100")
    terminal.keys("Enter")
    terminal.wait_for("The goal is reached.")
    terminal.keys("6")
    terminal.wait_for("✓ The first pending job is jobC1.", "4 of 6 points, passed")
    terminal.keys("E")
    terminal.wait_for("Written to")
    terminal.keys("X")
    terminal.wait_for("Urgency and its scale", "qmon ▸ teaching ▸ Learn")
    terminal.keys("q")
    terminal.wait_for("RC=0")
    file = work / "half_rule-ada.yaml"
    graded = subprocess.run(
        [sys.executable, "-m", "qmon_tui", "grade", "half_rule", file], capture_output=True, text=True, env=os.environ
    )
    assert (graded.returncode, graded.stderr.strip()) == (0, "Ada: 4 of 6 points, passed.")
