"""The files of a cluster folder: names, texts, findings about what cannot be read, and a lock on the folder itself."""

import contextlib
import errno
import fcntl
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final, NamedTuple

from qmon_tui.formats import is_passed_over, is_yaml, kind_of_file, problem
from qmon_tui.model import Finding
from qmon_tui.sources.regular_file import read_regular, what_it_is
from qmon_tui.sources.source import SourceError

TEMPORARY_PREFIX: Final = ".qmon-tui-"
"""Prefix of the program's temporary files, which the watcher ignores."""
LOG: Final = f"{TEMPORARY_PREFIX}saving"
"""Log of a save that runs or was killed."""
DONE: Final = f"{TEMPORARY_PREFIX}saved"
"""Log of a complete save whose old files are not removed yet."""
UNFINISHED: Final = f"{TEMPORARY_PREFIX}saving.new"
"""An incomplete log: no other file has changed yet."""
LARGEST_FILE: Final = 64 * 1024 * 1024
"""Bytes; a larger file is no configuration of a cluster."""
LONGEST_LINE: Final = 4 * 1024 * 1024
"""Bytes; the longest list of a cluster of 100,000 hosts is shorter."""
CATEGORIES: Final = "categories"
"""File with the output of `qconf -scatl`, which is a list and no object."""
_LARGEST_OTHER: Final = 1024 * 1024
_MOST_OTHERS: Final = 10_000
_PAUSE: Final = 0.002
"""Seconds between two attempts to take the lock, which is held for milliseconds."""
_TAKEN: Final = (errno.EWOULDBLOCK, errno.EACCES)


class Listing(NamedTuple):
    """Files of a folder: names relative to it, texts, findings about unreadable ones, and traces of a killed save."""

    names: Sequence[str]
    texts: Mapping[str, str]
    findings: tuple[Finding, ...]
    left: bool
    """True if a killed save has left files to remove."""
    half_saved: bool
    """True if some files may be from before a killed save, and some from after it."""


_PATIENCE_SECONDS: Final = 2.0
"""Time that a reader waits for a save by another program, which takes milliseconds."""
_LEFT: Final = (LOG, DONE, UNFINISHED)


def read_files(folder: str) -> Listing:
    """Return all texts of a folder, read under its lock against saves. Raises SourceError."""
    try:
        with folder_lock(folder, shared=True, patience=_PATIENCE_SECONDS):
            names, out_of_reach, left = _files(folder)
            texts, findings = _texts(folder, [name for name in names if is_yaml(name) or kind_of_file(name)])
    except NotADirectoryError:
        raise SourceError(f"{folder} is a file; give the folder of a cluster") from None
    except FileNotFoundError:
        raise SourceError(f"{folder} does not exist; give the folder of a cluster") from None
    except OSError as error:
        raise SourceError(f"cannot read {folder}: {error.strerror}") from None
    except ValueError:  # a NUL byte, or half of a character
        raise SourceError(f"no folder is called {folder!r}") from None
    return Listing(names, texts, (*out_of_reach, *findings), bool(left), LOG in left)


def read_others(folder: str) -> dict[str, str]:
    """Return the texts of a dump that are of no known kind: name -> text of `categories` and files in own folders.

    The dump's copy of the cell is left out.
    """
    texts: dict[str, str] = {}
    with contextlib.suppress(OSError):
        for name in _files(folder)[0]:
            place, slash, _ = name.partition("/")
            is_other = name == CATEGORIES or (slash and place != "cell" and kind_of_file(f"{place}/name") is None)
            if not is_other or is_passed_over(name) or len(texts) == _MOST_OTHERS:
                continue
            with contextlib.suppress(OSError):
                text, _ = decoded(read_regular(os.path.join(folder, name), _LARGEST_OTHER + 1))
                if text is not None and len(text) <= _LARGEST_OTHER:
                    texts[name] = text
    return texts


