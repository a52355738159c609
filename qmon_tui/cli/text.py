"""Text for people: aligned tables and wrapped paragraphs, and how wide the terminal is."""

import os
import sys
from collections.abc import Collection, Iterable, Sequence
from typing import Final

Width = int | None
"""Columns of the terminal; None where the output goes elsewhere and lines may be as long as they are."""

USUAL_WIDTH: Final = 80
UNLIMITED: Final = 1_000_000
"""Columns of a report that is not cut or wrapped."""
_NARROWEST: Final = 40
_WIDEST: Final = 100_000


def width() -> Width:
    """How wide the terminal is, or as COLUMNS says; None for a file or a pipe."""
    if "COLUMNS" in os.environ:
        from qmon_tui.values import whole_number  # late: the version needs nothing of a cluster

        columns = whole_number(os.environ["COLUMNS"], 1, _WIDEST)
        if columns is not None:
            return max(_NARROWEST, columns)
    if sys.stdout is None or not sys.stdout.isatty():
        return None
    try:
        return max(_NARROWEST, os.get_terminal_size(sys.stdout.fileno()).columns)
    except OSError:
        return USUAL_WIDTH


def help_width() -> int:
    """How wide help may be. Left alone, argparse asks for each argument that is declared, and loads a lot to do so."""
    return (width() or USUAL_WIDTH) - 2


GAP = "  "
CUT = "…"
LONG_NAME, SHORT_NAME = 24, 12
"""On a narrow terminal, longer texts are cut in all columns but the last: to the first, at worst to the second."""
NARROWEST_LAST = 16
"""The last column is wrapped, but not narrower than this."""

Column = tuple[str, ...]
"""A heading and the cells below it."""


def table(
    headers: Sequence[str],
    rows: Iterable[Sequence[str]],
    width: Width,
    *,
    right: Collection[str] = (),
    droppable: Sequence[str] = (),
) -> list[str]:
    """Aligned columns, those named in `right` to the right; columns without any text are left out.

    On a narrow terminal the columns named in `droppable` go, in this order, and a line below says so; the last column
    is wrapped.
    """
    columns: list[Column] = list(zip(headers, *rows, strict=True))
    columns = [column for column in columns if any(column[1:]) or not column[0].strip()]
    if width is None or not columns:
        return _joined([_aligned(column, right) for column in columns])
    *columns, last = columns
    needed = min(NARROWEST_LAST, max(map(len, last)))
    dropped = []
    if _room(columns, width) < needed:
        columns = _shortened(columns, LONG_NAME)
    for name in droppable:
        if _room(columns, width) < needed:
            dropped += [column[0] for column in columns if column[0] == name]
            columns = [column for column in columns if column[0] != name]
    if _room(columns, width) < needed:
        columns = _shortened(columns, SHORT_NAME)
    room = max(NARROWEST_LAST, _room(columns, width))
    wrapped = [paragraph(cell, room) for cell in last]
    expanded = [
        _aligned([cell for text, lines in zip(column, wrapped, strict=True) for cell in _padded(text, lines)], right)
        for column in columns
    ]
    lines = _joined([*expanded, [line for lines in wrapped for line in lines]])
    return [*(_cut(line, width) for line in lines), *_left_out(dropped, width)]


def paragraph(text: str, width: Width, *, first: str = "", rest: str = "") -> list[str]:
    """Text wrapped at blanks, with its first line and the following ones indented; long words are never broken."""
    if width is None:
        return [first + text]
    import textwrap  # late: without a width nothing is wrapped

    return textwrap.wrap(
        text, width, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
    ) or [first.rstrip()]


def count(number: int, singular: str, plural: str | None = None) -> str:
    """A number with its noun: `1 error`, `2 errors`."""
    return f"{number} {singular if number == 1 else plural or singular + 's'}"


def _room(columns: Sequence[Column], width: int) -> int:
    """What the columns leave for the last one."""
    return width - sum(max(map(len, column)) + len(GAP) for column in columns)


def _shortened(columns: Sequence[Column], longest: int) -> list[Column]:
    return [tuple(_cut(cell, longest) for cell in column) for column in columns]


def _padded(text: str, lines: Sequence[str]) -> list[str]:
    return [text, *[""] * (len(lines) - 1)]


def _aligned(column: Sequence[str], right: Collection[str]) -> list[str]:
    size = max(map(len, column))
    return [cell.rjust(size) if column[0] in right else cell.ljust(size) for cell in column]


def _joined(columns: Sequence[Sequence[str]]) -> list[str]:
    return [GAP.join(cells).rstrip() for cells in zip(*columns, strict=True)]


def _left_out(dropped: Sequence[str], width: int) -> list[str]:
    return paragraph(f"(no room for {', '.join(dropped)})", width) if dropped else []


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - len(CUT)] + CUT
