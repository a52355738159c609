"""Saving of several files, all or none, without losing what another program writes meanwhile."""

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from qmon_tui.sources.atomic_write import remove_unfinished, sync_folder, write_beside
from qmon_tui.sources.exchange import exchange, place_new
from qmon_tui.sources.folder_files import TEMPORARY_PREFIX, folder_lock
from qmon_tui.sources.save_log import LogError, LoggedFile, finish, remove_staged, text_at, tidy, undo, write_log
from qmon_tui.sources.source import ConflictError, FileChange, SourceError, refuse_unencodable

PATIENCE_SECONDS: Final = 10.0
"""Time to wait for another program that saves the same folder."""


def save_files(folder: str, changes: Sequence[FileChange]) -> None:
    """Write, replace and delete files of a folder, all of them or none.

    Raises ConflictError if one has changed since it was read, SourceError if one cannot be written; the files are then
    unchanged.
    """
    try:
        with folder_lock(folder, shared=False, patience=PATIENCE_SECONDS) as alone:
            if not alone:
                raise SourceError(f"{folder} is being saved by another program, which does not finish")
            refuse_unencodable(change.file for change in changes)
            _mend(folder)
            remove_unfinished(folder)
            _save(folder, _logged(changes))
    except OSError as error:
        raise SourceError(f"cannot write to {folder}: {error.strerror}") from error
    except LogError as error:
        raise SourceError(f"an earlier save was interrupted and cannot be undone, as {error}") from None


def mend_folder(folder: str) -> tuple[str, ...] | None:
    """Undo a killed save and remove its temporary files; return the names of the restored files.

    None if another program saves now, or the folder cannot be written.
    """
    try:
        with folder_lock(folder, shared=False, patience=0) as alone:
            return _mend(folder) if alone else None
    except (OSError, LogError):
        return None


def _mend(folder: str) -> tuple[str, ...]:
    undone = undo(folder)
    tidy(folder)
    return undone


def _logged(changes: Sequence[FileChange]) -> tuple[LoggedFile, ...]:
    save = f"{TEMPORARY_PREFIX}{os.getpid()}-{os.urandom(6).hex()}"
    return tuple(LoggedFile(*change, f"{save}-{number}") for number, change in enumerate(changes))


def _save(folder: str, files: Sequence[LoggedFile]) -> None:
    if conflicts := _conflicts(files, lambda file: os.path.join(folder, file.file)):
        raise ConflictError(conflicts)
    try:
        for file in files:
            with _named(file):
                os.makedirs(os.path.dirname(file.place(folder)), exist_ok=True)
        write_log(folder, files)
    except OSError as error:
        raise SourceError(f"{_cannot_write(folder, error)}; no file has changed") from error
    try:
        for file in files:
            if file.after is not None:
                with _named(file):
                    write_beside(file.beside(folder), file.after, file.place(folder))
        conflicts = _put_in_place(folder, files)
        if not conflicts:
            for changed in {os.path.dirname(file.place(folder)) for file in files}:
                sync_folder(changed)
            finish(folder)
    except OSError as error:
        raise SourceError(f"{_cannot_write(folder, error)}; {_undo_in_words(folder, files)}") from error
    except BaseException:
        _undo_in_words(folder, files)
        raise
    if conflicts:
        undo(folder, files)
        raise ConflictError(conflicts)
    with contextlib.suppress(OSError):  # all is saved; the next program that reads the folder tidies up
        remove_staged(folder, files)
        tidy(folder)


def _put_in_place(folder: str, files: Sequence[LoggedFile]) -> tuple[str, ...]:
    """Put each file in its place; return the files that had changed since they were read. Raises OSError."""
    for file in files:
        place, staged = file.place(folder), file.beside(folder)
        if text_at(place) != file.before:
            return (file.file,)
        try:
            with _named(file):
                if file.before is None:
                    place_new(staged, place)
                elif file.after is None:
                    os.rename(place, staged)
                else:
                    exchange(staged, place)
        except (FileExistsError, FileNotFoundError):
            return (file.file,)
    # A file that another program wrote just before the exchange is the staged one now.
    return _conflicts([file for file in files if file.before is not None], lambda file: file.beside(folder))


def _conflicts(files: Iterable[LoggedFile], where: Callable[[LoggedFile], str]) -> tuple[str, ...]:
    """Return the names of the files whose text, at the path `where(file)`, is not `before`. Raises SourceError."""
    changed = []
    for file in files:
        try:
            if text_at(where(file)) != file.before:
                changed.append(file.file)
        except OSError as error:
            raise SourceError(f"cannot read {file.file}: {error.strerror}") from None
    return tuple(changed)


def _undo_in_words(folder: str, files: Sequence[LoggedFile]) -> str:
    """Undo the save; return a clause about the files as they are now."""
    try:
        undo(folder, files)
    except (OSError, LogError):
        written = ", ".join(file.file for file in files if _is_written(folder, file)) or "none"
        return f"of the files these are written: {written}. It is taken back when the folder is opened again"
    return "no file has changed"


def _is_written(folder: str, file: LoggedFile) -> bool:
    try:
        return text_at(os.path.join(folder, file.file)) == file.after
    except OSError:
        return False


class _FileError(OSError):
    """An error of the system about one file of the save."""

    def __init__(self, file: str, error: OSError) -> None:
        super().__init__(error.errno, error.strerror)
        self.file = file


@contextlib.contextmanager
def _named(file: LoggedFile) -> Iterator[None]:
    """Raise an OSError of the block as _FileError, which names this file instead of a staged one."""
    try:
        yield
    except (FileExistsError, FileNotFoundError):
        raise
    except OSError as error:
        raise _FileError(file.file, error) from error


def _cannot_write(folder: str, error: OSError) -> str:
    path = os.path.join(folder, error.file) if isinstance(error, _FileError) else f"to {folder}"
    return f"cannot write {path}: {error.strerror}"
