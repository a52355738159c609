"""The folder beside a cell in which users of the program share log, lock and drains, which Grid Engine lacks."""

import contextlib
import os
import pwd
import socket
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from qmon_tui.sources.atomic_write import sync_folder, write_all
from qmon_tui.sources.cells import Cell
from qmon_tui.sources.folder_files import read_text
from qmon_tui.sources.xdg import folder_key, state_folder

_NAME: Final = "qmon-tui"
_MODE: Final = 0o2775
"""Files in a shared folder belong to the folder's group, which may write there."""


DRAINS: Final = "drains.yaml"
"""The reasons of drains and exceptions, as in a cluster folder."""


def drains_file(cell: Cell) -> Path | None:
    """Return the file with the reasons of drains and exceptions that users of the program share; None without any."""
    return next((folder / DRAINS for folder in _folders(cell) if os.path.lexists(folder / DRAINS)), None)


def drains_text(cell: Cell) -> str:
    """Return the text of that file, empty without any. Raises SourceError if it cannot be read."""
    place = drains_file(cell)
    return "" if place is None else read_text(place)


def _folders(cell: Cell) -> tuple[Path, Path]:
    """Return the shared folder of a cell, and the private one."""
    shared = Path(cell.shared) if cell.shared else cell.common.parent / _NAME
    return shared, state_folder() / "cells" / folder_key(cell.common.parent)


def cell_folder(cell: Cell) -> Path:
    """Return the shared folder of a cell, made if missing; a private folder if the shared one cannot be written.

    It is `$SGE_ROOT/$SGE_CELL/qmon-tui` unless clusters.toml says otherwise, of the group of the cell's folder. Raises
    OSError if neither can be made.
    """
    shared, own = _folders(cell)
    with contextlib.suppress(OSError):
        make_shared(shared, cell.common.parent)
    if _is_shared(shared):
        return shared
    own.mkdir(parents=True, exist_ok=True, mode=0o700)
    return own


def make_shared(folder: Path, model: Path) -> None:
    """Make a folder for the group of another folder, whatever the umask. A folder that exists is not changed.

    Raises OSError.
    """
    with contextlib.suppress(FileExistsError):
        folder.mkdir()
        with contextlib.suppress(OSError):  # only root and members of the group may give it away
            os.chown(folder, -1, model.stat().st_gid)
        folder.chmod(_MODE)


def _is_shared(folder: Path) -> bool:
    return os.access(folder, os.W_OK | os.X_OK) and not folder.is_symlink()


def private_words(cell: Cell) -> str:
    """Return a sentence if log, lock and reasons of this user are not shared with other users; empty if they are."""
    shared, own = _folders(cell)
    is_there = shared.exists()
    place = shared if is_there else shared.parent
    if _is_shared(place):
        return ""
    share = f"chgrp -R GROUP {shared} && chmod -R g+rwX {shared}"
    if not is_there:
        share = f"mkdir {shared} && chgrp GROUP {shared} && chmod 2775 {shared}"
    return (
        f"You may not write {place}: log and lock are kept for you alone in {own}, other users of the program do not"
        f" see them, and reasons of drains cannot be kept beside theirs. Its owner can share it: {share}"
    )


class Author(NamedTuple):
    """The person who changes the cluster: Grid Engine knows only the user of the process."""

    user: str
    """The user of the process."""
    login: str
    """The user who called sudo; equal to `user` without sudo."""
    origin: str
    """Client address of the ssh session; empty without one."""
    host: str
    """Name of this host."""

    @property
    def words(self) -> str:
        """The person in words: `root (sudo by bela, ssh from 10.0.0.7) on login1`."""
        facts = [f"sudo by {self.login}"] if self.login != self.user else []
        facts += [f"ssh from {self.origin}"] if self.origin else []
        return self.user + (f" ({', '.join(facts)})" if facts else "") + f" on {self.host}"


def author() -> Author:
    """Return the person who runs this program."""
    user = _user_name(os.geteuid())
    origin = (os.environ.get("SSH_CONNECTION") or os.environ.get("SSH_CLIENT") or "").split()
    login = os.environ.get("SUDO_USER") or _user_name(os.getuid())
    return Author(user, _plain(login), _plain(origin[0]) if origin else "", socket.gethostname())


def client_user(cell: Cell) -> str:
    """Return the user of a cell's clients: that of `sudo -u` in its prefix, else that of this process."""
    words = list(cell.prefix)
    for flag in ("-u", "--user"):
        if flag in words[:-1]:
            return words[words.index(flag) + 1]
    if words and words[0].rpartition("/")[2] == "sudo":
        return "root"
    return author().user


def _user_name(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)


def _plain(text: str) -> str:
    return "".join(sign if sign.isprintable() else "?" for sign in text)[:80]


@dataclass
class LogEntry:
    """One file of the log, which only its writer appends to: a shell script with comments."""

    path: Path
    _descriptor: int

    @classmethod
    def begun(cls, folder: Path, lines: tuple[str, ...]) -> "LogEntry":
        """Create an entry with these lines, durably. Raises OSError."""
        log = folder / "log"
        make_shared(log, folder)
        now = time.time()
        moment = time.strftime("%Y%m%dT%H%M%S", time.gmtime(now)) + f".{int(now % 1 * 1e6):06d}Z"
        for number in range(1000):  # several threads and hosts may create one in the same microsecond
            path = log / f"{moment}-{socket.gethostname()}-{os.getpid()}-{number}.sh"
            with contextlib.suppress(FileExistsError):
                flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_APPEND
                entry = cls(path, os.open(path, flags, 0o664))
                entry.append(lines)
                sync_folder(log)
                return entry
        raise FileExistsError(str(log))

    def append(self, lines: tuple[str, ...]) -> None:
        """Add lines, durably. Raises OSError."""
        write_all(self._descriptor, "".join(f"{line}\n" for line in lines))
        os.fsync(self._descriptor)

    def close(self) -> None:
        os.close(self._descriptor)


def comment(text: str) -> str:
    """Return a text as one comment line of a shell script."""
    return "# " + "".join(sign if sign.isprintable() else "?" for sign in text)
