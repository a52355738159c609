"""A lock on a folder itself, which leaves nothing behind: who saves is alone, those who read share it (flock(2))."""

import errno
import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_PAUSE: Final = 0.002
"""Seconds between two looks: who holds the lock has it for milliseconds."""

_TAKEN: Final = (errno.EWOULDBLOCK, errno.EACCES)


@contextmanager
def folder_lock(folder: str | os.PathLike[str], *, shared: bool, patience: float) -> Iterator[bool]:
    """Hold the lock while the block runs; False if others had it for `patience` seconds. Raises OSError.

    On systems without such locks the block runs as if it had one.
    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield _locked(descriptor, fcntl.LOCK_SH if shared else fcntl.LOCK_EX, time.monotonic() + patience)
    finally:
        os.close(descriptor)  # gives the lock up, too


def _locked(descriptor: int, kind: int, until: float) -> bool:
    while True:
        try:
            fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno not in _TAKEN:
                return True
        else:
            return True
        if time.monotonic() > until:
            return False
        time.sleep(_PAUSE)
