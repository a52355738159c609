"""Where the program keeps things of its own, as the XDG base directory specification says."""

import os
from pathlib import Path

_PROGRAM = "qmon-tui"


def state_folder() -> Path:
    """What is remembered between sessions, reports and unsaved edits: $XDG_STATE_HOME/qmon-tui."""
    return _folder("XDG_STATE_HOME", ".local/state")


def data_folder() -> Path:
    """What should outlast the program: earlier versions of clusters, the private copy: $XDG_DATA_HOME/qmon-tui."""
    return _folder("XDG_DATA_HOME", ".local/share")


def config_folder() -> Path:
    """What the usersets: the keys, $XDG_CONFIG_HOME/qmon-tui."""
    return _folder("XDG_CONFIG_HOME", ".config")


def folder_key(folder: str | os.PathLike[str]) -> str:
    """A name for what is kept about a cluster folder: that of the folder, and a number that no other path has."""
    from hashlib import sha256  # late: the first frame needs no such name

    path = os.path.realpath(folder)
    digest = sha256(path.encode("utf-8", "surrogateescape")).hexdigest()[:16]
    name = "".join(sign if sign.isalnum() or sign in "-_." else "_" for sign in os.path.basename(path)[:40])
    return f"{name}-{digest}"


def _folder(variable: str, default: str) -> Path:
    base = os.environ.get(variable, "")
    # The specification says that a relative path is to be ignored.
    root = Path(base) if os.path.isabs(base) else Path.home() / default
    return root / _PROGRAM
