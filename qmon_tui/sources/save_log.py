"""The log of a save: all changes that it is about to make in a folder, so that a killed save can be undone.

It is in the folder from before the first file is replaced until after the last one. Renaming it (LOG to DONE) completes
the save; after that only the staged old files are removed.
"""

import contextlib
import errno
import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from qmon_tui.sources.atomic_write import copy_attributes, replace_file, sync_folder, write_all
from qmon_tui.sources.exchange import BACKUP, exchange
from qmon_tui.sources.folder_files import DONE, LOG, TEMPORARY_PREFIX, UNFINISHED, Listing, unread_file
from qmon_tui.sources.regular_file import open_regular, read_open, read_regular

_FORMAT: Final = 1
_TRIES: Final = 1000


class LoggedFile(NamedTuple):
    """One file of a save: `before` is None for a new one, `after` for one that is deleted."""

    file: str
    before: str | None
    after: str | None
    staged: str
    """Name, beside the file, of the new text before the exchange and of the old file after it."""

    def place(self, folder: str) -> str:
        """Return the path of the file: links are followed, except if the file is to be deleted."""
        path = os.path.join(folder, self.file)
        return path if self.after is None else os.path.realpath(path)

    def beside(self, folder: str) -> str:
        """The path of the staged file."""
        return os.path.join(os.path.dirname(self.place(folder)), self.staged)


class LogError(Exception):
    """Raised for a log that cannot be read or used; the text names it and says why and what to do."""


def write_log(folder: str, files: Iterable[LoggedFile]) -> None:
    """Write the log into the folder, durably. Raises OSError."""
    files = tuple(files)
    path = os.path.join(folder, UNFINISHED)
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        _restrict_to_readers(descriptor, [file.place(folder) for file in files if file.before is not None])
        text = {"format": _FORMAT, "files": files}
        write_all(descriptor, json.dumps(text).encode("utf-8", "surrogatepass"))
        os.fsync(descriptor)
        os.rename(path, os.path.join(folder, LOG))
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(path)
        raise
    finally:
        os.close(descriptor)
    sync_folder(folder)


