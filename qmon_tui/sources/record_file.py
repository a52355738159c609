"""The bytes of a trace or log, which archives keep compressed."""

import gzip
import io
import os
import zlib
from typing import Final

from qmon_tui.sources.regular_file import read_regular
from qmon_tui.sources.source import SourceError

LARGEST_RECORD: Final = 1024 * 1024 * 1024
"""Bytes; more would not fit into memory once it is read."""
_GZIP: Final = b"\x1f\x8b"
_OTHERS: Final = {b"\xfd7zXZ": "xz", b"BZh": "bzip2", b"\x28\xb5\x2f\xfd": "zstd", b"PK\x03\x04": "zip"}
"""How files begin that other programs have compressed."""


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
