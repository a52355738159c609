"""`make screenshots`: draws every scene as SVG and PNG into screenshots/."""

import asyncio
import os
import re
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from qmon_tui.model.kinds import Kind

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / "screenshots"
WIDE, LARGE, MEDIUM, SMALL = (180, 50), (140, 40), (120, 36), (80, 24)
WHOLE_PIXELS = 12 / 12.2
"""A scale at which a character cell is a whole number of pixels, so that letters and lines meet."""
MOVING = "running-cluster"
"""The moving picture of README."""
SETTLED = 0.6
"""Seconds in which the debounced run behind the screen is over."""


_PATIENCE = 30
"""How often a picture waits for what is still being looked for."""


@dataclass(frozen=True, slots=True)
class Scene:
    """One picture: a cluster, a size, and what is typed before it is taken."""

    name: str
    config: str
    size: tuple[int, int]
    keys: tuple[str, ...] = ()
    theme: str = "dark"
    place: str | None = None
    """The place that is gone to before anything is typed."""
    kind: Kind | None = None
    """The kind of object that is gone to instead, with the object's name and the tab of its form."""
    object: str | None = None
    tab: str | None = None
    lesson: str = ""
    """The lesson that is opened instead of a cluster."""
    settles: float = SETTLED
    """Seconds that the last key may take."""


def typed(text: str) -> tuple[str, ...]:
    """A text as single keys."""
    return tuple(text)


GPU_URGENCY = ("2", "down", "enter", *("down",) * 7, "enter", "ctrl+u", *typed("100"), "enter")
QUEUES = ("1", "down", "2")

SCENES = (
    Scene("complexes", "teaching", MEDIUM),
    Scene("complexes-wide", "teaching", LARGE, GPU_URGENCY),
    Scene("complexes-small", "teaching", SMALL),
    Scene("complexes-light", "teaching", MEDIUM, theme="light"),
    Scene("complex-choice", "teaching", MEDIUM, ("2", "down", "enter", "down", "down", "enter")),
    Scene("queues", "site", MEDIUM, QUEUES),
    Scene("queue-form", "site", LARGE, (*QUEUES, "down", "enter", *("right",) * 4)),
    Scene("queue-hosts", "site", MEDIUM, (*QUEUES, "enter", *("down",) * 7, "f6")),
    Scene("queue-small", "site", SMALL, (*QUEUES, "enter", *("right",) * 5)),
    Scene("save", "teaching", MEDIUM, (*GPU_URGENCY, "escape", "s")),
    Scene("why", "site", MEDIUM, ("3", *("down",) * 52, "w")),
    Scene("live-small", "site", SMALL, ("3",)),
    Scene("jobs", "campus", LARGE, ("down", "down"), place="jobs"),
    Scene("cluster", "campus", MEDIUM, ("z",), place="cluster"),
    Scene("quota-rules", "campus", MEDIUM, ("down", "z"), kind=Kind.QUOTA, object="people", tab="Rules"),
    Scene("sharetree", "campus", MEDIUM, ("down", "z"), kind=Kind.SHARETREE, tab="Tree"),
    Scene("calendar", "campus", MEDIUM, ("z",), kind=Kind.CALENDAR, object="lectures", tab="Week"),
    Scene("policy", "campus", MEDIUM, ("z",), kind=Kind.SCHEDULER, tab="Weights"),
    Scene("jobs-small", "campus", SMALL, place="jobs"),
    Scene("jobs-wide", "campus", WIDE, ("down", "down"), place="jobs"),
    Scene("alter", "campus", MEDIUM, ("down", "down", "e"), place="jobs"),
    Scene("host-values", "campus", MEDIUM, kind=Kind.HOST, object="node01", tab="Values"),
    Scene("hit-test", "campus", MEDIUM, ("z",), theme="light", kind=Kind.QUOTA, object="people", tab="Hit test"),
    Scene("monitor", "day", LARGE, ("4", "at", "plus", *typed("11h"), "enter"), settles=15),
    Scene("learn", "teaching", MEDIUM, (*typed("0.555"), "enter"), lesson="half_rule", settles=3),
    Scene("findings", "broken", MEDIUM, ("f",)),
    Scene("help", "teaching", MEDIUM, ("question_mark",)),
)


