"""Folders of the program's own files by the XDG base directory specification, on every system."""

import os
from pathlib import Path

from platformdirs.unix import Unix

_FOLDERS = Unix("qmon-tui")


def state_folder() -> Path:
    """Return the folder of settings, reports and unsaved edits: $XDG_STATE_HOME/qmon-tui."""
    return _FOLDERS.user_state_path


def data_folder() -> Path:
    """Return the folder of earlier versions of clusters and of the private copy: $XDG_DATA_HOME/qmon-tui."""
    return _FOLDERS.user_data_path


def config_folder() -> Path:
    """Return the folder of the user's own keys and clusters: $XDG_CONFIG_HOME/qmon-tui."""
    return _FOLDERS.user_config_path


def folder_key(folder: str | os.PathLike[str]) -> str:
    """Return a file name for data about a cluster folder: the folder's name, and a digest of its path."""
    from hashlib import sha256  # late: the first frame needs no such name

    path = os.path.realpath(folder)
    digest = sha256(path.encode("utf-8", "surrogateescape")).hexdigest()[:16]
    name = "".join(sign if sign.isalnum() or sign in "-_." else "_" for sign in os.path.basename(path)[:40])
    return f"{name}-{digest}"