def _files(folder: str) -> tuple[list[str], tuple[Finding, ...], list[str]]:
    """Return the relative names of the files in the folder and in folders below, sorted; findings about unreadable

    ones that may be part of a cluster; and the logs that a save has left. Raises OSError.
    """
    names: list[str] = []
    findings: list[Finding] = []
    left: list[str] = []
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        if entry.name.startswith("."):
            if entry.name in _LEFT:
                left.append(entry.name)
            continue
        try:
            names += _names(entry)
        except OSError as error:
            if is_yaml(entry.name) or kind_of_file(entry.name) or kind_of_file(f"{entry.name}/name"):
                findings.append(unread_file(entry.name, f"cannot be read: {error.strerror}"))
    return names, tuple(findings), left


def _names(entry: os.DirEntry[str]) -> list[str]:
    """Return the name of the file, or of the files in the folder; pipes and the like too. Raises OSError."""
    if not entry.is_dir():
        return [entry.name] if entry.is_file() or _is_odd(entry) else []
    with os.scandir(entry.path) as below:
        return [f"{entry.name}/{name}" for name in sorted(each.name for each in below if _may_be_file(each))]


def _may_be_file(entry: os.DirEntry[str]) -> bool:
    try:
        return (entry.is_file() or (not entry.is_dir() and _is_odd(entry))) and not entry.name.startswith(".")
    except OSError:
        # Opening it will report what is wrong.
        return True


def _is_odd(entry: os.DirEntry[str]) -> bool:
    """Return True for a pipe, a socket or a device, which opening reports; False for a broken link."""
    try:
        return bool(what_it_is(entry.stat().st_mode))
    except FileNotFoundError:
        return False


def unread_file(name: str, message: str, line: int = 1) -> Finding:
    """Return the finding about a file that cannot be read."""
    return problem("format.encoding", message, file=name, line=line, kind=kind_of_file(name) or "")


def _texts(folder: str, names: list[str]) -> tuple[dict[str, str], tuple[Finding, ...]]:
    """Return name -> text, and a finding for each file that cannot be read or is no text."""
    texts: dict[str, str] = {}
    findings: list[Finding] = []
    for name in names:
        try:
            text, fault = decoded(read_regular(os.path.join(folder, name), LARGEST_FILE + 1))
        except FileNotFoundError:
            continue
        except OSError as error:
            text, fault = None, (f"cannot be read: {error.strerror}", 1)
        if text is not None:
            texts[name] = text
        if fault:
            findings.append(unread_file(name, *fault))
    return texts, tuple(findings)


def read_text(path: str | os.PathLike[str]) -> str:
    """Return the text of one file. Raises SourceError if it cannot be read or is no text."""
    try:
        text, fault = decoded(read_regular(path, LARGEST_FILE + 1))
    except OSError as error:
        raise SourceError(f"cannot read {os.fspath(path)}: {error.strerror}") from None
    if text is None or fault is not None:
        raise SourceError(f"{os.fspath(path)} {fault[0] if fault else 'is not text'}")
    return text


def decoded(data: bytes) -> tuple[str | None, tuple[str, int] | None]:
    """Return (text, None), or (None, (message, line)) if the data is no text of a configuration."""
    if len(data) > LARGEST_FILE:
        return None, (f"is larger than {LARGEST_FILE // 1024 // 1024} MiB, too large for a configuration", 1)
    if len(data) > LONGEST_LINE and (line := _too_long(data)):
        return None, (f"has a line of more than {LONGEST_LINE // 1024 // 1024} MiB", line)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return None, ("is not UTF-8 text", data.count(b"\n", 0, error.start) + 1)
    if "\0" in text:
        return None, ("has a NUL byte, so it is not text", text.count("\n", 0, text.index("\0")) + 1)
    return text, None


def _too_long(data: bytes) -> int | None:
    """Return the number of the first line that is too long; None without one."""
    return next((number for number, line in enumerate(data.split(b"\n"), 1) if len(line) > LONGEST_LINE), None)


@contextmanager
def folder_lock(folder: str | os.PathLike[str], *, shared: bool, patience: float) -> Iterator[bool]:
    """Hold the folder's lock while the block runs; yield False if it is not free for `patience` seconds.

    The lock leaves no file behind (flock(2)). On file systems without such locks it yields True. Raises OSError.
    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield _locked(descriptor, fcntl.LOCK_SH if shared else fcntl.LOCK_EX, time.monotonic() + patience)
    finally:
        os.close(descriptor)  # releases the lock, too


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
