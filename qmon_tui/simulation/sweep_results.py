"""The results of a sweep in a file, a line of JSON for each point, so that an interrupted one can be continued."""

import json
from collections.abc import Mapping
from pathlib import Path

from qmon_tui.simulation.sweep import Measured, Setting

Results = dict[Setting, Measured | str]


class SweepResults:
    """A file that only grows; a line is whole or, where the program was stopped in it, does not count."""

    def __init__(self, path: Path, work: str) -> None:
        """`work` says what the points were tried on: lines about anything else are left alone, and do not count.

        Raises OSError where the file cannot be read.
        """
        self._path = path
        self._work = work
        self.known: Results = {}
        text = path.read_bytes().decode(errors="replace") if path.exists() else ""
        self._begins_line = not text or text.endswith("\n")
        for line in text.splitlines():
            self._read(line)

    def _read(self, line: str) -> None:
        try:
            found = json.loads(line)
        except ValueError:
            return
        if not isinstance(found, dict) or found.get("work") != self._work or not isinstance(found.get("point"), dict):
            return
        setting = tuple((str(place), str(value)) for place, value in found["point"].items())
        numbers = found.get("measures")
        if isinstance(numbers, Mapping) and all(isinstance(value, int | float) for value in numbers.values()):
            self.known[setting] = {str(name): float(value) for name, value in numbers.items()}
        elif isinstance(found.get("cannot"), str):
            self.known[setting] = found["cannot"]

    def add(self, setting: Setting, result: Measured | str) -> None:
        """Write down a point. Raises OSError."""
        self.known[setting] = result
        told = {"cannot": result} if isinstance(result, str) else {"measures": dict(result)}
        line = json.dumps({"work": self._work, "point": dict(setting), **told}) + "\n"
        with self._path.open("a", encoding="utf-8") as file:
            file.write(line if self._begins_line else f"\n{line}")
        self._begins_line = True
