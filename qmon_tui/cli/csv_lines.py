"""Lines of CSV."""

import csv
import io
from collections.abc import Iterable


def csv_line(cells: Iterable[object]) -> str:
    """One line, without its end."""
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(list(cells))
    return line.getvalue()
