"""The moving picture of README: a quota on the live queue is edited, planned, applied and taken back.

It is drawn on a private real qmaster, whose scheduler starts the jobs that the plan has named.
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from textual.pilot import Pilot

from qmon_tui.formats.qconf.objects import write_object
from qmon_tui.model import Cluster, Kind, config_object
from qmon_tui.sources.qmaster_source import QmasterSource
from qmon_tui.tui.app import QmonApp
from qmon_tui.tui.screens.main import MainScreen
from qmon_tui.workspace import Workspace
from tests.differential.loading import load
from tests.differential.qmaster import Qmaster
from tests.differential.test_running_cluster import cell_of

SIZE: Final = (120, 34)
SECONDS: Final = 4
"""Seconds for which a frame is shown."""
WAITING: Final = 20.0
LOOKING: Final = "looking for what would"
"""Words of an explanation that is not complete."""
JOBS: Final = (("bela", "align", 10), ("emil", "lab", 4), ("chen", "model", 3))


def prepare(qmaster: Qmaster) -> None:
    """Load three hosts, a queue and a quota, and submit jobs of which four of bela's wait for the quota."""
    qmaster.restart()
    names = [f"node0{number}" for number in (1, 2, 3)]
    hosts = (config_object(Kind.HOST, name, {"hostname": name, "complex_values": "slots=8"}) for name in names)
    queue = {"qname": "all.q", "hostlist": " ".join(names), "slots": "8", "load_thresholds": "NONE"}
    quota = {"name": "fair", "description": "NONE", "enabled": "TRUE", "limit": "name everybody users {*} to slots=6"}
    load(
        qmaster,
        Cluster().with_objects(
            (*hosts, config_object(Kind.QUEUE, "all.q", queue), config_object(Kind.QUOTA, "fair", quota))
        ),
    )
    scheduler = QmasterSource(cell_of(qmaster)).read().cluster.single(Kind.SCHEDULER)
    values = scheduler.with_values({"schedule_interval": "0:0:1"})
    qmaster.must("qconf", "-Msconf", qmaster.file("scheduler", write_object(values, single_line=True)))
    for user, name, number in JOBS:
        qmaster.world.names.add_user(user)
        for _ in range(number):
            qmaster.run_as(user, "staff", "qsub", "-b", "y", "-N", name, "sleep", "36000")
    deadline = time.monotonic() + WAITING
    while qmaster.run("qstat", "-u", "*", "-s", "r").out.count("\n") < 15 and time.monotonic() < deadline:
        time.sleep(0.3)


async def frames(qmaster: Qmaster, scratch: Path) -> list[str]:
    """Return the pictures of the journey, one after the other."""
    source = QmasterSource(cell_of(qmaster, shared=str(scratch)), writes=True)
    app = QmonApp(Workspace(source.read()), theme="dark")
    pictures: list[str] = []
    async with app.run_test(size=SIZE, notifications=True) as pilot:

        def take(words: str) -> None:
            pictures.append(app.export_screenshot(title=words, simplify=True))

        await _journey(app, pilot, take)
    return pictures


async def _journey(app: QmonApp, pilot: Pilot[None], take: Callable[[str], None]) -> None:
    main = app.screen
    assert isinstance(main, MainScreen)

    async def press(*keys: str) -> None:
        for key in keys:
            await pilot.press(key)
            await pilot.pause(0.4)

    async def shown(words: str, keys: tuple[str, ...] = ()) -> None:
        await press(*keys)
        await _until(app, pilot, lambda: words in shown_text(app))

    async def typed(text: str) -> None:
        await pilot.press(*("space" if letter == " " else letter for letter in text))

    main.go_to_page("jobs")
    await shown("exceeds the limit for user bela")
    await _until(app, pilot, lambda: LOOKING not in shown_text(app))
    take("1  Four jobs of bela wait: the quota gives everybody six slots")
    main.go_to(Kind.QUOTA, "fair")
    await shown("General")
    main.form.choose_group("Rules")
    await shown("Y except")
    await shown("An exception to this rule", ("Y",))
    await typed("bela 2026-12-24")
    await shown("bela 2026-12-24")
    await shown("Enter edit the clause", ("enter",))
    await press("enter", "backspace", "9")
    await shown("slots=9", ("enter",))
    take("2  Y adds an exception with an end date before the general rule")
    await press("f2")
    await press("colon")
    await typed("qconf -mattr queue slots 12 all.q")
    await press("enter")
    await pilot.pause(2.0)
    take("3  Not yet applied: the live pane shows who would start")
    await shown("The next run starts", ("s",))
    take("4  s reads the cluster again and plans two commands, with their effect")
    await shown("read back", ("f2",))
    main.go_to_page("jobs")
    await pilot.pause(4.0)
    await press("r")
    await _until(app, pilot, lambda: shown_text(app).count("align bela r") + shown_text(app).count("align bela t") == 9)
    take("5  F2 ran both, and the scheduler has started the jobs that the plan named")
    await press("colon")
    await typed("take back")
    await shown("F2 run", ("enter",))
    await pilot.pause(3.0)
    take("6  :take back plans the way back, and leaves alone what others have changed")
    await shown("read back", ("f2",))
    await pilot.pause(1.0)
    take("7  Taken back; what runs goes on")


def shown_text(app: QmonApp) -> str:
    """Return the rows of the screen."""
    return "\n".join("".join(segment.text for segment in strip) for strip in app.screen._compositor.render_strips())


async def _until(app: QmonApp, pilot: Pilot[None], holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WAITING
    while not holds():
        if time.monotonic() > deadline:
            raise AssertionError(f"the screen does not show what the picture needs:\n{shown_text(app)}")
        await pilot.pause(0.1)


def joined(pictures: list[str]) -> str:
    """Return one picture that shows each of them for some seconds, again and again."""
    size = pictures[0][pictures[0].index("viewBox=") :].split('"')[1]
    total = SECONDS * len(pictures)
    share = 100 / len(pictures)
    style = (
        f".frame {{ visibility: hidden; animation: shown {total}s step-end infinite; }}"
        f"@keyframes shown {{ 0% {{ visibility: visible; }} {share:.4f}% {{ visibility: hidden; }} }}"
    )
    groups = (
        f'<g class="frame" style="animation-delay: {number * SECONDS}s">{picture}</g>'
        for number, picture in enumerate(pictures)
    )
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{size}"><style>{style}</style>{"".join(groups)}</svg>\n'
