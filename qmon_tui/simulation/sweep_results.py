"""The results of a sweep in a file, one line of JSON for each point, so that an interrupted sweep can be continued."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from qmon_tui.simulation.sweep import DailyMeasures, Measured, Setting

_BEGINNING: Final = '{"work": "'
"""First characters of each line."""
Results = dict[Setting, Measured | str]


class NoResults(ValueError):
    """Raised for a file that holds something else; the text is a sentence for the user."""


class SweepResults:
    """The results in a file to which lines are only added; an incomplete line is ignored."""

    def __init__(self, path: Path, work: str, data: bytes = b"") -> None:
        """Read the results in `data`, the content of the file. Raises NoResults if it holds something else.

        `work` identifies the simulated work: lines about other work stay in the file and are ignored.
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
        """Take over the result of a line; return True if it is a result, even one about other work."""
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
        """Append the result of a point to the file. Raises OSError."""
        self.known[setting] = result
        outcome: dict[str, object] = {"cannot": result} if isinstance(result, str) else {"measures": dict(result)}
        if isinstance(result, DailyMeasures) and result.by_day:
            outcome["by_day"] = result.by_day
        line = json.dumps({"work": self._work, "point": dict(setting), **outcome}) + "\n"
        if not self._begins_line:
            line = f"\n{line}"
        self._begins_line = False
        with self._path.open("a", encoding="utf-8") as file:
            file.write(line)
        self._begins_line = True  # stays False if only a part of the line was written, as on a full disk


def _by_day(data: object) -> dict[str, list[float | None]]:
    """Return measure -> its value on each day; a measure with anything but numbers and None is left out."""
    rows = data.items() if isinstance(data, Mapping) else ()
    return {
        str(name): row
        for name, row in rows
        if isinstance(row, list) and all(value is None or isinstance(value, int | float) for value in row)
    }
