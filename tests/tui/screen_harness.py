"""The real application on a copy of a cluster from configs/, with a watch that the test drives."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from textual.pilot import Pilot

from qmon_tui.model.kinds import Kind
from qmon_tui.sources import Source, read_folder
from qmon_tui.tui.app import QmonApp
from qmon_tui.tui.base import LatestWorker
from qmon_tui.tui.keys.key_registry import KeyRegistry
from qmon_tui.tui.pages import PAGES
from qmon_tui.tui.registry import REGISTRY
from qmon_tui.tui.screens.folder_watch import Changes
from qmon_tui.tui.screens.main import MainScreen
from qmon_tui.workspace import Workspace
from tests.waiting import at_rest, draw, pause_undrawn

PAGES_OF_FOLDERS = tuple(page for page in PAGES if not page.for_running_clusters)
CONFIGS = Path(__file__).parents[2] / "configs"


def cluster_copy(name: str, folder: Path) -> Path:
    """A copy of a cluster that a test may change."""
    return Path(shutil.copytree(CONFIGS / name, folder / name))


@dataclass
class Opened:
    """A running application."""

    app: QmonApp
    pilot: Pilot[None]
    folder: Path
    bursts: asyncio.Queue[frozenset[str]] = field(default_factory=asyncio.Queue)

    @property
    def main(self) -> MainScreen:
        """The main screen, whatever dialog is over it."""
        return next(screen for screen in self.app.screen_stack if isinstance(screen, MainScreen))

    @property
    def at_main(self) -> bool:
        """No dialog is open."""
        return self.app.screen is self.main

    @property
    def workspace(self) -> Workspace:
        return self.main.workspace

    @property
    def text(self) -> str:
        """What is on the screen."""
        strips = self.app.screen._compositor.render_strips()
        return "\n".join("".join(segment.text for segment in strip).rstrip() for strip in strips)

    @property
    def toasts(self) -> list[str]:
        """What was notified and is still there."""
        return [notification.message for notification in self.app._notifications]

    @property
    def computing(self) -> bool:
        """A run, an explanation or other work beside the screen is under way, or files are being read or written."""
        main = self.main
        if not (main.is_fully_mounted and main.running.idle and main.autosave.idle and main.folder_watch.idle):
            return True
        if any(isinstance(value, LatestWorker) and value.busy for value in vars(self.app.screen).values()):
            return True
        return main.pages.view is not None and main.pages.view.busy

    async def settle(self) -> None:
        """Wait until runs, explanations and the burst in hand are over."""
        async with asyncio.timeout(60):
            quiet = rounds = 0
            # A result asks for an explanation by a message: quiet once is not yet quiet.
            while quiet < 3:
                await pause_undrawn(self.pilot)
                if self.app._exception is not None:
                    raise self.app._exception
                busy = self.computing
                # While something is computed there is nothing to see: waiting needs no look at all parts.
                while busy and self.computing and self.app._exception is None:
                    await asyncio.sleep(0.005)
                # What moves by itself never rests: it is not waited for without end.
                rounds = 0 if busy else rounds + 1
                busy = busy or (rounds < 50 and not at_rest(self.app))
                quiet = quiet + 1 if not busy and self.bursts.empty() else 0
            draw(self.app)

    async def press(self, *keys: str) -> None:
        """Press keys and wait for what they start."""
        await self.pilot.press(*keys)
        await self.settle()

    async def type(self, text: str) -> None:
        """Put a text into the focused input."""
        focused = self.app.screen.focused
        assert focused is not None
        focused.value = text  # type: ignore[attr-defined]
        await self.pilot.pause()

    async def changed_on_disk(self, *names: str) -> None:
        """Tell the watch that files have changed."""
        self.bursts.put_nowait(frozenset(names))
        await self.settle()
        await self.settle()

    async def go_to(self, kind: Kind, name: str | None = None, field: str | None = None) -> None:
        """Show a place as the palette does."""
        self.main.go_to(kind, name, field)
        await self.settle()

    def write(self, file: str, before: str, after: str) -> None:
        """Change a file as somebody else would."""
        path = self.folder / file
        text = path.read_text()
        assert before in text
        path.write_text(text.replace(before, after))


async def quiet(source: Source, stop: asyncio.Event) -> AsyncIterator[frozenset[str]]:
    """A watch that never tells of anything."""
    await stop.wait()
    return
    yield frozenset()


@asynccontextmanager
async def opened(
    folder: Path,
    *,
    size: tuple[int, int] = (140, 40),
    read_only: bool = False,
    theme: str = "dark",
    changes: Changes | None = None,
    registry: KeyRegistry = REGISTRY,
    key_problems: Sequence[str] = (),
    source: Source | None = None,
    page: str = "",
) -> AsyncIterator[Opened]:
    """Start the application on a folder and wait for its first run.

    Without a page it begins at the objects, where two panes fit; the program itself begins at Jobs.
    """
    bursts: asyncio.Queue[frozenset[str]] = asyncio.Queue()

    async def bursts_of_the_test(source: Source, stop: asyncio.Event) -> AsyncIterator[frozenset[str]]:
        while not stop.is_set():
            yield await bursts.get()

    app = QmonApp(
        Workspace(source.read() if source else read_folder(folder), read_only=read_only),
        theme=theme,
        changes=changes or bursts_of_the_test,
        registry=registry,
        key_problems=key_problems,
        page=page,
    )
    async with app.run_test(size=size, notifications=True) as pilot:
        running = Opened(app, pilot, folder, bursts)
        await running.settle()
        yield running
