"""The real program ended from outside: the terminal is as it was, and what was not saved is offered again."""

import os
import shutil
import signal
import sys
import time
from pathlib import Path

import pytest

from tests.terminal.terminal import Terminal, program

pytestmark = [
    pytest.mark.tmux,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]


def edited(terminal: Terminal, teaching: Path, before: str = "") -> None:
    """The program with an edit that is not saved."""
    terminal.start(before + program(teaching))
    terminal.wait_for("0.55167")
    terminal.to_complexes()
    terminal.keys("j", "Enter")
    terminal.wait_for("complex gpu", "Enter edit")
    terminal.keys("Down", "Down", "Down", "Down", "Down", "Down", "Down")
    terminal.wait_for("Weight of a request")
    terminal.type("Enter", "BSpace", "9", "Enter")
    terminal.wait_for("● 1 edit")


def offers_the_edit(terminal: Terminal, teaching: Path) -> None:
    terminal.start(program(teaching))
    terminal.wait_for("Unsaved edits of an earlier session", "complex gpu", "urgency  0 → 9")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGUSR2])
def test_a_signal_leaves_the_terminal_as_it_was_and_keeps_the_edits(
    terminal: Terminal, teaching: Path, number: signal.Signals
) -> None:
    edited(terminal, teaching)
    terminal.kill(number)
    screen = terminal.wait_for(f"RC={128 + number}", f"({number.name})")
    assert "What was not saved is kept" in screen
    assert "Traceback" not in screen
    assert terminal.cursor_shown()
    assert not terminal.alternate()
    terminal.type("echo typ", "ed", "Enter")
    terminal.wait_for("echo typed\ntyped")
    terminal.end_session()
    offers_the_edit(terminal, teaching)


def test_a_signal_ends_a_program_with_a_dialog_open_and_nothing_to_keep(terminal: Terminal, teaching: Path) -> None:
    terminal.start(program(teaching))
    terminal.wait_for("0.55167")
    terminal.keys("?")
    terminal.wait_for("Help: type to search")
    terminal.kill(signal.SIGTERM)
    screen = terminal.wait_for("RC=143")
    assert "is kept" not in screen
    assert not terminal.alternate()


@pytest.mark.parametrize("before", ["", "trap : HUP; "], ids=["told", "started by one that waits for it"])
def test_a_closed_window_ends_the_program_and_keeps_the_edits(terminal: Terminal, teaching: Path, before: str) -> None:
    edited(terminal, teaching, before)
    number = terminal.hang_up()
    deadline = time.monotonic() + 10
    while Path(f"/proc/{number}").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not Path(f"/proc/{number}").exists(), "it goes on without a terminal"
    time.sleep(0.3)
    offers_the_edit(terminal, teaching)


@pytest.mark.parametrize("stderr", ["2>errors", "2>&-"])
def test_the_screen_is_drawn_where_stderr_is_no_terminal(terminal: Terminal, teaching: Path, stderr: str) -> None:
    terminal.start(f"cd {teaching.parent}; {program(teaching)} {stderr}")
    terminal.wait_for("0.55167")
    terminal.keys("q")
    terminal.wait_for("RC=0")
    assert not terminal.alternate()


def test_pipes_instead_of_our_own_files_stop_nothing(terminal: Terminal, teaching: Path, tmp_path: Path) -> None:
    for file in ("config/qmon-tui/keys.toml", "home/qmon-tui/state.json"):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).unlink(missing_ok=True)
        os.mkfifo(tmp_path / file)
    os.mkfifo(teaching / "queues.yaml")
    terminal.start(program(teaching), XDG_CONFIG_HOME=str(tmp_path / "config"))
    terminal.wait_for("0.55167", "named pipe")
    terminal.keys("q")
    terminal.wait_for("RC=0")


FAILS = """
import sys
from qmon_tui.tui.opening import run
from qmon_tui.tui.screens import MainScreen
def fail(self):
    raise ValueError("queue \\x1b]52;c;aGVsbG8=\\x07all.q")
MainScreen.mount_deferred = fail
sys.exit(run(sys.argv[1]))
"""


def test_the_message_of_a_failure_does_not_steer_the_terminal(terminal: Terminal, teaching: Path) -> None:
    (teaching.parent / "fails.py").write_text(FAILS)
    terminal.start(f"{sys.executable} {teaching.parent}/fails.py {teaching}")
    terminal.wait_for("RC=1", "qmon-tui failed: ValueError: queue ␛]52;c;aGVsbG8=␇all.q")
