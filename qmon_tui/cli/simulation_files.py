"""What `simulate` writes, and the file from which a stopped simulation goes on."""

import argparse
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from qmon_tui.cli.answer import InputError
from qmon_tui.cli.simulated_day import Data, csv_lines, swf_rows
from qmon_tui.cli.text import count
from qmon_tui.formats.records import swf_lines
from qmon_tui.formats.state import state_text
from qmon_tui.simulation import CannotResume, Settings, Simulator, resumed, stopped
from qmon_tui.simulation.workload import Work
from qmon_tui.sources import Reading
from qmon_tui.sources.atomic_write import replace_file
from qmon_tui.sources.regular_file import read_regular
from qmon_tui.values import format_time

INTERRUPTED: Final = 130
STOPPED: Final = "simulation.stopped"
"""What the file is called from which a stopped simulation goes on."""
_MOST: Final = 1024**3


def inputs_of(reading: Reading, options: argparse.Namespace, settings: Settings) -> bytes:
    """All that a simulation is made of: another one is not gone on with."""
    parts = [f"{name}\0{reading.files[name]}" for name in sorted(reading.files)]
    if options.workload:
        parts.append(_read(options.workload).hex())
    plan = (settings.until, settings.start_delay, options.seed)
    return "\0".join([*parts, repr(plan)]).encode("utf-8", "surrogatepass")


def _read(file: str) -> bytes:
    try:
        return read_regular(file, _MOST)
    except OSError as error:
        raise InputError(f"cannot read {file}: {error.strerror or error}.") from error


def read_stopped(file: str, inputs: bytes) -> Simulator:
    """The simulation that was stopped. Raises InputError where it cannot be gone on with."""
    try:
        return resumed(_read(file), inputs)
    except CannotResume as error:
        raise InputError(f"{file}: {error}.") from error


def write_stopped(options: argparse.Namespace, simulator: Simulator, inputs: bytes) -> str:
    """Write where it goes on from, and say how; beside what else is written, or where it was read."""
    target = Path(options.resume) if options.resume else Path(options.out or ".") / STOPPED
    _write(target, stopped(simulator, inputs))
    return f"Stopped at {format_time(simulator.now)}. To continue, add --resume {target} to the command."


def write_day(folder: Path, simulator: Simulator, work: Work, numbers: Data) -> str:
    """Write a day into a folder, and say what."""
    records = list(simulator.records.values())
    _write_text(folder / "jobs.csv", csv_lines(records, work.recorded))
    _write_json(folder / "measures.json", numbers)
    _write_text(folder / "day.swf", swf_lines(*swf_rows(records, work.state.now)))
    _write(folder / "work.yaml", state_text(work.state).encode())
    return f"{folder}: jobs.csv, measures.json, day.swf, work.yaml."


def write_measures(folder: Path, data: Data, lines: Iterable[str]) -> str:
    """Write the measures of several seeds into a folder, and say what."""
    _write_json(folder / "measures.json", data)
    _write_text(folder / "seeds.csv", lines)
    days = data["seeds"]
    return f"{folder}: measures.json, seeds.csv ({count(len(days) if isinstance(days, list) else 0, 'seed')})."


def _write_json(target: Path, data: Mapping[str, object]) -> None:
    _write(target, (json.dumps(data, indent=2, allow_nan=False) + "\n").encode())


def _write_text(target: Path, lines: Iterable[str]) -> None:
    _write(target, "".join(f"{line}\n" for line in lines).encode("utf-8", "replace"))


def _write(target: Path, data: bytes) -> None:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        replace_file(target, data)
    except OSError as error:
        raise InputError(f"cannot write {target}: {error.strerror}.") from error
