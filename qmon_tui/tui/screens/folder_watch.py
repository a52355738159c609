"""Watch on the folder: reads it once per burst of changes, and never overwrites unsaved edits.

While a dialog is open the document does not change: the objects that the dialog is about stay, and its answer counts as
an edit made before the change on disk was read.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from textual.timer import Timer

from qmon_tui.formats import file_of
from qmon_tui.gc_pause import collect_everything, gc_paused
from qmon_tui.model import Kind
from qmon_tui.sources import Part, Reading, Source, SourceError, job_place
from qmon_tui.tui.base import ASKING, key_of, run_in_thread

if TYPE_CHECKING:
    from qmon_tui.tui.screens.pane_screen import PaneScreen

Changes = Callable[[Source, asyncio.Event], AsyncIterator[frozenset[str]]]
"""Yields the names of the changed parts of a source, one set per burst, until the event is set."""


def disk_changes(source: Source, stop: asyncio.Event) -> AsyncIterator[frozenset[str]]:
    """Yield the changes that the source itself reports."""
    return source.changes(stop)


def _read(before: Reading) -> Reading:
    with gc_paused():
        return before.source.read(before)


_REST = 0.3
"""Seconds that an object or job must stay in view before it is read again."""
_PATIENCE = 2.0
"""Seconds of reading after which the top line says that the cluster has not answered yet."""
_COLLECT_SECONDS = 300.0
"""Seconds between two full garbage collections."""
_FRESH = 5.0
"""Seconds for which an object or job that was read is not read again."""
_LOOK_AGAIN = 0.05
"""Seconds between two checks whether a dialog is still open."""


class FolderWatch:
    """Reads the folder again when it changes, and hands the reading to the workspace."""

    def __init__(self, screen: "PaneScreen", changes: Changes) -> None:
        self._screen = screen
        self._changes = changes
        self._stop = asyncio.Event()
        self._in_view: tuple[Kind, str] | int | None = None
        self._view_timer: Timer | None = None
        self._reading_since: float | None = None
        self.is_paused = False
        """True if a running cluster is read only when the user asks for it."""
        self._lock = asyncio.Lock()
        self._collected = time.monotonic()

    def start(self) -> None:
        self._say_undone(self._screen.workspace.reading)
        self._screen.run_worker(self._watch(), group="watch")
        self._screen.run_worker(self._read_rest(), group="rest")

    def look_at(self, part: tuple[Kind, str] | int) -> None:
        """Read an object, or a job by its number, again after a moment in view; only of a running cluster."""
        if self._screen.workspace.reading.live is not None:
            self._in_view = part
            if self._view_timer is not None:
                self._view_timer.stop()
            self._view_timer = self._screen.set_timer(_REST, self._after_rest)

    def _after_rest(self) -> None:
        self._screen.run_worker(self._read_in_view(), group="view")

    async def _read_in_view(self) -> None:
        live, part = self._screen.workspace.reading.live, self._in_view
        if live is None or part is None or self.is_paused or self._is_asking():
            return
        place = job_place(part) if isinstance(part, int) else file_of(*part)
        if time.time() - live.read_at(place) > _FRESH:
            await self._read_part(part)

    async def _read_rest(self) -> None:
        """Read the details of jobs and the execution hosts that the first reading left out."""
        while (live := self._screen.workspace.reading.live) is not None and live.is_partial and not self._stop.is_set():
            while self._is_asking() or self.is_paused:
                await asyncio.sleep(_LOOK_AGAIN)
            if not await self._read_part(None):
                return  # the next refresh continues

    async def _read_part(self, part: Part) -> bool:
        """Read a part of a running cluster (None: the next hosts); False if that fails: the next refresh reports it."""
        async with self._lock:
            before = self._screen.workspace.reading
            try:
                reading = await self._read_in_thread(lambda: before.source.read_part(before, part))
            except SourceError:
                return False
            if reading.files == before.files and reading.state == before.state and reading.live is not None:
                self._screen.workspace.take_ages(reading.live)
            elif not self._is_asking() or part is None:
                self._screen.workspace.disk_changed(reading)
            return True

    @property
    def is_waiting(self) -> bool:
        """True if a running cluster has not answered for a few seconds."""
        return self._reading_since is not None and time.monotonic() - self._reading_since > _PATIENCE

    async def _read_in_thread(self, read: Callable[[], Reading]) -> Reading:
        """Read in a thread; `_reading_since` is set meanwhile. Raises SourceError."""
        self._reading_since = time.monotonic()
        try:
            return await run_in_thread(read)
        finally:
            self._reading_since = None

    @property
    def idle(self) -> bool:
        """True if the folder is not being read."""
        return not self._lock.locked()

    def _say_undone(self, reading: Reading) -> None:
        if reading.undone:
            self._screen.notify(
                f"A save of {', '.join(reading.undone)} was interrupted. It was undone: the folder is as before it.",
                severity="warning", timeout=15, markup=False,
            )  # fmt: skip

    async def _watch(self) -> None:
        try:
            async for _ in self._changes(self._screen.workspace.source, self._stop):
                if not self.is_paused:
                    await self._follow_all()
        except (OSError, RuntimeError) as error:
            # Raised if the folder is gone, or the limit of the system for watches is reached.
            self._screen.notify(
                f"The folder is no longer watched ({error}). {key_of(self._screen, 'reload')} reads it again.",
                severity="warning",
                timeout=20,
                markup=False,
            )
        finally:
            self._stop.set()

    async def _follow(self) -> None:
        """Read the folder once no dialog is open; repeat if a dialog opens meanwhile."""
        while True:
            while self._is_asking():
                await asyncio.sleep(_LOOK_AGAIN)
            if await self.read_again(unless_asking=True) is not None:
                return

    def _is_asking(self) -> bool:
        screen = self._screen
        return screen.app.screen is not screen or any(
            worker.group == ASKING and not worker.is_finished for worker in screen.workers
        )

    async def read_again(self, *, say: bool = False, unless_asking: bool = False, fresh: bool = False) -> bool | None:
        """Read the source now. Return True if it has changed, False if not or if reading fails.

        Return None if a dialog opened meanwhile and `unless_asking` discards the reading then. `say` notifies the user
        even if nothing has changed; `fresh` reads the objects of a running cluster again, whatever their age.
        """
        workspace = self._screen.workspace
        async with self._lock:
            before = workspace.reading
            if (say or fresh) and before.live is not None:
                before = replace(before, live=before.live._replace(objects_taken=0.0))
            try:
                reading = await self._read_in_thread(lambda: _read(before))
            except SourceError as error:
                gone = not before.source.exists()
                text = (
                    f"{before.source.location} is gone. The last state read is shown until it is back."
                    if gone
                    else str(error)
                )
                unread = "cannot be read" if before.live is None else "does not answer"
                lost = "is gone" if gone else unread
                if say or workspace.lost != lost:
                    self._screen.notify(text, severity="error", timeout=20, markup=False)
                workspace.disk_lost(lost)
                return False
            workspace.disk_lost("")
            self._say_undone(reading)
            if unless_asking and self._is_asking():
                return None
            known = workspace.disk.reading if workspace.disk else workspace.reading
            # Our own save triggers the watch too: then the files are those written last.
            if reading.files == known.files and reading.state == known.state:
                if reading.live is not None:
                    workspace.take_ages(reading.live)
                if say:
                    place = "disk" if reading.live is None else "the cluster"
                    self._screen.notify(f"Nothing has changed on {place}.", markup=False)
                return False
            workspace.disk_changed(reading)
            return True

    async def _follow_all(self) -> None:
        """Read the source again, then the object or job in view."""
        await self._follow()
        if time.monotonic() > self._collected + _COLLECT_SECONDS:
            collect_everything()
            self._collected = time.monotonic()
        if self._screen.workspace.reading.live is not None:
            await self._read_in_view()
