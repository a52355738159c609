"""What people do with the program on a day, in a real terminal: each step waits for what it has brought about."""

import shutil
from pathlib import Path

import pytest

from tests.terminal.terminal import Terminal, program

pytestmark = [
    pytest.mark.tmux,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]


def give_urgency(terminal: Terminal, urgency: str) -> None:
    """Open the form of gpu and type another urgency."""
    terminal.keys("j", "Enter")
    terminal.wait_for("complex gpu", "Enter edit")
    terminal.keys("End", "Up")
    terminal.wait_for("Weight of a request")
    terminal.keys("Enter", "C-u", *urgency, "Enter")
    terminal.wait_for("● 1 edit", "▲")
    terminal.keys("Escape")
    terminal.wait_for("e edit   a add")


def replace_in(file: Path, before: str, after: str) -> None:
    """Change a file as editors do: by an atomic replace."""
    text = file.read_text()
    assert before in text
    new = file.with_suffix(".new")
    new.write_text(text.replace(before, after))
    new.replace(file)


def test_edit_see_the_difference_save_and_take_it_back(terminal: Terminal, teaching: Path) -> None:
    before = (teaching / "cluster.yaml").read_text()
    terminal.start(program(teaching))
    terminal.wait_for("0.55167", "Nothing free now")
    terminal.to_complexes()
    give_urgency(terminal, "100")
    terminal.keys("C")
    terminal.wait_for("1 edit unsaved", "urgency  0 → 100")
    terminal.keys("Escape")
    terminal.wait_for("● 1 edit", gone="unsaved. Enter")
    terminal.keys("u")
    terminal.wait_for("0.55167", gone="● 1 edit")
    terminal.keys("U")
    terminal.wait_for("● 1 edit")
    terminal.keys("C-s")
    terminal.wait_for("Save: 1 object changed, in cluster.yaml", "-     urgency: 0", "+     urgency: 100")
    terminal.keys("F2")
    terminal.wait_for("Saved cluster.yaml", gone="● 1 edit")
    assert "urgency: 100" in (teaching / "cluster.yaml").read_text()

    # What was saved can be taken back, and is an edit again until that is saved, too.
    terminal.keys("u")
    terminal.wait_for("● 1 edit", "0.55167")
    assert "urgency: 100" in (teaching / "cluster.yaml").read_text()
    terminal.keys("C-s")
    terminal.wait_for("+     urgency: 0")
    terminal.keys("F2")
    terminal.wait_for("Saved cluster.yaml", gone="● 1 edit")
    assert (teaching / "cluster.yaml").read_text() == before
    terminal.keys("q")
    terminal.wait_for("RC=0")


def test_what_both_sides_changed_is_shown_side_by_side_and_decided(terminal: Terminal, teaching: Path) -> None:
    terminal.start(program(teaching))
    terminal.wait_for("0.55167", "Nothing free now")
    terminal.to_complexes()
    give_urgency(terminal, "100")

    # Somebody else gives the same field another value, and changes what is not touched here.
    file = teaching / "cluster.yaml"
    text = file.read_text()
    mine = text.index("  gpu:")
    changed = text[:mine] + text[mine:].replace("urgency: 0", "urgency: 55", 1).replace("slots: 2", "slots: 3", 1)
    replace_in(file, text, changed)
    terminal.wait_for("2 objects changed on disk, 1 edit unsaved here")
    terminal.keys("r")
    terminal.wait_for("The folder has changed on disk", "m merge both")
    terminal.keys("m")
    terminal.wait_for("Changed on both sides", "100", "55")
    terminal.keys("m")
    terminal.keys("Enter")
    terminal.wait_for("● 1 edit", gone="Changed on both sides")
    terminal.keys("C-s")
    terminal.wait_for("-     urgency: 55", "+     urgency: 100")
    terminal.keys("F2")
    terminal.wait_for("Saved cluster.yaml", gone="● 1 edit")
    assert file.read_text() == changed.replace("urgency: 55", "urgency: 100")
    terminal.keys("q")
    terminal.wait_for("RC=0")


def test_why_a_job_waits_and_a_change_that_lets_it_run(terminal: Terminal, teaching: Path) -> None:
    terminal.start(program(teaching))
    terminal.wait_for("0.55167", "Nothing free now")
    terminal.keys("3")
    terminal.wait_for("i instances")
    terminal.keys("w")
    terminal.wait_for("Job 7 jobC1", "Why it waits", "offers only gc:lic=0", "What would let it run now", "lic=4")
    terminal.keys("1")
    terminal.wait_for("● 1 edit", "all.q@sim4", gone="Why it waits")
    terminal.keys("C")
    terminal.wait_for("host global", "lic=3 → lic=4")
    terminal.keys("Escape")
    terminal.wait_for(gone="unsaved. Enter")
    terminal.keys("u")
    terminal.wait_for("Nothing free now", gone="● 1 edit")
    terminal.keys("q")
    terminal.wait_for("RC=0")


