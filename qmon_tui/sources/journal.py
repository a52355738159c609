"""Journals of unsaved edits on disk, one file per running program; edits of a killed program are recovered from it.

A program locks its journal until it ends in any way, so that no other program takes the edits of a running one.
"""

import contextlib
import errno
import fcntl
import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from qmon_tui.sources.atomic_write import remove_unfinished, replace_file
from qmon_tui.sources.regular_file import read_regular
from qmon_tui.sources.xdg import folder_key, state_folder
from qmon_tui.values import INFINITE

_TEXT: Final = ".json"
_LOCK: Final = ".lock"
_LATEST: Final = float(INFINITE)
"""Latest time of a file, seconds since the epoch; file systems may have times beyond any calendar."""


def journal_folder(cluster_folder: Path) -> Path:
    """Return the folder with the journals of a cluster folder."""
    return state_folder() / "unsaved" / folder_key(cluster_folder)


class Journal:
    """File with the unsaved edits of this program; without edits it does not exist."""

    def __init__(self, cluster_folder: Path) -> None:
        self._folder = journal_folder(cluster_folder)
        self._name = f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}"
        self._lock: int | None = None

    @property
    def path(self) -> Path:
        return self._folder / (self._name + _TEXT)

    def write(self, text: str) -> None:
        """Replace the text of the journal, durably; an empty text removes the file. Raises OSError."""
        if not text:
            if self._lock is not None:  # else no file of this name is ours
                self.path.unlink(missing_ok=True)
            return
        if self._lock is None:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            if not os.path.lexists(self.path):
                self._lock = _locked(self._folder / (self._name + _LOCK))
            if self._lock is None:
                # A program with the same pid ended in the same second, or the clock was set back: take another name.
                self._name += f"-{time.monotonic_ns()}"
                self._lock = _locked(self._folder / (self._name + _LOCK))
        replace_file(self.path, text, private=True)

    def discard(self) -> None:
        """Remove the journal; if the system does not permit it, the next program offers the edits again."""
        if self._lock is not None:
            _remove(self.path)
        self.close()

    def close(self) -> None:
        """Release the lock; a written journal stays, and the next program finds it."""
        if self._lock is not None:
            _give_up(self._lock, self._folder / (self._name + _LOCK))
            self._lock = None


@dataclass(slots=True)
class AbandonedJournal:
    """The journal of a program that no longer runs; its lock is held until it is released."""

    path: Path
    text: str
    written: float
    """Seconds since the epoch."""
    _lock: int

    def discard(self) -> None:
        """Remove it; if the system does not permit that, the next program offers the edits again."""
        _remove(self.path)
        self.leave()

    def leave(self) -> None:
        _give_up(self._lock, self.path.with_suffix(_LOCK))


def abandoned_journals(cluster_folder: Path) -> tuple[AbandonedJournal, ...]:
    """Return the journals of ended programs for a cluster folder, the newest first, each locked."""
    folder = journal_folder(cluster_folder)
    journals: list[AbandonedJournal] = []
    with contextlib.suppress(OSError):
        remove_unfinished(folder)
    with contextlib.suppress(OSError):
        for path in sorted(folder.glob(f"*{_TEXT}")):
            lock = _locked(path.with_suffix(_LOCK))
            if lock is None:
                continue
            try:
                written = min(max(path.stat().st_mtime, 0.0), _LATEST)
                journals.append(AbandonedJournal(path, read_regular(path).decode("utf-8"), written, lock))
            except (OSError, UnicodeDecodeError):
                _give_up(lock, path.with_suffix(_LOCK))
    return tuple(sorted(journals, key=lambda left: -left.written))


def _locked(path: Path) -> int | None:
    """Return an open, exclusively locked file; None if another program has the lock. Raises OSError."""
    while True:
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            if error.errno not in (errno.EROFS, errno.EACCES, errno.EPERM):
                raise
            return _locked_read_only(path)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # The last owner may have removed the file: a lock on a file without a name excludes no program.
            if _same_file(path, descriptor):
                return descriptor
        except BlockingIOError:
            os.close(descriptor)
            return None
        except OSError:
            os.close(descriptor)
            raise
        os.close(descriptor)


def _locked_read_only(path: Path) -> int | None:
    """Lock a file in a read-only folder; if there is none, no program can lock it, so return another descriptor.

    None if another program has the lock. Raises OSError.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return os.open(path.with_suffix(_TEXT), os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return descriptor


def _same_file(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(os.stat(path), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _remove(path: Path) -> None:
    """Remove a file if the system lets it be removed."""
    with contextlib.suppress(OSError):
        path.unlink()


def _give_up(descriptor: int, path: Path) -> None:
    _remove(path)
    with contextlib.suppress(OSError):
        os.close(descriptor)
