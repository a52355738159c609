"""How long each action keeps the screen busy, with 10,000 jobs and 1,000 hosts: `python -m tests.bench.stalls`.

Measured is the CPU time of the screen's thread in its longest turn, since a key that is pressed then waits for its end:
CPU time, because elapsed time tells also what the engine's thread and other programs take.
"""

import asyncio
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from textual.pilot import Pilot

from qmon_tui.gc_pause import calm_collector
from qmon_tui.model.kinds import Kind
from qmon_tui.sources import read_folder
from qmon_tui.tui.app import QmonApp
from qmon_tui.tui.keys.action import Action
from qmon_tui.tui.pages import PAGES_BY_ID
from qmon_tui.tui.panels import PANELS
from qmon_tui.tui.registry import REGISTRY
from qmon_tui.tui.screens.main import MainScreen
from qmon_tui.workspace import Workspace
from tests.bench.folders import write_qconf_folder
from tests.bench.large import large_cluster, large_state

GOAL = 0.033
"""Two frames."""
PATIENCE = 60.0
SINGLE = {Kind.SHARETREE, Kind.SCHEDULER}

AFTER: dict[str, tuple[tuple[str, ...], ...]] = {
    "add": (("n", "e", "w", "9", "enter"),),
    "clone": (("9", "enter"),),
    "rename": (("9", "enter", "f"),),
    "delete": (("y",),),
    "filter": ((*"node05", "enter", "escape"),),
    "palette": ((*"5091", "enter"),),
    "save": (("ctrl+s",),),
    "copy": (("q",),),
    "theme": (("T", "T", "T", "T"),),
    "jobs.hold": (("u",), ("r",)),
    "jobs.priority": (("backspace", "minus", "5", "enter"),),
    "jobs.override": (("backspace", "5", "enter"),),
    "jobs.share": (("backspace", "5", "enter"),),
    "jobs.delete": (("d",),),
    "jobs.edit": ((*"-l mem=2G", "enter"), (*"-q a.q", "enter"), (*"-pe mpi 4", "enter")),
    "jobs.filter": ((*"owner", "equals_sign", *"user1", "enter", "escape"),),
    "jobs.order": (("enter",),),
    "jobs.columns": (("space", "enter"),),
    "cluster.filter": ((*"node05", "enter", "escape"),),
}
"""What is pressed after the key of an action, each in a turn of its own; else Esc leaves what it has opened."""


ASKS_OTHERWISE = {"jobs.edit"}
"""What opens another dialog for a single job."""


class Stall(NamedTuple):
    """The longest turn of an action: seconds, and what ran in it."""

    name: str
    seconds: float
    what: str


