"""Following a cluster folder: one event for a burst of changes."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, Final

from watchfiles import awatch

from qmon_tui.sources.atomic import TEMPORARY_PREFIX

QUIET_MILLISECONDS: Final = 60
"""A burst is over when nothing changed for so long."""

LONGEST_BURST_MILLISECONDS: Final = 1000

Watcher = Callable[..., AsyncIterator[Any]]


async def watch(path: Path, stop_event: asyncio.Event, *, watcher: Watcher = awatch) -> AsyncIterator[frozenset[str]]:
    """The names, relative to the folder, of what changed in it, until `stop_event` is set.

    The folder is watched, not its files: an atomic replacement would end the watch of a file.
    """
    folder = path.resolve()
    changes = watcher(
        folder,
        stop_event=stop_event,
        step=QUIET_MILLISECONDS,
        debounce=LONGEST_BURST_MILLISECONDS,
        recursive=True,
        watch_filter=None,
        rust_timeout=1000,
    )
    async for burst in changes:
        names = frozenset(_relative(folder, Path(name)) for _, name in burst)
        names = frozenset(name for name in names if is_of_interest(name))
        if names:
            yield names


def is_of_interest(name: str) -> bool:
    """Tell whether a file may be part of a cluster: hidden files, editors' backups and unfinished ones are not."""
    hidden = any(part.startswith((".", TEMPORARY_PREFIX)) for part in name.split("/"))
    return bool(name) and not hidden and not name.endswith(("~", ".swp", ".tmp"))


def _relative(folder: Path, path: Path) -> str:
    try:
        return path.relative_to(folder).as_posix()
    except ValueError:
        return path.name
