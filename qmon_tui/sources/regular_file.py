"""Opening regular files only: a pipe without a writer would block the program for ever."""

import contextlib
import errno
import os
import stat
from collections.abc import Callable
from typing import Final

LARGEST_FILE: Final = 1024**3
"""Bytes of the largest file that is read as a whole."""
_KINDS: Final[tuple[tuple[Callable[[int], bool], str], ...]] = (
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISDIR, "a folder"),
)


def what_it_is(mode: int) -> str:
    """Describe an irregular file by its mode (inode(7)); empty for a regular file."""
    return "" if stat.S_ISREG(mode) else next((words for test, words in _KINDS if test(mode)), "another value")


def open_regular(path: str | os.PathLike[str]) -> int:
    """Open a regular file for reading, without blocking; return the descriptor. Raises OSError for any other file."""
    # Checked before opening as well: opening a device may have an effect.
    _refuse(os.stat(path), path)
    file = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY)
    try:
        _refuse(os.fstat(file), path)
    except OSError:
        os.close(file)
        raise
    return file


def read_regular(path: str | os.PathLike[str], most: int | None = None) -> bytes:
    """Return the bytes of a regular file, at most `most`. Raises OSError."""
    # A cluster has a file for each host, and Python's file objects would take half the time of reading them.
    file = open_regular(path)
    try:
        return read_open(file, most)
    finally:
        os.close(file)


def read_open(file: int, most: int | None = None) -> bytes:
    """Return the bytes of an open regular file, at most `most`. Raises OSError, also above `LARGEST_FILE`."""
    size = os.fstat(file).st_size
    if most is None and size > LARGEST_FILE:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    wanted = size if most is None else min(size, most)
    content = b""
    while len(content) < wanted and (piece := os.read(file, wanted - len(content))):
        content += piece
    return content


def refuse_others(path: str | os.PathLike[str]) -> None:
    """Raise OSError if the path is something other than a regular file; a missing file is no error."""
    with contextlib.suppress(FileNotFoundError):
        _refuse(os.stat(path), path)


def _refuse(status: os.stat_result, path: str | os.PathLike[str]) -> None:
    if what := what_it_is(status.st_mode):
        raise OSError(errno.EINVAL, f"it is {what}, not a file", os.fspath(path))