def read_log(folder: str, name: str = LOG) -> tuple[LoggedFile, ...] | None:
    """Return the files of a log; None if there is no log. Raises LogError.

    The log may come from another person with the folder: no file outside the folder is in the result.
    """
    path = os.path.join(folder, name)
    try:
        read = json.loads(read_regular(path))
        if read["format"] != _FORMAT:
            raise LogError(f"{path} was written by another version of qmon-tui")
        files = tuple(LoggedFile(*map(_text_or_none, file)) for file in read["files"])  # type: ignore[arg-type]
    except FileNotFoundError:
        return None
    except OSError as error:
        raise LogError(f"{path}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise LogError(f"{path} is damaged: look through the files of the folder, then remove it") from None
    for file in files:
        if not _is_inside(folder, file):
            raise LogError(f"{path} names files outside the folder: look through the files of both, then remove it")
    return files


def _is_inside(folder: str, file: LoggedFile) -> bool:
    """True if the file of a log, wherever links lead, and its staged file are in the folder."""
    if not (isinstance(file.file, str) and isinstance(file.staged, str)) or "\0" in file.file + file.staged:
        return False
    inside, place = os.path.realpath(folder), os.path.realpath(file.place(folder))
    plain = os.path.basename(file.staged) == file.staged and file.staged.startswith(TEMPORARY_PREFIX)
    return plain and place != inside and os.path.commonpath((inside, place)) == inside


def finish(folder: str) -> None:
    """Complete the save, after all files are replaced, by renaming the log. Raises OSError."""
    os.rename(os.path.join(folder, LOG), os.path.join(folder, DONE))
    sync_folder(folder)


def tidy(folder: str) -> None:
    """Remove the log and staged files of a complete save, and an incomplete log. Raises OSError.

    If the log cannot be read, its staged files stay until they are removed as old temporary files.
    """
    with contextlib.suppress(FileNotFoundError):
        os.unlink(os.path.join(folder, UNFINISHED))
    with contextlib.suppress(LogError):
        remove_staged(folder, read_log(folder, DONE) or ())
    with contextlib.suppress(FileNotFoundError):
        os.unlink(os.path.join(folder, DONE))


def remove_staged(folder: str, files: Iterable[LoggedFile]) -> None:
    """Remove the staged files of a save. Raises OSError."""
    for file in files:
        _remove_staged(file.beside(folder))


def undo(folder: str, own: Sequence[LoggedFile] | None = None) -> tuple[str, ...]:
    """Restore the files of an interrupted save and return their names; `own`: the files of a save by this program.

    Files that another program has written since are kept. Raises OSError, LogError.
    """
    files = read_log(folder) if own is None else own
    if files is None:
        return ()
    for file in files:
        _undo(file, file.place(folder), file.beside(folder))
    for changed in {os.path.dirname(file.place(folder)) for file in files}:
        sync_folder(changed)
    os.unlink(os.path.join(folder, LOG))
    sync_folder(folder)
    return tuple(file.file for file in files)


def text_at(path: str) -> str | None:
    """Return the text of a file; None if there is no file, surrogates for invalid UTF-8. Raises OSError."""
    try:
        return read_regular(path).decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return None


def _undo(file: LoggedFile, place: str, staged: str) -> None:
    now, ours = _text_and_inode(place)
    waiting, other = _text_and_inode(staged)
    if _text_and_inode(staged + BACKUP)[0] == file.after is not None:
        os.unlink(staged + BACKUP)  # an undoing that was killed itself
    if file.before is None:
        # On systems without renameat2 a new file has both names for a moment.
        if now == file.after and (waiting is None or ours == other):
            os.unlink(place)
    elif now is None:
        _put_back(file, place, staged)
    elif now == file.after and waiting not in (None, file.after):
        _give_back(staged, place, ours)
    elif now == file.after:
        _put_back(file, place, staged)
    _remove_staged(staged)


def _put_back(file: LoggedFile, place: str, staged: str) -> None:
    """Move the old file, or another program's version of it, back to its place."""
    for path in (staged, staged + BACKUP):
        text, _ = _text_and_inode(path)
        if text is not None and text != file.after:
            os.replace(path, place)
            return
    if file.before is not None and file.after is not None:
        replace_file(Path(place), file.before)


def _give_back(staged: str, place: str, ours: int) -> None:
    """Exchange our file for the one that it replaced: the old one, or another program's version.

    `ours`: inode of our file.
    """
    expected = ours
    for _ in range(_TRIES):
        giving = os.stat(staged).st_ino
        exchange(staged, place)
        if os.stat(staged).st_ino == expected:
            return
        # Another program has just written the file: exchange again, to move its version back.
        expected = giving


def _text_and_inode(path: str) -> tuple[str | None, int]:
    """Return text and inode of one file; None and 0 if there is none. Raises OSError."""
    try:
        descriptor = open_regular(path)
    except FileNotFoundError:
        return None, 0
    try:
        return read_open(descriptor).decode("utf-8", "surrogateescape"), os.fstat(descriptor).st_ino
    finally:
        os.close(descriptor)


def _remove_staged(staged: str) -> None:
    for path in (staged, staged + BACKUP):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)


def _restrict_to_readers(descriptor: int, originals: list[str]) -> None:
    """Give the log, which holds the texts of all files, only the permissions that all these files have."""
    if originals:
        copy_attributes(descriptor, originals[0])
        mode = 0o666
        for path in originals:
            mode &= os.stat(path).st_mode
        os.fchmod(descriptor, mode | 0o600)


def _text_or_none(value: object) -> str | None:
    if value is not None and not isinstance(value, str):
        raise LogError(os.strerror(errno.EINVAL))
    return value


def as_before(folder: str, listing: Listing) -> Listing:
    """Return the listing with the texts before the interrupted save, and a finding that says so."""
    texts, names = dict(listing.texts), set(listing.names)
    try:
        files = read_log(folder) or ()
    except LogError as error:
        message = (
            "a save of this folder was interrupted: some files may be new and others old. It cannot be undone, as"
            f" {error}"
        )
        return listing._replace(findings=(*listing.findings, unread_file(LOG, message)))
    for file in files:
        if texts.get(file.file) != file.after:
            continue  # not yet saved, or changed since
        if file.before is None:
            texts.pop(file.file, None)
            names.discard(file.file)
        else:
            texts[file.file] = file.before
            names.add(file.file)
    message = (
        f"a save of {', '.join(file.file for file in files)} was interrupted: what is shown is the folder as it was"
        " before. To restore the files, open the folder with write permission"
    )
    return listing._replace(names=sorted(names), texts=texts, findings=(*listing.findings, unread_file(LOG, message)))
