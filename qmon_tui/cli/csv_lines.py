"""Lines of CSV."""

import csv
import io
from collections.abc import Iterable
from typing import Final

from qmon_tui.values import decimal_number

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def csv_line(cells: Iterable[object]) -> str:
    """Return one line, without its end; a text that a spreadsheet would take for a formula has a `'` before it."""
    line = io.StringIO()
    # With an end of line, breaks within cells are quoted.
    csv.writer(line, lineterminator="\r\n").writerow([f"'{cell}" if _is_formula(cell) else cell for cell in cells])
    return line.getvalue().removesuffix("\r\n")


def _is_formula(cell: object) -> bool:
    return isinstance(cell, str) and cell.startswith(_FORMULA) and decimal_number(cell) is None
