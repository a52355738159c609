"""Earlier versions of a cluster folder: one for each save, and named snapshots.

They are kept in the XDG data folder, not beside the cluster: a cluster folder is often under version control or
read-only, and other programs take every file in it for a part of the cluster.
"""

import json
import zlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from qmon_tui.formats import Layout
from qmon_tui.sources.atomic_write import remove_unfinished, replace_file
from qmon_tui.sources.regular_file import open_regular, read_regular
from qmon_tui.sources.source import SourceError
from qmon_tui.sources.xdg import data_folder, folder_key

MOST_BYTES: Final = 64 * 1024 * 1024
"""Largest size of all versions of a cluster; above it the oldest saves are removed, but no named snapshots."""
MOST_SAVES: Final = 500
"""Largest number of saves."""

_ENDING: Final = ".version"
_FORMAT: Final = 1


class VersionKind(StrEnum):
    """Why a version was kept."""

    FOUND = "found"
    """The folder before the first save."""
    SAVED = "saved"
    SNAPSHOT = "snapshot"


@dataclass(frozen=True, slots=True)
class Version:
    """Facts about one kept version; `files_of` reads its files."""

    path: Path
    kind: VersionKind
    time: float
    """Seconds since the epoch."""
    name: str
    """Name of a snapshot; empty for a save."""
    changed: tuple[str, ...]
    """Changes that the save made, a line for each object."""
    layout: Layout
    size: int
    """Bytes on disk."""
    number: int = 0
    """Sequence number, by which versions are sorted even if the clock was set back; 0 in files of earlier releases."""


def version_folder(cluster_folder: Path) -> Path:
    """Return the folder with the versions of a cluster folder."""
    return data_folder() / "versions" / folder_key(cluster_folder)


def versions(cluster_folder: Path) -> tuple[Version, ...]:
    """Return all readable versions of a folder, the newest first."""
    try:
        paths = [path for path in version_folder(cluster_folder).iterdir() if path.name.endswith(_ENDING)]
    except OSError:
        return ()
    known = [version for path in paths if (version := _read_head(path)) is not None]
    return tuple(sorted(known, key=lambda version: (version.number, version.time, version.path.name), reverse=True))


def files_of(version: Version) -> Mapping[str, str]:
    """Return file -> text of a version. Raises SourceError if it can no longer be read."""
    try:
        _, _, packed = read_regular(version.path).partition(b"\n")
        files = json.loads(zlib.decompress(packed))
        return {str(name): str(text) for name, text in files.items()}
    except (OSError, ValueError, AttributeError, RecursionError, zlib.error) as error:
        raise SourceError(f"{version.path} cannot be read: {error}") from None


def keep_version(
    cluster_folder: Path,
    kind: VersionKind,
    layout: Layout,
    files: Mapping[str, str],
    *,
    name: str = "",
    changed: Sequence[str] = (),
    now: float | None = None,
) -> Version | None:
    """Keep the files as a version; None if the newest one has the same files. Raises SourceError.

    Above MOST_SAVES or MOST_BYTES the oldest saves are removed.
    """
    known = versions(cluster_folder)
    if kind is not VersionKind.SNAPSHOT and known and _same_files(known[0], files):
        return None
    at = datetime.now(UTC).timestamp() if now is None else now
    number = 1 + (known[0].number if known else 0)
    head = {
        "format": _FORMAT,
        "number": number,
        "folder": str(cluster_folder.resolve()),
        "kind": kind.value,
        "time": at,
        "name": name,
        "changed": list(changed),
        "layout": layout.value,
    }
    packed = zlib.compress(json.dumps(dict(files)).encode(), 6)
    folder = version_folder(cluster_folder)
    path = folder / f"{datetime.fromtimestamp(at, UTC).strftime('%Y%m%d-%H%M%S-%f')}-{number}-{kind.value}{_ENDING}"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        remove_unfinished(folder)
        replace_file(path, json.dumps(head).encode() + b"\n" + packed, private=True)
    except OSError as error:
        raise SourceError(f"this version cannot be kept: {path}: {error.strerror}") from None
    _prune(versions(cluster_folder), path)
    return _read_head(path)


def forget_version(version: Version) -> None:
    """Delete a version. Raises SourceError."""
    try:
        version.path.unlink(missing_ok=True)
    except OSError as error:
        raise SourceError(f"{version.path} cannot be removed: {error.strerror}") from None


def _same_files(version: Version, files: Mapping[str, str]) -> bool:
    try:
        return dict(files_of(version)) == dict(files)
    except SourceError:
        return False


def _prune(known: Sequence[Version], newest: Path) -> None:
    """Delete the oldest saves beyond the limits, but neither the one just kept nor snapshots."""
    saves = [version for version in known if version.kind is not VersionKind.SNAPSHOT and version.path != newest]
    size = sum(version.size for version in known)
    number = len(saves)
    for version in reversed(saves):
        if size <= MOST_BYTES and number < MOST_SAVES:
            return
        with suppress(OSError):  # the version itself is kept
            version.path.unlink()
        size, number = size - version.size, number - 1


def _read_head(path: Path) -> Version | None:
    try:
        with open(open_regular(path), "rb") as file:
            head: Any = json.loads(file.readline(1024 * 1024))
        datetime.fromtimestamp(float(head["time"]), UTC)  # raises for an invalid time
        if head["format"] != _FORMAT:
            return None
        return Version(
            path, VersionKind(head["kind"]), float(head["time"]), str(head["name"]),
            tuple(map(str, head["changed"])), Layout(head["layout"]), path.stat().st_size, int(head.get("number", 0)),
        )  # fmt: skip
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return None
