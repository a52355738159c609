"""Watching a cluster folder: one event for a burst of changes."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from pathlib import Path
from typing import Any, Final

from watchfiles import awatch

from qmon_tui.sources.folder_files import TEMPORARY_PREFIX

QUIET_MILLISECONDS: Final = 60
"""Time without a change after which a burst is over."""

LONGEST_BURST_MILLISECONDS: Final = 1000

POLL_MILLISECONDS: Final = 1000
"""Interval of checks whether the folder itself was replaced, which is no change inside it."""

WHOLE_FOLDER: Final = "."
"""Name that stands for all files: the folder itself was removed or replaced."""

Watcher = Callable[..., AsyncGenerator[Any, None]]


async def watch(path: Path, stop_event: asyncio.Event, *, watcher: Watcher = awatch) -> AsyncIterator[frozenset[str]]:
    """Yield the names, relative to the folder, of changed files until `stop_event` is set.

    The folder is watched, not its files: an atomic replacement would end the watch of a file. If the folder itself is
    removed or replaced, `WHOLE_FOLDER` is yielded, and the new folder of that name is watched.
    """
    replaced = False
    while not stop_event.is_set():
        folder, watched = path.resolve(), _identity(path)
        changes = watcher(
            folder,
            stop_event=stop_event,
            step=QUIET_MILLISECONDS,
            debounce=LONGEST_BURST_MILLISECONDS,
            recursive=True,
            watch_filter=None,
            rust_timeout=POLL_MILLISECONDS,
            yield_on_timeout=True,
        )
        async with aclosing(changes):
            async for burst in changes:
                if _identity(path) != watched:
                    break
                names = frozenset(_relative(folder, Path(name)) for _, name in burst)
                names = frozenset(name for name in names if is_of_interest(name))
                if names or replaced:
                    # Changes between the old and the new watch were reported by neither.
                    yield names | {WHOLE_FOLDER} if replaced else names
                    replaced = False
            else:
                return
        yield frozenset({WHOLE_FOLDER})
        while _identity(path) is None and not stop_event.is_set():
            await asyncio.sleep(POLL_MILLISECONDS / 1000)
        replaced = True


def _identity(path: Path) -> tuple[int, int] | None:
    """Return device and inode of the folder; None if it does not exist."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def is_of_interest(name: str) -> bool:
    """Return True if a file may be part of a cluster: not hidden, no backup or temporary file of an editor."""
    hidden = any(part.startswith((".", "#", TEMPORARY_PREFIX)) for part in name.split("/"))
    return bool(name) and not hidden and not name.endswith(("~", ".swp", ".tmp"))


def _relative(folder: Path, path: Path) -> str:
    try:
        return path.relative_to(folder).as_posix()
    except ValueError:
        return path.name
