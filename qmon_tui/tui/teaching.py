"""A private copy of the teaching cluster, for whoever starts the program without a folder."""

import os
import shutil
from importlib.resources import as_file, files
from pathlib import Path


def private_copy() -> Path:
    """The folder in $XDG_DATA_HOME; made from what is shipped where it is not there yet, and kept afterwards.

    Raises OSError where it cannot be made.
    """
    base = os.environ.get("XDG_DATA_HOME", "")
    root = Path(base) if os.path.isabs(base) else Path.home() / ".local" / "share"
    target = root / "qmon-tui" / "teaching"
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        with as_file(_shipped()) as source:
            # Copied beside its place first: a copy that was interrupted must not be taken for a whole one.
            unfinished = target.with_name(f"teaching.{os.getpid()}")
            shutil.copytree(source, unfinished)
            unfinished.rename(target)
    return target


def _shipped() -> Path:
    package = Path(str(files("qmon_tui")))
    installed = package / "shipped" / "teaching"
    # In a source tree nothing is shipped yet: the wheel takes it from configs/.
    return installed if installed.exists() else package.parent / "configs" / "teaching"
