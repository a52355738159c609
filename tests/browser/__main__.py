"""The same program in a browser, once: `make browser` serves it, edits and saves in headless Chromium, and looks.

Needs Chromium (Debian: `apt install chromium`); not part of `make test`, which needs no browser.
"""

import contextlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from playwright.sync_api import sync_playwright

TEACHING = Path(__file__).parents[2] / "configs" / "teaching"
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-sync")
PATIENCE = 60.0
"""Seconds in which the next thing has to happen, on a slow machine."""
LULL = 4000
"""Milliseconds after which the screen has answered a key; a browser cannot be asked whether it has."""


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@contextlib.contextmanager
def served(folder: Path, port: int) -> Iterator[str]:
    """The program on a folder, served as the README says."""
    command = f"{sys.executable} -m qmon_tui {folder}"
    serving = f"from textual_serve.server import Server; Server({command!r}, port={port}).serve()"
    server = subprocess.Popen([sys.executable, "-c", serving], stdout=subprocess.DEVNULL)
    try:
        wait_for(lambda: listening(port), "the server answers")
        yield f"http://localhost:{port}"
    finally:
        children = Path(f"/proc/{server.pid}/task/{server.pid}/children")
        with contextlib.suppress(AssertionError):
            wait_for(lambda: not (children.exists() and children.read_text().strip()), "the served program ends")
        # Ended in any other way it closes pipes whose event loop is gone, and prints a traceback for each.
        server.kill()
        server.wait(10)


def listening(port: int) -> bool:
    """Somebody listens on the port."""
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


def wait_for(happened: Callable[[], bool], what: str) -> None:
    """Return when it has happened; raises AssertionError where it does not."""
    deadline = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < deadline, f"{what}: it does not"
        time.sleep(0.2)


def main() -> None:
    """Change the urgency of an attribute and save it, by the keys that a terminal would get."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome") or sys.exit("Chromium is not installed.")
    picture = Path(tempfile.gettempdir()) / "qmon-tui-browser.png"
    with (
        tempfile.TemporaryDirectory() as made,
        served(Path(shutil.copytree(TEACHING, Path(made) / "teaching")), free_port()) as address,
        sync_playwright() as browsers,
    ):
        file = Path(made) / "teaching" / "cluster.yaml"
        browser = browsers.chromium.launch(executable_path=chromium, args=[*FLAGS])
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(address)
        page.wait_for_selector("body.-first-byte", timeout=PATIENCE * 1000)
        page.wait_for_timeout(LULL)
        page.mouse.click(300, 300)
        page.wait_for_timeout(LULL)
        for typed in (":", "complex gpu urgency"):
            page.keyboard.type(typed, delay=60)
            page.wait_for_timeout(LULL)
        for pressed in ("Enter", "Enter"):
            page.keyboard.press(pressed)
            page.wait_for_timeout(LULL)
        page.keyboard.type("100", delay=60)
        page.keyboard.press("Enter")
        page.wait_for_timeout(LULL)
        page.screenshot(path=str(picture))
        page.keyboard.press("Control+s")
        page.wait_for_timeout(LULL)
        page.keyboard.press("F2")
        wait_for(lambda: "urgency: 100" in file.read_text(), "what was typed in the browser is saved")
        browser.close()
    print(f"Edited and saved in a browser; it looked like {picture}")


if __name__ == "__main__":
    main()
