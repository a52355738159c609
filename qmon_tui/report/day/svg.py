"""Lines of spans as an SVG picture: the cell grid of a terminal, in the colours of a theme."""

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from rich.cells import cell_len

from qmon_tui.report.spans import Line, Span, TextRole, fit, visible, width

_WIDTH: Final = 8.4
_HEIGHT: Final = 18
"""Size of a cell, in pixels."""
_SIZE: Final = 14
_EDGE: Final = 12
"""Font size and margin, in pixels."""


_GAP: Final = 3
"""Cells between two columns."""


def landscape(title: str, left: Sequence[Line], right: Sequence[Line], cells: int) -> tuple[list[Line], int]:
    """Return a title with two columns of lines below it, each `cells` wide, and the total width in cells."""
    whole = 2 * cells + _GAP
    lines: list[Line] = [fit((Span(title, TextRole.STRONG),), whole), ()]
    for first, second in zip_longest(left, right, fillvalue=()):
        begin = fit(first, cells)
        lines.append((*begin, Span(" " * (cells - width(begin) + _GAP)), *fit(second, cells)) if second else begin)
    return lines, whole


def svg_of(lines: Sequence[Line], cells: int, colours: Mapping[TextRole, str], background: str, title: str) -> str:
    """Return the text of an SVG file; `cells` is the width, `colours` maps roles to CSS colours."""
    across, height = cells * _WIDTH + 2 * _EDGE, len(lines) * _HEIGHT + 2 * _EDGE
    rows = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {across:g} {height:g}" width="{across:g}" '
        f'height="{height:g}" font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="{_SIZE}">',
        f"<title>{escape(visible(title))}</title>",
        f'<rect width="100%" height="100%" fill={quoteattr(background)}/>',
    ]
    for number, spans in enumerate(lines):
        column, y = 0, _EDGE + number * _HEIGHT + _SIZE
        for text, role, _ in spans:
            shown = visible(text)
            places = []
            for letter in shown:
                places.append(f"{_EDGE + column * _WIDTH:g}")
                column += cell_len(letter)
            if shown.strip():
                # Each letter has its own x position, so that the width of a bar does not depend on the font.
                rows.append(
                    f'<text x="{" ".join(places)}" y="{y}" fill={quoteattr(colours[role])} xml:space="preserve">'
                    f"{escape(shown)}</text>"
                )
    return "\n".join([*rows, "</svg>", ""])
