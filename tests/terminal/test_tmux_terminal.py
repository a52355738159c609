"""The real program in a real terminal: what a Pilot cannot see."""

import random
import shutil
import sys
import time
from pathlib import Path

import pytest

from tests.terminal.terminal import Terminal, program

pytestmark = [
    pytest.mark.tmux,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]


def first_pending(screen: str) -> str:
    """The name of the first job of the live pane."""
    return next(word for word in screen.split() if word.startswith("job") and len(word) == 5)


def set_ticket_weight(folder: Path, weight: str) -> None:
    """Change the file as editors do: by an atomic replace."""
    file = folder / "policy.yaml"
    lines = [
        f"  weight_ticket: {weight}" if line.strip().startswith("weight_ticket:") else line
        for line in file.read_text().splitlines()
    ]
    new = folder / "policy.yaml~"
    new.write_text("\n".join(lines) + "\n")
    new.replace(file)


def test_a_day_with_the_program(terminal: Terminal, teaching: Path) -> None:
    terminal.start(program(teaching))
    assert first_pending(terminal.wait_for("0.55167", "Nothing free now")) == "jobC1"
    terminal.to_complexes()

    # Edit a complex and see the pane change, before anything is saved.
    terminal.keys("j", "Enter")
    terminal.wait_for("complex gpu")
    terminal.keys("Down", "Down", "Down", "Down", "Down", "Down", "Down")
    terminal.wait_for("Weight of a request")
    terminal.type("Enter", "BSpace", "1", "0", "0", "Enter")
    assert first_pending(terminal.wait_for("● 1 edit", "▲")) == "jobB4"
    assert "urgency: 100" not in (teaching / "cluster.yaml").read_text()

    # Save it through the difference.
    terminal.keys("C-s")
    terminal.wait_for("What changes", "0 → 100", "+     urgency: 100")
    terminal.keys("F2")
    terminal.wait_for("Saved cluster.yaml", gone="● 1 edit")
    assert (teaching / "cluster.yaml").read_text().count("urgency: 100") == 1

    # Edit the file elsewhere, twice: a watch on the file itself would have died with the first replace.
    set_ticket_weight(teaching, "1.000000")
    terminal.wait_for("read from disk", "0.66667")
    set_ticket_weight(teaching, "0.010000")
    terminal.wait_for("read from disk", "0.50167")

    # Leave; the terminal is as it was.
    terminal.type("Escape", "q")
    terminal.wait_for("RC=0")
    assert terminal.cursor_shown()
    assert not terminal.alternate()


def test_resizing_and_leaving_with_unsaved_edits(terminal: Terminal, teaching: Path) -> None:
    terminal.start(program(teaching), width=140, height=40)
    terminal.wait_for("0.55167", "Cluster", "Chosen job")
    terminal.to_complexes()
    terminal.resize(80, 24)
    terminal.wait_for("Complexes", "3 live", gone="Chosen job")
    terminal.keys("d")
    terminal.wait_for("Delete complex lic?")
    terminal.keys("Escape")
    terminal.wait_for("3 live", gone="Delete complex")
    terminal.type("3")
    terminal.wait_for("Live schedule", "jobC1")
    terminal.resize(140, 40)
    terminal.wait_for("Cluster", "Chosen job")
    terminal.keys("C-q")
    terminal.wait_for("RC=0")


def test_a_failure_restores_the_terminal_and_names_its_report(terminal: Terminal, teaching: Path) -> None:
    script = teaching.parent / "failing.py"
    script.write_text(
        "import qmon_tui.tui.screens.action_dialogs as dialogs\n"
        "from qmon_tui.tui.opening import run\n"
        "dialogs.legend = None\n"
        f"raise SystemExit(run({str(teaching)!r}))\n"
    )
    terminal.start(f"{sys.executable} {script}")
    terminal.wait_for("0.55167")
    terminal.type("?")
    screen = terminal.wait_for("RC=1")
    assert "qmon-tui failed: TypeError" in screen
    assert "The report is in" in screen
    assert "Traceback" not in screen
    assert terminal.cursor_shown()
    assert not terminal.alternate()


def test_no_color_draws_without_colours(terminal: Terminal, teaching: Path) -> None:
    terminal.start(program(teaching), NO_COLOR="1")
    terminal.wait_for("0.55167")
    terminal.to_complexes()
    screen = terminal.screen(colours=True)
    assert "38;2;" not in screen
    assert "\x1b[31m" not in screen
    assert "\x1b[7m" in screen, "the cursor is seen without colours"
    assert "\x1b[2m" in screen, "so is what cannot be done now"


