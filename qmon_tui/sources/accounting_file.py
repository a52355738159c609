"""The newest records of an accounting file, read from its end: the file may be larger than memory."""

import os
from collections.abc import Iterator
from typing import BinaryIO, Final

from qmon_tui.formats.records import Recorded, read_records, whose_record
from qmon_tui.sources.regular_file import refuse_others
from qmon_tui.sources.source import SourceError

_BLOCK: Final = 1024 * 1024
_LONGEST_LINE: Final = 1024 * 1024
_SLACK_SECONDS: Final = 600
"""Records are written in the order of ends, but a host may report late."""


def finished_jobs(path: str, *, job: int | None = None, owner: str = "", since: int = 0) -> Recorded:
    """Return how a job has ended, or those of an owner (of all if empty) since a time. Raises SourceError."""
    lines = newest_records(path, job=job, owner=owner, since=0 if job is not None else since)
    return read_records({path: "\n".join(lines).encode()}) if lines else Recorded()


def newest_records(path: str, *, job: int | None = None, owner: str = "", since: int = 0) -> list[str]:
    """Return the lines of one job, or of an owner (of all if empty) whose end is not before `since`, oldest first.

    Raises SourceError.
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
    """Yield the lines of a file, the last one first; longer ones than a megabyte are passed over."""
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
