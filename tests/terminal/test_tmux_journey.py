"""The real program in a real terminal: what a Pilot cannot see."""

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

CONFIGS = Path(__file__).parents[2] / "configs"

pytestmark = [
    pytest.mark.tmux,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]


class Terminal:
    """One tmux server of its own, with one window."""

    def __init__(self, socket: Path, home: Path) -> None:
        self._tmux = ["tmux", "-S", str(socket), "-f", "/dev/null"]
        self._home = home

    def _run(self, *arguments: str) -> str:
        return subprocess.run([*self._tmux, *arguments], capture_output=True, text=True, check=True).stdout

    def start(self, command: str, width: int = 120, height: int = 36, **environment: str) -> None:
        """Run a shell command; its exit code is printed after it."""
        settings = {
            "XDG_STATE_HOME": str(self._home), "XDG_DATA_HOME": str(self._home), "TEXTUAL_ANIMATIONS": "none",
            "PYTHONPATH": str(Path(__file__).parents[2]), **environment,
        }  # fmt: skip
        assignments = " ".join(f"{name}={value}" for name, value in settings.items())
        shell = f"sh -c 'unset NO_COLOR COLUMNS LINES; export {assignments}; {command}; echo RC=$?; exec sh'"
        self._run("new-session", "-d", "-s", "t", "-x", str(width), "-y", str(height), shell)

    def keys(self, *keys: str) -> None:
        """Press keys, in tmux's names."""
        self._run("send-keys", "-t", "t", *keys)

    def type(self, *keys: str) -> None:
        """Press keys as fast as people do: what comes faster may arrive before an input is open."""
        for key in keys:
            self.keys(key)
            time.sleep(0.15)

    def resize(self, width: int, height: int) -> None:
        """Give the terminal another size."""
        self._run("resize-window", "-t", "t", "-x", str(width), "-y", str(height))

    def screen(self, *, colours: bool = False) -> str:
        """What is on the screen."""
        return self._run("capture-pane", "-p", "-t", "t", *(["-e"] if colours else []))

    def wait_for(self, *texts: str, gone: str | None = None, seconds: float = 30) -> str:
        """The screen as soon as it shows all of the texts."""
        deadline = time.monotonic() + seconds
        while True:
            screen = self.screen()
            if all(text in screen for text in texts) and (gone is None or gone not in screen):
                return screen
            if time.monotonic() > deadline:
                raise AssertionError(f"{texts} did not come, or {gone} did not go:\n{screen}")
            time.sleep(0.05)

    def cursor_shown(self) -> bool:
        """The terminal shows its cursor, as a shell expects."""
        return self._run("display-message", "-p", "-t", "t", "#{cursor_flag}").strip() == "1"

    def alternate(self) -> bool:
        """The alternate screen is on."""
        return self._run("display-message", "-p", "-t", "t", "#{alternate_on}").strip() == "1"

    def kill(self) -> None:
        """End the program as no program can prevent."""
        (shell,) = self._run("list-panes", "-t", "t", "-F", "#{pane_pid}").split()
        children = Path(f"/proc/{shell}/task/{shell}/children").read_text().split()
        os.kill(int(children[0]), signal.SIGKILL)

    def end_session(self) -> None:
        """Close the window and wait for the server, which ends with it, so that another can be started."""
        self._run("kill-session", "-t", "t")
        while subprocess.run([*self._tmux, "list-sessions"], capture_output=True, check=False).returncode == 0:
            time.sleep(0.05)
        time.sleep(0.2)

    def close(self) -> None:
        """End the server."""
        subprocess.run([*self._tmux, "kill-server"], capture_output=True, check=False)


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    # A socket's path may only be a hundred characters long.
    with tempfile.TemporaryDirectory(prefix="qmon") as sockets:
        it = Terminal(Path(sockets) / "tmux", tmp_path / "home")
        yield it
        it.close()


@pytest.fixture
def teaching(tmp_path: Path) -> Path:
    return Path(shutil.copytree(CONFIGS / "teaching", tmp_path / "teaching"))


def program(*arguments: object) -> str:
    return " ".join([sys.executable, "-m", "qmon_tui", *map(str, arguments)])


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

    # Edit a complex and see the pane change, before anything is saved.
    terminal.keys("j", "Enter")
    terminal.wait_for("complex gpu")
    terminal.keys("Down", "Down", "Down", "Down", "Down", "Down", "Down")
    terminal.wait_for("Weight of a request")
    terminal.type("Enter", "BSpace", "1", "0", "0", "Enter")
    assert first_pending(terminal.wait_for("● 1 edit", "▲")) == "jobB4"
    assert "urgency: 100" not in (teaching / "cluster.yaml").read_text()

    # Save it through the difference.
    terminal.keys("s")
    terminal.wait_for("What changes", "0 → 100", "+     urgency: 100")
    terminal.keys("s")
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
    terminal.wait_for("0.55167", "Cluster", "Queue instances")
    terminal.resize(80, 24)
    terminal.wait_for("Complexes", "3 live", gone="Queue instances")
    terminal.keys("d")
    terminal.wait_for("Delete complex lic?")
    terminal.keys("Escape")
    terminal.wait_for("3 live", gone="Delete complex")
    terminal.type("3")
    terminal.wait_for("Live schedule", "jobC1")
    terminal.resize(140, 40)
    terminal.wait_for("Cluster", "Queue instances")
    terminal.keys("C-q")
    terminal.wait_for("RC=0")


def test_a_failure_restores_the_terminal_and_names_its_report(terminal: Terminal, teaching: Path) -> None:
    script = teaching.parent / "failing.py"
    script.write_text(
        "from pathlib import Path\n"
        "import qmon_tui.tui.screens.deeds as deeds\n"
        "from qmon_tui.tui.app import run\n"
        "deeds.about_lines = None\n"
        f"raise SystemExit(run(Path({str(teaching)!r})))\n"
    )
    terminal.start(f"{sys.executable} {script}")
    terminal.wait_for("0.55167")
    terminal.type(":", "a", "b", "o", "u", "t")
    terminal.wait_for("about: Version")
    terminal.type("Enter")
    screen = terminal.wait_for("RC=1")
    assert "qmon-tui failed: TypeError" in screen
    assert "The report is in" in screen
    assert "Traceback" not in screen
    assert terminal.cursor_shown()
    assert not terminal.alternate()


def test_no_color_draws_without_colours(terminal: Terminal, teaching: Path) -> None:
    terminal.start(program(teaching), NO_COLOR="1")
    terminal.wait_for("0.55167")
    screen = terminal.screen(colours=True)
    assert "38;2;" not in screen
    assert "\x1b[31m" not in screen
    assert "\x1b[7m" in screen, "the cursor is seen without colours"


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
    terminal.keys("s")
    terminal.wait_for("What changes", "urgency  0 →")
    terminal.keys("s")
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
    terminal.wait_for("Search")
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
    terminal.type("s")
    terminal.wait_for("Save: 1 object changed")
    terminal.type("s")
    terminal.wait_for(gone="● 1 edit")
    assert (teaching / "quotas.yaml").read_text().splitlines()[4:] == [
        "    - users {*} to slots=2",
        "    # mine",
        "    - users userb to slots=1",
    ]

    # A share tree with one key, more shares with another.
    terminal.keys(":")
    terminal.wait_for("Search")
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
