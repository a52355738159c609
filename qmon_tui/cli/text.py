"""Text for people: aligned tables and wrapped paragraphs, and how wide the terminal is."""

import os
import sys
from collections.abc import Collection, Iterable, Sequence
from typing import Final

USUAL_WIDTH: Final = 80
UNLIMITED: Final = 1_000_000
"""Columns of what is neither cut nor wrapped."""
_NARROWEST: Final = 40
_WIDEST: Final = 100_000
_SHORTEST: Final = 8
"""Columns of a table that a narrow terminal leaves of a cell at least."""


def width() -> int:
    """Return the columns of the terminal, or those of COLUMNS; UNLIMITED for a file or a pipe."""
    if "COLUMNS" in os.environ:
        from qmon_tui.values import whole_number  # late: the version needs nothing of a cluster

        columns = whole_number(os.environ["COLUMNS"], 1, _WIDEST)
        if columns is not None:
            return max(_NARROWEST, columns)
    if sys.stdout is None or not sys.stdout.isatty():
        return UNLIMITED
    try:
        return max(_NARROWEST, os.get_terminal_size(sys.stdout.fileno()).columns)
    except OSError:
        return USUAL_WIDTH


def help_width() -> int:
    """Return the columns of help; argparse itself would load much to find out, for each argument."""
    columns = width()
    return (USUAL_WIDTH if columns == UNLIMITED else columns) - 2


def table(
    headers: Sequence[str],
    rows: Iterable[Sequence[str]],
    width: int,
    *,
    right: Collection[str] = (),
    droppable: Sequence[str] = (),
) -> list[str]:
    """Return the lines of a table: columns in `right` end at the same cell, those without text are left out.

    On a narrow terminal the columns named in `droppable` are hidden, in this order.
    """
    from qmon_tui.report import Column, plain, table_lines  # late: the version prints no table

    columns = [
        Column(
            head, head, "right" if head in right else "left",
            len(droppable) - droppable.index(head) if head in droppable else 0, _SHORTEST,
        )
        for head in headers
    ]  # fmt: skip
    return [plain(line) for line in table_lines(columns, rows, width)]


def paragraph(text: str, width: int, *, first: str = "", rest: str = "") -> list[str]:
    """Return the text wrapped at blanks, its first line and the following ones indented."""
    from qmon_tui.report import plain, wrap  # late: the version prints no paragraph

    return [plain(line).rstrip() for line in wrap(text, width, first=first, rest=rest)]