class Turns:
    """The longest turn of the event loop so far."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.what = ""

    def reset(self) -> None:
        """Begin anew."""
        self.seconds, self.what = 0.0, ""


@contextmanager
def watched() -> Iterator[Turns]:
    """Measure each turn of the event loop."""
    turns, run = Turns(), asyncio.Handle._run

    def timed(handle: asyncio.Handle) -> None:
        started = time.thread_time()
        run(handle)
        took = time.thread_time() - started
        if took > turns.seconds:
            turns.seconds, turns.what = took, repr(handle)

    asyncio.Handle._run = timed  # type: ignore[method-assign, assignment]
    try:
        yield turns
    finally:
        asyncio.Handle._run = run  # type: ignore[method-assign]


class Walk:
    """Goes through the actions of a running application."""

    def __init__(self, app: QmonApp, pilot: Pilot[None], turns: Turns) -> None:
        self._app, self._pilot, self._turns = app, pilot, turns

    @property
    def main(self) -> MainScreen:
        """The main screen."""
        return next(screen for screen in self._app.screen_stack if isinstance(screen, MainScreen))

    async def idle(self) -> None:
        """Wait until nothing runs any more."""
        quiet, deadline = 0, time.monotonic() + PATIENCE
        while quiet < 3 and time.monotonic() < deadline:
            await self._pilot.pause(0.02)
            view = self.main.pages.view
            done = self.main.is_fully_mounted and not self.main.running.busy and self.main.autosave.idle
            done &= not any(worker.group == "orders" and worker.is_running for worker in self._app.workers)
            quiet = quiet + 1 if done and not (view is not None and view.busy) else 0

    async def measured(self, name: str, keys: Sequence[str]) -> Stall:
        """Press keys one by one and wait for what they start."""
        self._turns.reset()
        for key in keys:
            await self._pilot.press(key)
        await self.idle()
        return Stall(name, self._turns.seconds, self._turns.what)

    async def clean(self) -> None:
        """No dialog is open and nothing has been edited."""
        for _ in range(4):
            if self._app.screen is self.main:
                break
            await self._pilot.press("escape")
            await self._pilot.pause()
        while self.main.workspace.history.undo_label is not None:
            self.main.workspace.undo()
        await self.idle()

    async def goes_to(self, where: str) -> bool:
        """Show the place or panel; the list of hosts where nothing is said. False where this cluster has none."""
        if where in PAGES_BY_ID:
            self.main.go_to_page(where)
        elif where:
            panel = next(panel for panel in PANELS if panel.id == where)
            names = list(self.main.workspace.cluster.objects(panel.kind))
            if not names:
                return False
            self.main.go_to(panel.kind, names[0])
            await self.idle()
            self.main.form.choose_group(panel.title)
        else:
            self.main.go_to(Kind.HOST, "node0500")
        await self.idle()
        return True

    async def action(self, action: Action, before: Sequence[str] = ()) -> list[Stall]:
        """Measure one action, once for each of what may be answered."""
        stalls: list[Stall] = []
        marked = " of all" if before else ""
        answers = AFTER.get(action.id, ((),)) if before or action.id not in ASKS_OTHERWISE else ((),)
        for number, after in enumerate(answers):
            await self.clean()
            if not await self.goes_to(action.where):
                return stalls
            if before:
                self.main.pages.view.actions.run(before[0])  # type: ignore[union-attr]
                await self.idle()
            if action.disabled_reason(self.main.action_context()):
                self.main.list.focus()
                if not action.where and action.id in ("undo", "save", "changes", "revert"):
                    await self._edited()
                if action.disabled_reason(self.main.action_context()):
                    return stalls
            opened = await self.measured(f"{action.id}{marked}", action.keys[:1])
            if number == 0:
                stalls.append(opened)
            if after:
                stalls.append(await self.measured(f"{action.id}{marked}: {''.join(after)[:18]}", after))
        await self.clean()
        return stalls

    async def _edited(self) -> None:
        from qmon_tui.workspace import SetField

        self.main.apply(SetField(Kind.HOST, "node0500", "complex_values", "mem=16G,scratch=100G"))
        await self.idle()


async def walk(folder: Path, wanted: str = "") -> list[Stall]:
    """All actions of the registry, those of the jobs also for all jobs; or those whose id begins so."""
    app = QmonApp(Workspace(read_folder(folder)))
    app.when_painted = calm_collector
    with watched() as turns:
        async with app.run_test(size=(160, 48)) as pilot:
            it = Walk(app, pilot, turns)
            await it.idle()
            found = [Stall("the first run", turns.seconds, turns.what)]
            for action in REGISTRY.actions:
                if action.id in ("quit",) or not action.keys or not action.id.startswith(wanted):
                    continue
                rounds: list[tuple[str, ...]] = [()]
                if action.where in ("jobs", "cluster") and action.dangerous:
                    rounds.append((f"{action.where}.mark-all",))
                for before in rounds:
                    # The first time also loads what it needs.
                    first, again = await it.action(action, before), await it.action(action, before)
                    stalls = [min(pair, key=lambda stall: stall.seconds) for pair in zip(first, again, strict=False)]
                    found += stalls
                    for stall in stalls:
                        print(f"{stall.seconds * 1000:8.1f} ms  {stall.name}", file=sys.stderr, flush=True)
    return found


def main() -> None:
    """Print the actions, the longest first; those over two frames with what ran."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "large"
        write_qconf_folder(folder, large_cluster(), large_state())
        stalls = asyncio.run(walk(folder, *sys.argv[1:2]))
    for stall in sorted(stalls, key=lambda stall: -stall.seconds):
        what = stall.what if stall.seconds > GOAL else ""
        print(f"{stall.seconds * 1000:8.1f} ms  {stall.name:44} {what}")


if __name__ == "__main__":
    main()
