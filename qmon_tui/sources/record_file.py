"""Reading a trace or log, also one compressed by gzip; and reading an accounting file backwards.

An accounting file may be larger than memory, so that the newest records are read from its end.
"""

import gzip
import io
import os
import zlib
from collections.abc import Iterator
from typing import BinaryIO, Final

from qmon_tui.formats.records import Recorded, read_records, whose_record
from qmon_tui.sources.regular_file import read_regular, refuse_others
from qmon_tui.sources.source import SourceError

LARGEST_RECORD: Final = 1024 * 1024 * 1024
"""Bytes; more would not fit into memory once it is read."""
_GZIP: Final = b"\x1f\x8b"
_OTHERS: Final = {b"\xfd7zXZ": "xz", b"BZh": "bzip2", b"\x28\xb5\x2f\xfd": "zstd", b"PK\x03\x04": "zip"}
"""First bytes of files that other programs have compressed -> the program."""


def read_record_file(path: str | os.PathLike[str]) -> bytes:
    """Return the bytes of a file, unpacked if gzip packed it. Raises SourceError if it is unreadable or too large."""
    name = os.fspath(path)
    try:
        if os.path.isdir(path):
            raise SourceError(f"{name} is a folder: give a file")
        data = read_regular(path, LARGEST_RECORD + 1)
    except OSError as error:
        raise SourceError(f"cannot read {name}: {error.strerror or error}") from error
    packed = next((program for start, program in _OTHERS.items() if data.startswith(start)), None)
    if packed is not None:
        raise SourceError(f"{name} is compressed by {packed}: unpack it first, or compress it by gzip")
    if data.startswith(_GZIP):
        data = _unpacked(data, name)
    if len(data) > LARGEST_RECORD:
        raise SourceError(f"{name} is larger than {LARGEST_RECORD // 1024**3} GiB: take a part of it")
    return data


def _unpacked(data: bytes, name: str) -> bytes:
    """Return the unpacked bytes, at most one more than `LARGEST_RECORD`."""
    try:
        return gzip.GzipFile(fileobj=io.BytesIO(data)).read(LARGEST_RECORD + 1)
    except EOFError:
        raise SourceError(f"{name} cannot be unpacked: its end is missing") from None
    except (OSError, zlib.error):
        raise SourceError(f"{name} cannot be unpacked: it is damaged") from None


_BLOCK: Final = 1024 * 1024
_LONGEST_LINE: Final = 1024 * 1024
_SLACK_SECONDS: Final = 600
"""Records are written in the order of ends, but a host may report late."""


def finished_jobs(path: str, *, job: int | None = None, owner: str = "", since: int = 0) -> Recorded:
    """Return the accounting records of one job, or of an owner's jobs (all if empty) ended since a time.

    `since`: seconds since the epoch. Raises SourceError.
    """
    lines = newest_records(path, job=job, owner=owner, since=0 if job is not None else since)
    return read_records({path: "\n".join(lines).encode()}) if lines else Recorded()


def newest_records(path: str, *, job: int | None = None, owner: str = "", since: int = 0) -> list[str]:
    """Return the lines of one job, or of an owner's jobs (all if empty) that ended at `since` or later; oldest first.

    `since`: seconds since the epoch. Raises SourceError.
    """
    lines: list[str] = []
    begins = since
    try:
        refuse_others(path)
        with open(path, "rb") as file:
            for line in _backwards(file):
                record = None if line.startswith("#") else whose_record(line)
                if record is None:
                    continue
                number, name, submitted, ended = record
                if ended and ended < begins - _SLACK_SECONDS:
                    break
                if job is None:
                    is_wanted = (ended or 0) >= since and owner in ("", name)
                else:
                    is_wanted = number == job
                    if is_wanted:  # tasks of the job end after its submission
                        begins = max(begins, submitted or 0)
                if is_wanted:
                    lines.append(line)
    except OSError as error:
        raise SourceError(
            f"cannot read {path}: {error.strerror}; the accounting file is on the host of the qmaster"
        ) from None
    return lines[::-1]


def _backwards(file: BinaryIO) -> Iterator[str]:
    """Yield the lines of a file, the last one first; lines longer than a megabyte may be skipped."""
    at = file.seek(0, os.SEEK_END)
    rest = b""
    while at > 0:
        size = min(_BLOCK, at)
        at -= size
        file.seek(at)
        first, *lines = (file.read(size) + rest).split(b"\n")
        yield from (line.decode("utf-8", "replace") for line in reversed(lines) if line)
        rest = first if len(first) <= _LONGEST_LINE else b""
    if rest:
        yield rest.decode("utf-8", "replace")
