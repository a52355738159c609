"""Files that `simulate` writes, and the file that continues a stopped simulation."""

import argparse
import json
import os
import shlex
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from tempfile import gettempdir
from typing import Final, NamedTuple

from qmon_tui.cli.answer import InputError
from qmon_tui.cli.cluster_folder import UNUSABLE
from qmon_tui.cli.simulated_day import Data, csv_lines, swf_rows
from qmon_tui.formats.records import swf_lines
from qmon_tui.formats.state import state_text
from qmon_tui.report import count
from qmon_tui.simulation import CannotResume, Settings, Simulator, resumed, stopped
from qmon_tui.simulation.workload import Work
from qmon_tui.sources import Reading
from qmon_tui.sources.atomic_write import replace_file
from qmon_tui.sources.regular_file import read_regular
from qmon_tui.values import format_time
from qmon_tui.workspace import WorkSource

STOPPED: Final = "simulation.stopped"
"""Name of the file that continues a stopped simulation."""
_NAMES: Final = frozenset(("jobs.csv", "measures.json", "day.swf", "work.yaml", STOPPED))
_MOST: Final = 1024**3
"""Largest size of a file that is read, in bytes."""


class Written(NamedTuple):
    """Notes about files that were or could not be written, and the exit code: 0 or 2."""

    lines: tuple[str, ...]
    code: int = 0


def inputs_of(reading: Reading, work: WorkSource, options: argparse.Namespace, settings: Settings) -> bytes:
    """Return all inputs of a simulation as bytes; only one with equal inputs is continued."""
    parts = [f"{name}\0{reading.files[name]}" for name in sorted(reading.files)]
    for file in (options.workload, work.file):
        if file:
            parts.append(sha256(_read(file)).hexdigest())
    plan = (settings.until, settings.start_delay, options.seed)
    return "\0".join([*parts, repr(plan)]).encode("utf-8", "surrogatepass")


def _read(file: str | Path) -> bytes:
    try:
        return read_regular(file, _MOST)
    except OSError as error:
        raise InputError(f"cannot read {file}: {error.strerror or error}.") from error


def read_stopped(file: str, inputs: bytes) -> Simulator:
    """Read a stopped simulation. Raises InputError if it cannot be continued."""
    try:
        return resumed(_read(file), inputs)
    except CannotResume as error:
        raise InputError(f"{file}: {error}.") from error


def refuse_folder(out: str, *, resumes: bool) -> None:
    """Raise InputError unless a folder is new, empty or, if `resumes`, holds only files of a stopped simulation."""
    try:
        others = [
            entry.name
            for entry in os.scandir(out)
            if not (resumes and entry.name in _NAMES and entry.is_file(follow_symlinks=False))
        ]
    except FileNotFoundError:
        return
    except NotADirectoryError:
        raise InputError(f"--out: {out} is a file; give a new folder.") from None
    except OSError as error:
        raise InputError(f"--out: cannot read {out}: {error.strerror or error}.") from None
    if others:
        raise InputError(f"--out: {out} is not empty; give a new folder.")


def write_stopped(options: argparse.Namespace, simulator: Simulator, inputs: bytes) -> Written:
    """Write the stopped simulation; notes say how to continue it.

    It is written into --out or over --resume; if that fails, into the current or the temporary folder.
    """
    data = stopped(simulator, inputs)
    first = Path(options.resume) if options.resume else Path(options.out or ".") / STOPPED
    notes: list[str] = []
    for target in (first, Path(STOPPED), Path(gettempdir()) / f"{STOPPED}.{os.urandom(6).hex()}"):
        # Only the file of --resume is replaced, as other files may hold a day that is still wanted.
        fault = _fault(target, data, replaces=bool(options.resume) and target is first)
        if fault is None:
            file = shlex.quote(str(target))
            notes.append(f"Stopped at {format_time(simulator.now)}. To continue, add --resume {file} to the command.")
            break
        notes.append(fault)
    return Written(tuple(notes))


def write_day(folder: Path, simulator: Simulator, work: Work, numbers: Data) -> Written:
    """Write a day into a folder; notes name the files."""
    records = list(simulator.records.values())
    # The file has all jobs of the day, so that none may be generated when it is read again.
    begun = replace(work.state, simulation=replace(work.state.simulation, workload=None))
    return _written(folder, {
        "jobs.csv": lambda: _text(csv_lines(records, work.recorded)),
        "measures.json": lambda: _json(numbers),
        "day.swf": lambda: _text(swf_lines(*swf_rows(records, work.state.now))),
        "work.yaml": lambda: state_text(begun).encode("utf-8", "replace"),
    })  # fmt: skip


def write_measures(folder: Path, data: Data, lines: Iterable[str]) -> Written:
    """Write the measures of several seeds into a folder; notes name the files."""
    days = data["seeds"]
    seeds = f" ({count(len(days) if isinstance(days, list) else 0, 'seed')})"
    return _written(folder, {"measures.json": lambda: _json(data), "seeds.csv": lambda: _text(lines)}, seeds)


def _written(folder: Path, files: Mapping[str, Callable[[], bytes]], more: str = "") -> Written:
    """Write as many of the files as possible; code 2 if one failed, as the answer is still printed."""
    faults = {name: _fault(folder / name, make()) for name, make in files.items()}
    kept = [name for name, fault in faults.items() if fault is None]
    lines = [fault for fault in faults.values() if fault is not None]
    if kept:
        lines.append(f"{folder}: {', '.join(kept)}{more}.")
    return Written(tuple(lines), UNUSABLE if len(kept) < len(files) else 0)


def _json(data: Mapping[str, object]) -> bytes:
    return (json.dumps(data, indent=2, allow_nan=False) + "\n").encode()


def _text(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")


def _fault(target: Path, data: bytes, *, replaces: bool = True) -> str | None:
    """Write a file; return the reason if that fails, else None."""
    try:
        if not replaces and os.path.lexists(target):
            return f"cannot write {target}: it exists already."
        target.parent.mkdir(parents=True, exist_ok=True)
        replace_file(target, data)
    except (FileExistsError, NotADirectoryError):
        return f"cannot write {target}: {target.parent} is no folder."
    except OSError as error:
        return f"cannot write {target}: {error.strerror or error}."
    return None
