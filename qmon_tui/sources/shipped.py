"""The teaching cluster that comes with the program."""

import shutil
import tempfile
from importlib.resources import files
from pathlib import Path

from qmon_tui.sources.errors import SourceError


def shipped_teaching() -> Path:
    """The folder of the teaching cluster, in an installed package or a checkout. It is never changed."""
    package = Path(str(files("qmon_tui")))
    for folder in (package / "shipped" / "teaching", package.parent / "configs" / "teaching"):
        if folder.is_dir():
            return folder
    raise SourceError("the teaching cluster is missing from this installation; give the folder of a cluster")


def private_copy() -> Path:
    """A new temporary folder with a copy of the teaching cluster, for the caller to edit and to remove."""
    target = Path(tempfile.mkdtemp(prefix="qmon-tui-")) / "teaching"
    shutil.copytree(shipped_teaching(), target)
    return target
