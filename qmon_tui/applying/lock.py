"""An advisory lock beside the cell: users of the program apply one after the other; qconf knows nothing of it."""

import contextlib
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from qmon_tui.sources import SourceError
from qmon_tui.sources.cell_folder import author, cell_folder
from qmon_tui.sources.cells import Cell

_NAME: Final = "lock"
_PAUSE: Final = 0.1
_PATIENCE: Final = 10.0


@contextlib.contextmanager
def apply_lock(cell: Cell) -> Iterator[None]:
    """Hold the lock while the block runs. Raises SourceError that names the holder and its age."""
    place = _taken(cell, time.monotonic() + _PATIENCE)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            place.unlink()


def _taken(cell: Cell, until: float) -> Path:
    try:
        place = cell_folder(cell) / _NAME
        while not _made(place):
            if _is_left(place):
                with contextlib.suppress(OSError):
                    place.unlink()
            elif time.monotonic() > until:
                raise SourceError(f"{_holder(place)}: wait, or remove {place} if that program has ended")
            else:
                time.sleep(_PAUSE)
    except OSError as error:
        raise SourceError(f"the lock beside the cell cannot be taken: {error.strerror}") from None
    return place


def _made(place: Path) -> bool:
    """Create the lock; False if there is one. O_EXCL is safe on NFS, too."""
    try:
        descriptor = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o664)
    except FileExistsError:
        return False
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        who = author()
        json.dump({"who": who.words, "host": who.host, "pid": os.getpid(), "since": time.time()}, file)
    return True


def _read(place: Path) -> dict[str, object]:
    try:
        data = json.loads(place.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return data if isinstance(data, dict) else {}


def _is_left(place: Path) -> bool:
    """True if the holder's program has ended on this host."""
    data = _read(place)
    pid = data.get("pid")
    if data.get("host") != author().host or not isinstance(pid, int):
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False


def _holder(place: Path) -> str:
    data = _read(place)
    since, who = data.get("since"), str(data.get("who", "somebody"))
    age = f" for {max(0, time.time() - since):.0f} s" if isinstance(since, float) else ""
    return f"{''.join(sign if sign.isprintable() else '?' for sign in who)} has been applying a plan{age}"