def test_a_job_is_submitted_held_released_and_deleted(terminal: Terminal, teaching: Path) -> None:
    terminal.start(program(teaching))
    terminal.wait_for("0.55167", "Nothing free now")
    terminal.keys("J")
    terminal.wait_for("job-ID", "W hold", "8 jobs")
    terminal.keys("a")
    terminal.wait_for("Submit job 9", "qsub would accept it")
    terminal.keys("BTab", "C-u")
    terminal.wait_for(gone="sleep 600")
    terminal.keys("-N newjob sleep 60")
    terminal.wait_for("-N newjob sleep 60", "qsub would accept it")
    terminal.keys("C-t")
    terminal.wait_for("would start now on all.q@sim")
    terminal.keys("Tab", "s")
    terminal.wait_for("● 1 edit", "newjob", "9 jobs", gone="Submit job")
    terminal.keys("G")
    terminal.wait_for("Jobs ▸ 3")
    terminal.keys("/")
    terminal.wait_for("Tab completes")
    terminal.keys("newjob")
    terminal.wait_for("1 job of 9")
    terminal.keys("Enter")
    terminal.wait_for("Jobs ▸ 9", "Esc shows all")
    terminal.keys("W")
    terminal.wait_for("Holds of job 9")
    terminal.keys("o")
    terminal.wait_for("hqw", "held by operator", gone="Holds of job 9")
    terminal.keys("W")
    terminal.wait_for("Holds of job 9")
    terminal.keys("r")
    terminal.wait_for("starts now", gone="hqw")
    terminal.keys("d")
    terminal.wait_for("Delete job 9?", "newjob")
    terminal.keys("y")
    terminal.wait_for("No jobs match newjob", gone="Delete job 9?")
    terminal.keys("u")
    terminal.wait_for("1 job of 9", "starts now")
    terminal.keys("u", "u", "u")
    terminal.wait_for("No jobs match newjob", "u undo", gone="● ")
    terminal.keys("q")
    terminal.wait_for("RC=0")


def test_an_instance_is_disabled_enabled_and_its_letter_explained(terminal: Terminal, site: Path) -> None:
    terminal.start(program(site))
    terminal.wait_for("Live schedule", "gpu")
    terminal.keys("M")
    terminal.wait_for("[Map]", "X disable", "no state letters")
    terminal.keys("X")
    terminal.wait_for("Disable big.q@big01", "reason")
    terminal.keys("psu", "Enter")
    terminal.wait_for("disabled: it was disabled")
    terminal.keys("w")
    terminal.wait_for("State letters", "All state letters", "orphaned")
    terminal.keys("Escape")
    terminal.wait_for("[Map]", gone="All state letters")
    terminal.keys("X")
    terminal.wait_for("Enable big.q@big01?")
    terminal.keys("y")
    terminal.wait_for("no state letters: jobs may start here")

    # One that a load threshold has closed says which, and no key of ours opens it.
    terminal.keys("/")
    terminal.keys("node07")
    terminal.wait_for("Cluster ▸ node07")
    terminal.keys("Enter", "l", "l", "l")
    terminal.wait_for("long.q@node07", "load alarm", "np_load_avg is 1.90, limit 1.75")
    terminal.keys("t", "t")
    terminal.wait_for("[Queue instances (qstat -f)]", "long.q@node07", "load alarm")
    # It is enabled as before, but it was changed: as in the real qmaster it comes after its equals from now on.
    terminal.keys("q")
    terminal.wait_for("Leave with unsaved edits?", "changed", "discard them and leave")
    terminal.keys("D")
    terminal.wait_for("RC=0")


def test_a_share_tree_is_edited_saved_and_moves_what_is_next(terminal: Terminal, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(Path(__file__).parents[2] / "configs" / "campus", tmp_path / "campus"))
    before = (folder / "cluster.yaml").read_text()
    terminal.start(program(folder))
    terminal.wait_for("Live schedule")
    terminal.keys(":")
    terminal.wait_for("Go to anything")
    terminal.keys("go to share tree")
    terminal.wait_for("▸go to Share tree")
    terminal.keys("Enter")
    terminal.wait_for("level %", "climate", "54.55", "^x move", gone="Go to anything")
    terminal.keys("j")
    terminal.wait_for("/climate  project")
    terminal.keys("e")
    terminal.wait_for("Shares")
    terminal.keys("C-u", "6", "0", "0", "Enter")
    terminal.wait_for("● 1 edit", "70.59", "edited here")
    terminal.keys("C-s")
    terminal.wait_for("Save: 1 object changed", "-   shares=300", "+   shares=600")
    terminal.keys("F2")
    terminal.wait_for("Saved cluster.yaml", gone="● 1 edit")
    assert (folder / "cluster.yaml").read_text() == before.replace("shares=300", "shares=600")
    terminal.keys("u")
    terminal.wait_for("● 1 edit", "54.55")
    terminal.keys("q")
    terminal.wait_for("Leave with unsaved edits?")
    terminal.keys("D")
    terminal.wait_for("RC=0")
