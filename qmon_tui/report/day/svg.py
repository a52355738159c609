"""Lines of spans as an SVG picture: each cell where the terminal has it, in the colours of a theme."""

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from rich.cells import cell_len

from qmon_tui.report.spans import Line, Span, TextRole, fit, visible, width

_WIDTH: Final = 8.4
_HEIGHT: Final = 18
_SIZE: Final = 14
_EDGE: Final = 12


_GAP: Final = 3
"""Cells between two columns."""


def landscape(title: str, left: Sequence[Line], right: Sequence[Line], cells: int) -> tuple[list[Line], int]:
    """Return a title and two columns of lines of `cells` cells each below it, and the cells of both."""
    whole = 2 * cells + _GAP
    lines: list[Line] = [fit((Span(title, TextRole.STRONG),), whole), ()]
    for first, second in zip_longest(left, right, fillvalue=()):
        begin = fit(first, cells)
        lines.append((*begin, Span(" " * (cells - width(begin) + _GAP)), *fit(second, cells)) if second else begin)
    return lines, whole


def svg_of(lines: Sequence[Line], cells: int, colours: Mapping[TextRole, str], background: str, title: str) -> str:
    """The text of an SVG file. `colours` are those of the roles, `background` that behind them."""
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
                # Each letter has its place: no font decides how long a bar is.
                rows.append(
                    f'<text x="{" ".join(places)}" y="{y}" fill={quoteattr(colours[role])} xml:space="preserve">'
                    f"{escape(shown)}</text>"
                )
    return "\n".join([*rows, "</svg>", ""])
