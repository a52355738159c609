"""Replacing a file so that a reader sees the old text or the new one, never a part."""

import contextlib
import os
import tempfile
from pathlib import Path
from typing import Final

TEMPORARY_PREFIX: Final = ".qmon-tui-"
"""Begins the names of unfinished files, which nobody reads and the watcher ignores."""


def replace_file(path: Path, content: str | bytes) -> None:
    """Write a file through a temporary one in the same folder; mode bits are kept, links followed. Raises OSError."""
    target = Path(os.path.realpath(path))
    target.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(prefix=TEMPORARY_PREFIX, dir=target.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content.encode("utf-8") if isinstance(content, str) else content)
            file.flush()
            os.fchmod(file.fileno(), _mode(target))
            os.fsync(file.fileno())
        os.replace(name, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise
    _sync_folder(target.parent)


def _mode(path: Path) -> int:
    """The permissions of the file, or those of a new one."""
    try:
        return path.stat().st_mode & 0o7777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def _sync_folder(folder: Path) -> None:
    """Make the new name durable, where the system can."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