def test_a_folder_that_there_is_not_is_one_sentence(terminal: Terminal, tmp_path: Path) -> None:
    terminal.start(program(tmp_path / "nothing"))
    screen = terminal.wait_for("RC=2")
    assert "qmon-tui: " in screen
    assert "Traceback" not in screen


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_killed_at_any_moment_it_offers_the_edits_again(terminal: Terminal, teaching: Path, seed: int) -> None:
    before = {path.name: path.read_bytes() for path in teaching.iterdir()}
    moments = random.Random(seed)
    terminal.start(program(teaching))
    terminal.wait_for("0.55167")
    terminal.to_complexes()
    terminal.keys("j", "Enter")
    terminal.wait_for("complex gpu")
    terminal.keys("Down", "Down", "Down", "Down", "Down", "Down", "Down")
    terminal.wait_for("Weight of a request")
    for digit in "123456789":
        terminal.type("Enter", "BSpace", digit, "Enter")
        if digit > "1" and moments.random() < 0.4:
            break
    time.sleep(moments.uniform(0.0, 0.3))
    terminal.kill()
    terminal.wait_for("RC=137")
    assert {path.name: path.read_bytes() for path in teaching.iterdir()} == before, "nothing was saved"

    terminal.end_session()
    terminal.start(program(teaching))
    terminal.wait_for("Unsaved edits of an earlier session", "complex gpu", "urgency  0 →")
    terminal.keys("r")
    terminal.wait_for("● 1 edit", gone="Unsaved edits")
    terminal.keys("C-s")
    terminal.wait_for("What changes", "urgency  0 →")
    terminal.keys("F2")
    terminal.wait_for("Saved cluster.yaml", gone="● 1 edit")
    terminal.keys("q")
    terminal.wait_for("RC=0")

    terminal.end_session()
    terminal.start(program(teaching))
    assert "Unsaved edits" not in terminal.wait_for("Live schedule", "jobB4")
    terminal.keys("V")
    terminal.wait_for("Earlier versions: 2", "changed complex gpu")
    terminal.keys("G", "Enter")
    terminal.wait_for("● 1 edit", gone="Earlier versions")


def test_a_quota_is_tested_and_changed_and_a_share_tree_begun(terminal: Terminal, teaching: Path) -> None:
    (teaching / "quotas.yaml").write_text(
        "quotas:\n  per_user:\n    enabled: TRUE\n    limit:\n    # mine\n    - users userb to slots=1\n"
        "    - users {*} to slots=2\n"
    )
    terminal.start(program(teaching))
    terminal.wait_for("Nothing free now")
    terminal.keys(":")
    terminal.wait_for("Go to anything")
    terminal.keys("per_user")
    terminal.wait_for("quota per_user")
    terminal.type("Enter")
    terminal.wait_for("2 rules")

    # Who counts where, and why the earlier rule does not.
    terminal.type("Enter")
    terminal.wait_for("0 on/off")
    terminal.type("h")
    terminal.wait_for("primary group", "rule 1 counts")
    terminal.type("Enter")
    terminal.wait_for("Ask for user")
    terminal.keys("usera")
    terminal.wait_for("▸  usera")
    terminal.type("Enter")
    terminal.wait_for("rule 2 counts", "usera is not in userb")

    # Another rule first; saving leaves the lines of the other one alone.
    terminal.type("l")
    terminal.wait_for("● enabled")
    terminal.type("j", "<")
    terminal.wait_for("● 1 edit")
    terminal.type("C-s")
    terminal.wait_for("Save: 1 object changed")
    terminal.type("F2")
    terminal.wait_for(gone="● 1 edit")
    assert (teaching / "quotas.yaml").read_text().splitlines()[4:] == [
        "    - users {*} to slots=2",
        "    # mine",
        "    - users userb to slots=1",
    ]

    # A share tree with one key, more shares with another.
    terminal.keys(":")
    terminal.wait_for("Go to anything")
    terminal.keys("go to share tree")
    terminal.wait_for("go to Share tree")
    terminal.type("Enter")
    terminal.wait_for("no share tree yet")
    terminal.type("a")
    terminal.wait_for("default", "100.00")
    terminal.type("+")
    terminal.wait_for("11")
    terminal.type("q")
    terminal.wait_for("unsaved")
