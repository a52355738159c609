"""A terminal of its own for the real program: keys go in, what is on the screen comes out."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path


def program(*arguments: object) -> str:
    return " ".join([sys.executable, "-m", "qmon_tui", *map(str, arguments)])


class Terminal:
    """One tmux server of its own, with one window."""

    def __init__(self, socket: Path, home: Path) -> None:
        self._tmux = ["tmux", "-S", str(socket), "-f", "/dev/null"]
        self._home = home
        # Not the very first start, which shows what to press.
        (home / "qmon-tui").mkdir(parents=True)
        (home / "qmon-tui" / "state.json").write_text('{"version": 1, "started": "yes"}')

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
        self._run("send-keys", "-t", "t", "--", *keys)

    def type(self, *keys: str) -> None:
        """Press keys as fast as people do: what comes faster may arrive before an input is open."""
        for key in keys:
            self.keys(key)
            time.sleep(0.15)

    def to_complexes(self) -> None:
        """Go from Jobs, where the program begins, to the list of the complexes."""
        self.keys(":")
        self.wait_for("Go to anything")
        self.type(*"go to Complexes")
        self.wait_for("▸go to Complexes")
        self.keys("Enter")
        self.wait_for("─Complexes", gone="Go to anything")

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

    def kill(self, number: signal.Signals = signal.SIGKILL) -> None:
        """Send the program a signal, by default the one that no program can prevent."""
        os.kill(self._program, number)

    def hang_up(self) -> int:
        """Close the window under the program; the program's number."""
        number = self._program
        self._run("kill-session", "-t", "t")
        return number

    @property
    def _program(self) -> int:
        (shell,) = self._run("list-panes", "-t", "t", "-F", "#{pane_pid}").split()
        return int(Path(f"/proc/{shell}/task/{shell}/children").read_text().split()[0])

    def end_session(self) -> None:
        """Close the window and wait for the server, which ends with it, so that another can be started."""
        self._run("kill-session", "-t", "t")
        while subprocess.run([*self._tmux, "list-sessions"], capture_output=True, check=False).returncode == 0:
            time.sleep(0.05)
        time.sleep(0.2)

    def close(self) -> None:
        """End the server."""
        subprocess.run([*self._tmux, "kill-server"], capture_output=True, check=False)
