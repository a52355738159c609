"""How long a change on disk takes to reach the screen."""

import asyncio
import os
import statistics
import time
from pathlib import Path

from qmon_tui.sources import read_folder
from qmon_tui.tui.app import QmonApp
from qmon_tui.workspace import Workspace

FEW, MORE = "complex_values: lic=3", "complex_values: lic=4"
WAITING, STARTED = "3 running 5 waiting", "3 → 4 running"
LIMIT = 20.0


async def measure(folder: Path, times: int = 5) -> float:
    """Median seconds from replacing cluster.yaml until the first job in line is shown as started, or waiting again."""
    app = QmonApp(Workspace(read_folder(folder)))
    async with app.run_test(size=(140, 40)) as pilot:
        await _until(app, WAITING)
        await pilot.pause(1.0)  # the watch on the folder is armed by now
        seconds: list[float] = []
        for number in range(2 * times):
            before, after, expected = (FEW, MORE, STARTED) if number % 2 == 0 else (MORE, FEW, WAITING)
            _replace(folder / "cluster.yaml", before, after)
            start = time.perf_counter()
            await _until(app, expected)
            seconds.append(time.perf_counter() - start)
        return statistics.median(seconds)


def _replace(file: Path, before: str, after: str) -> None:
    text = file.read_text()
    assert before in text
    fresh = file.with_name(".cluster.new")
    fresh.write_text(text.replace(before, after))
    os.replace(fresh, file)


async def _until(app: QmonApp, expected: str) -> None:
    deadline = time.perf_counter() + LIMIT
    while time.perf_counter() < deadline:
        if expected in screen_text(app):
            return
        await asyncio.sleep(0.005)
    raise TimeoutError(f"{expected!r} did not appear in\n{screen_text(app)}")


def screen_text(app: QmonApp) -> str:
    """What the screen shows now, runs of blanks as one blank."""
    strips = app.screen._compositor.render_strips()
    return "\n".join(" ".join("".join(segment.text for segment in strip).split()) for strip in strips)
