"""Text for people: aligned tables and wrapped paragraphs."""

import textwrap
from collections.abc import Iterable, Sequence

from qmon_tui.cli.answer import Width

GAP = "  "
CUT = "…"


def table(
    headers: Sequence[str], rows: Iterable[Sequence[str]], width: Width, *, right: frozenset[str] = frozenset()
) -> list[str]:
    """Aligned columns, those named in `right` to the right; what does not fit is cut with a sign at the line's end."""
    lines = [tuple(headers), *(tuple(row) for row in rows)]
    widths = [max(len(cell) for cell in column) for column in zip(*lines, strict=True)]
    return [_cut(_line(cells, headers, widths, right), width) for cells in lines]


def paragraph(text: str, width: Width, *, first: str = "", rest: str = "") -> list[str]:
    """Text wrapped at blanks, with its first line and the following ones indented; long words are never broken."""
    if width is None:
        return [first + text]
    return textwrap.wrap(
        text, width, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
    ) or [first.rstrip()]


def count(number: int, singular: str, plural: str | None = None) -> str:
    """A number with its noun: `1 error`, `2 errors`."""
    return f"{number} {singular if number == 1 else plural or singular + 's'}"


def _line(cells: Sequence[str], headers: Sequence[str], widths: Sequence[int], right: frozenset[str]) -> str:
    padded = (
        cell.rjust(size) if header in right else cell.ljust(size)
        for cell, header, size in zip(cells, headers, widths, strict=True)
    )
    return GAP.join(padded).rstrip()


def _cut(line: str, width: Width) -> str:
    return line if width is None or len(line) <= width else line[: width - len(CUT)] + CUT
