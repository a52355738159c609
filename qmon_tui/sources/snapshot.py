"""The snapshot that a folder keeps of the running cluster from which it was taken: the base of a pull.

It is in `.snapshot`, which nothing else reads: `about` has its time, cell and clients; `cluster.yaml` the objects.
"""

import os
from pathlib import Path
from typing import Final, NamedTuple

from qmon_tui.formats import Layout, folder_texts, read_texts
from qmon_tui.model import Cluster, State
from qmon_tui.sources.folder_files import read_text
from qmon_tui.sources.source import FileChange, Reading, SavePlan, SourceError
from qmon_tui.values import format_time, parse_time

FOLDER: Final = ".snapshot"
_ABOUT: Final = f"{FOLDER}/about"
_OBJECTS: Final = f"{FOLDER}/cluster.yaml"


class Snapshot(NamedTuple):
    """Objects of a running cluster at the time when a folder was taken from it, or last pulled from it."""

    taken: int
    """Seconds since the epoch."""
    location: str
    """`qmaster:` or `qmaster:NAME`."""
    cell: str
    """The cell and its SGE_ROOT, as `Live.cell`."""
    clients: str
    """Version of the clients."""
    cluster: Cluster


def snapshot_texts(reading: Reading) -> dict[str, str]:
    """Return the files of the snapshot of a running cluster: name -> text; empty if the reading is of a folder."""
    live = reading.live
    if live is None:
        return {}
    about = {
        "taken": format_time(int(live.objects_taken)), "location": reading.source.location, "cell": live.cell,
        "clients": live.clients,
    }  # fmt: skip
    lines = "".join(f"{name:<9}{' '.join(text.split())}\n" for name, text in about.items())
    objects = "\n".join(folder_texts(Layout.YAML, reading.cluster, State()).values())
    return {_ABOUT: lines, _OBJECTS: objects}


def read_snapshot(folder: Path) -> Snapshot:
    """Return the snapshot that a folder keeps. Raises SourceError without one, or for one that cannot be read."""
    if not os.path.isfile(folder / _ABOUT):
        raise SourceError(
            f"{folder} keeps no snapshot of a running cluster: qmon-tui convert qmaster: NEW --to qconf takes one"
        )
    words = (line.partition(" ") for line in read_text(folder / _ABOUT).splitlines())
    about = {name: text.strip() for name, _, text in words}
    contents = read_texts(Layout.YAML, folder.name, {"cluster.yaml": read_text(folder / _OBJECTS)})
    try:
        taken = parse_time(about["taken"])
        if taken is None or contents.findings:
            raise ValueError(contents.findings[0].message if contents.findings else "taken is no time")
        return Snapshot(taken, about["location"], about["cell"], about["clients"], contents.cluster)
    except (KeyError, ValueError) as error:
        raise SourceError(
            f"{folder / FOLDER} is no snapshot ({error}): take a new one with qmon-tui convert qmaster: NEW --to qconf"
        ) from None


def pulled_now(snapshot: Snapshot) -> Reading:
    """Read the running cluster of a snapshot again. Raises SourceError, also if its name now means another cell."""
    from qmon_tui.sources.folder import source_of  # late: conversion, which folders import, knows this module

    if not snapshot.location.startswith("qmaster:"):
        raise SourceError(f'the snapshot is of "{snapshot.location[:60]}", which is no running cluster')
    reading = source_of(snapshot.location).read()
    assert reading.live is not None
    if reading.live.cell != snapshot.cell:
        raise SourceError(
            f"the snapshot is of cell {snapshot.cell}, but {snapshot.location} is cell {reading.live.cell} here: set"
            " SGE_ROOT and SGE_CELL, or name the cell in clusters.toml"
        )
    return reading


def advanced(folder: Path, reading: Reading) -> SavePlan:
    """Return the plan that replaces the snapshot of a folder by a newer reading. Raises SourceError."""
    return SavePlan(
        tuple(FileChange(file, read_text(folder / file), text) for file, text in snapshot_texts(reading).items())
    )
