"""The results of a sweep in a file, a line of JSON for each point, so that an interrupted one can be continued."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from qmon_tui.simulation.sweep import DailyMeasures, Measured, Setting

_BEGINNING: Final = '{"work": "'
"""How each line begins."""
Results = dict[Setting, Measured | str]


class NoResults(ValueError):
    """A file that holds something else; the text is a sentence."""


class SweepResults:
    """A file that only grows; a line is whole or, where the program was stopped in it, does not count."""

    def __init__(self, path: Path, work: str, data: bytes = b"") -> None:
        """`work` says what the points were tried on: lines about anything else are left alone, and do not count.

        `data` is what is in the file. Raises NoResults where that is something else.
        """
        self._path = path
        self._work = work
        self.known: Results = {}
        text = data.decode(errors="replace")
        self._begins_line = not text or text.endswith("\n")
        is_of_results = not text.strip() or _BEGINNING.startswith(text.lstrip())
        for line in text.splitlines():
            is_of_results |= self._read(line)
        if not is_of_results:
            raise NoResults("it holds something else than the results of a sweep: give a new file")

    def _read(self, line: str) -> bool:
        """Take the result of a line; tell whether it is one, about whatever work."""
        try:
            result = json.loads(line)
        except (ValueError, RecursionError):
            return line.startswith(_BEGINNING)
        if not isinstance(result, dict) or "work" not in result or not isinstance(result.get("point"), dict):
            return False
        if result["work"] == self._work:
            self._take(result)
        return True

    def _take(self, result: dict[str, Any]) -> None:
        setting = tuple((str(place), str(value)) for place, value in result["point"].items())
        numbers = result.get("measures")
        if isinstance(numbers, Mapping) and all(isinstance(value, int | float) for value in numbers.values()):
            means = DailyMeasures({str(name): float(value) for name, value in numbers.items()})
            means.by_day = _by_day(result.get("by_day"))
            self.known[setting] = means
        elif isinstance(result.get("cannot"), str):
            self.known[setting] = result["cannot"]

    def add(self, setting: Setting, result: Measured | str) -> None:
        """Write down a point. Raises OSError."""
        self.known[setting] = result
        outcome: dict[str, object] = {"cannot": result} if isinstance(result, str) else {"measures": dict(result)}
        if isinstance(result, DailyMeasures) and result.by_day:
            outcome["by_day"] = result.by_day
        line = json.dumps({"work": self._work, "point": dict(setting), **outcome}) + "\n"
        line, self._begins_line = line if self._begins_line else f"\n{line}", False
        with self._path.open("a", encoding="utf-8") as file:
            file.write(line)
        self._begins_line = True  # on a full disk only a part of it may have been written


def _by_day(data: object) -> dict[str, list[float | None]]:
    """Return the numbers of each day by measure; what is no number is left out with its measure."""
    rows = data.items() if isinstance(data, Mapping) else ()
    return {
        str(name): row
        for name, row in rows
        if isinstance(row, list) and all(value is None or isinstance(value, int | float) for value in row)
    }
