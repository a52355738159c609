"""Atomic exchange of two file names, after which the replaced file can still be read (renameat2(2))."""

import ctypes
import errno
import os
from functools import cache
from typing import Any, Final

_AT_FDCWD: Final = -100
_NOREPLACE: Final = 1
_EXCHANGE: Final = 2
_UNKNOWN: Final = (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EPERM)
"""Errors of systems and file systems without renameat2."""

BACKUP: Final = ".old"
"""Suffix of a file's second name while it is replaced, if the system cannot exchange names."""


def exchange(ours: str, place: str) -> None:
    """Exchange two files: ours gets the name `place`, the one there gets the name `ours`. Raises OSError."""
    if _renamed(ours, place, _EXCHANGE):
        return
    backup = ours + BACKUP
    try:
        os.link(place, backup, follow_symlinks=False)
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK):
            raise
        # A file system without links: if we are killed now, only the log of the save has the old text.
        os.rename(place, backup)
    os.replace(ours, place)
    os.rename(backup, ours)


def place_new(ours: str, place: str) -> None:
    """Rename our file to `place`, which must not exist. Raises FileExistsError if it exists by now, OSError."""
    if _renamed(ours, place, _NOREPLACE):
        return
    try:
        os.link(ours, place)
    except FileExistsError:
        raise
    except OSError:
        if os.path.lexists(place):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), place) from None
        os.rename(ours, place)
    else:
        os.unlink(ours)


def _renamed(old: str, new: str, flags: int) -> bool:
    """Call renameat2; False if the system or file system lacks it. Raises OSError if it fails otherwise."""
    function = _renameat2()
    if function is None:
        return False
    if function(_AT_FDCWD, os.fsencode(old), _AT_FDCWD, os.fsencode(new), flags) == 0:
        return True
    number = ctypes.get_errno()
    if number in _UNKNOWN:
        return False
    raise OSError(number, os.strerror(number), new)


@cache
def _renameat2() -> Any:
    """Return the function of the C library; None if it has none."""
    try:
        function = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError):
        return None
    function.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint)
    return function
