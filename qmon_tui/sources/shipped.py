"""Folders that come with the program: reference, lessons, and the teaching cluster with the user's private copy."""

import os
import shutil
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from importlib.resources import files
from pathlib import Path

from qmon_tui.sources.source import SourceError
from qmon_tui.sources.xdg import data_folder


def teaching_cluster_folder() -> Path:
    """Return the folder of the teaching cluster, in an installed package or a checkout; it is never changed."""
    missing = "the teaching cluster is missing from this installation; give the folder of a cluster"
    return shipped_folder("teaching", missing)


def shipped_folder(name: str, missing: str, place: str = "configs") -> Path:
    """Return a folder that comes with the program. Raises SourceError with the sentence `missing` without one."""
    package = Path(str(files("qmon_tui")))
    # A checkout has no folder `shipped`: the wheel is built from `place`.
    for folder in (package / "shipped" / name, package.parent / place / name):
        if folder.is_dir():
            return folder
    raise SourceError(missing)


def private_folder() -> Path:
    """Return the path of the private copy of the teaching cluster, whether it exists or not."""
    return data_folder() / "teaching"


def start_over() -> tuple[Path, Path | None]:
    """Replace the private copy by a new one; return its path and that of the moved old copy (None without one).

    Raises SourceError if that is impossible.
    """
    target, moved = private_folder(), None
    if target.exists():
        moved = target.with_name(f"teaching-{datetime.now():%Y%m%d-%H%M%S}-{os.getpid()}")
        try:
            target.rename(moved)
        except OSError as error:
            raise SourceError(f"{target} cannot be moved to {moved.name}: {error.strerror or error}") from error
    return private_copy(), moved


def private_copy() -> Path:
    """Return the folder of the private copy in $XDG_DATA_HOME; copy the shipped cluster if it does not exist yet.

    Raises SourceError if it cannot be made, or the shipped cluster is missing.
    """
    target = private_folder()
    if not target.exists():
        shipped = teaching_cluster_folder()
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            # Copied under another name first: an interrupted copy must not be used as a complete one.
            unfinished = target.with_name(f"teaching.{os.getpid()}")
            shutil.copytree(shipped, unfinished)
            unfinished.rename(target)
        except OSError as error:
            raise SourceError(
                f"no private copy of the teaching cluster can be made in {target}: {error.strerror or error}; "
                "set XDG_DATA_HOME to a folder that can be written, or give the folder of a cluster"
            ) from error
    return target


@cache
def reference_pages() -> Mapping[str, str]:
    """Return file name -> Markdown of docs/reference, sorted. Raises SourceError if the pages are missing."""
    folder = shipped_folder("reference", "the reference is missing from this installation", "docs")
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.md"))}