async def draw(scene: Scene, scratch: Path) -> str:
    """The SVG of one scene, taken on a private copy of its cluster."""
    from qmon_tui.lessons import Variant, find_lesson, open_lesson
    from qmon_tui.sources import read_folder
    from qmon_tui.tui.app import QmonApp
    from qmon_tui.tui.screens.main import MainScreen
    from qmon_tui.workspace import LessonWorkspace, Workspace
    from tests.screenshots.running_cluster import LOOKING, shown_text

    folder = scratch / scene.name / scene.config
    shutil.copytree(ROOT / "configs" / scene.config, folder)
    if scene.lesson:
        path = find_lesson(scene.lesson)
        app = QmonApp(LessonWorkspace(open_lesson(path, Variant("")), path, ""), theme=scene.theme, page="learn")
    else:
        app = QmonApp(Workspace(read_folder(folder)), theme=scene.theme)
    async with app.run_test(size=scene.size) as pilot:
        await pilot.pause(SETTLED)
        main = app.screen
        assert isinstance(main, MainScreen)
        if scene.place is not None:
            main.go_to_page(scene.place)
        if scene.kind is not None:
            main.go_to(scene.kind, scene.object)
            await pilot.pause(SETTLED)
            if scene.tab is not None:
                main.form.choose_group(scene.tab)
        await pilot.pause(SETTLED)
        for key in scene.keys:
            await pilot.press(key)
        await pilot.pause(scene.settles)
        for _ in range(_PATIENCE):
            if LOOKING not in shown_text(app):
                break
            await pilot.pause(SETTLED)
        return portable(app.export_screenshot(title="qmon-tui", simplify=True))


def portable(svg: str) -> str:
    """The picture with the reader's own fixed-width font instead of one fetched from elsewhere."""
    without_fonts = re.sub(r"@font-face\s*\{.*?\}", "", svg, flags=re.DOTALL)
    svg = without_fonts.replace("Fira Code", "DejaVu Sans Mono")
    # A character cell is 0.61 em wide in the picture and 0.602 em in this font: without this, columns drift.
    return svg.replace("font-size: 20px", "font-size: 20.265px")


def main() -> int:
    """Draw the scenes whose names are given, or all."""
    import cairosvg

    os.environ["TEXTUAL_ANIMATIONS"] = "none"
    wanted = set(sys.argv[1:])
    OUT.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["XDG_STATE_HOME"] = os.environ["XDG_DATA_HOME"] = scratch
        for scene in SCENES:
            if wanted and scene.name not in wanted:
                continue
            svg = asyncio.run(draw(scene, Path(scratch)))
            (OUT / f"{scene.name}.svg").write_text(svg, encoding="utf-8")
            cairosvg.svg2png(bytestring=svg.encode(), write_to=str(OUT / f"{scene.name}.png"), scale=WHOLE_PIXELS)
            print(scene.name)
        if not wanted or MOVING in wanted:
            _draw_moving(Path(scratch))
    return 0


def _draw_moving(scratch: Path) -> None:
    """Draw the moving picture of a running cluster, where a real qmaster can be started."""
    from tests.differential.qmaster import Qmaster, why_unavailable
    from tests.screenshots.running_cluster import frames, joined, prepare

    if reason := why_unavailable():
        print(f"{MOVING}: {reason}")
        return
    with Qmaster() as qmaster:
        prepare(qmaster)
        pictures = [portable(picture) for picture in asyncio.run(frames(qmaster, scratch / MOVING))]
    (OUT / f"{MOVING}.svg").write_text(joined(pictures), encoding="utf-8")
    print(MOVING)


if __name__ == "__main__":
    sys.exit(main())
