"""Replacing a file so that a reader sees the old text or the new one, never a part."""

import contextlib
import errno
import os
import time
from pathlib import Path
from typing import Final

from qmon_tui.sources.attributes import copy_attributes
from qmon_tui.sources.folder_files import TEMPORARY_PREFIX
from qmon_tui.sources.regular_file import refuse_others

_LONGEST_WRITE_SECONDS: Final = 3600


def replace_file(path: Path, content: str | bytes, *, private: bool = False) -> None:
    """Write a file through a temporary one in the same folder; links are followed, and what the file has besides its
    text is kept as far as the system lets it. A private one is for its owner alone. Raises OSError.
    """
    try:
        target = os.path.realpath(path)
    except UnicodeEncodeError:
        raise OSError(errno.EILSEQ, "file names have no such letters in this locale, set LC_ALL=C.UTF-8") from None
    folder = os.path.dirname(target)
    os.makedirs(folder, exist_ok=True)
    refuse_others(target)
    temporary = os.path.join(folder, f"{TEMPORARY_PREFIX}{os.getpid()}-{os.urandom(6).hex()}")
    try:
        write_beside(temporary, content, target, private=private)
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    sync_folder(folder)


def write_beside(path: str, content: str | bytes, like: str, *, private: bool = False) -> None:
    """Write a new file, durably, with the attributes of the one whose place it is to take, if any. Raises OSError."""
    # A new file gets what umask and the folder's ACL say, which only the system knows.
    old = not private and os.path.lexists(like)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600 if old or private else 0o666)
    try:
        if old:
            copy_attributes(descriptor, like)
        write_all(descriptor, content)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_all(descriptor: int, content: str | bytes) -> None:
    """Write everything. Raises OSError."""
    rest = memoryview(content.encode("utf-8") if isinstance(content, str) else content)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def remove_unfinished(folder: str | os.PathLike[str]) -> None:
    """Remove the temporary files of killed programs from a folder: those older than an hour."""
    with contextlib.suppress(OSError):
        for entry in os.scandir(folder):
            if entry.name.startswith(TEMPORARY_PREFIX) and time.time() - entry.stat().st_mtime > _LONGEST_WRITE_SECONDS:
                os.unlink(entry.path)


def sync_folder(folder: str | os.PathLike[str]) -> None:
    """Make the names in a folder durable, where the system can."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
