"""Lines of a command that a real qmaster was asked: it is made ready, and what it answers is recorded."""

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from qmon_tui.sources import read_folder
from tests.differential.command_sessions import CLUSTER
from tests.differential.loading import load
from tests.differential.qmaster import Qmaster

Asking = Callable[[Qmaster, Iterable[str]], Iterator[tuple[str, NamedTuple]]]
"""Asks a real qmaster lines, each with its answer."""


def make_ready(qmaster: Qmaster) -> None:
    """The cluster of the recorded sessions, with nothing in it."""
    with TemporaryDirectory() as folder:
        Path(folder, "cluster.yaml").write_text(CLUSTER)
        qmaster.restart()
        load(qmaster, read_folder(folder).cluster)


def recorded_lines(file: Path) -> dict[str, list[Any]]:
    """The lines of a file and the fields of their answers; nothing where there is no file."""
    found: dict[str, list[Any]] = json.loads(file.read_text()) if file.exists() else {}
    return found


def record(file: Path, ask: Asking, words: Iterable[str]) -> None:
    """Ask the lines of a file anew, and some besides, and keep the answers."""
    with Qmaster() as qmaster:
        answers = dict(ask(qmaster, dict.fromkeys((*recorded_lines(file), *words))))
    entries = (f"{json.dumps(line)}: {json.dumps(answer)}" for line, answer in answers.items())
    file.write_text("{\n" + ",\n".join(entries) + "\n}\n")
