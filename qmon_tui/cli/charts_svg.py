"""Charts as SVG: a few lines of our own, with nothing from elsewhere; what users have written is escaped."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Final

from qmon_tui.cli.answer import plain

_CELL_WIDTH, _CELL_HEIGHT, _LETTER = 96, 32, 8
_STYLE: Final = "font-family:sans-serif;font-size:13px"
_LINES: Final = (("#1f6feb", ""), ("#d1242f", "6 3"), ("#1a7f37", "2 3"), ("#8250df", "8 3 2 3"))
"""Colours and dashes; the dashes also differ in print without colours."""


def heat_map(
    title: str, across: str, down: str, cells: Mapping[tuple[str, str], tuple[float | None, str]]
) -> Iterator[str]:
    """A table of cells by column and row, each with its number for the shade, and its text."""
    columns = list(dict.fromkeys(column for column, _ in cells))
    rows = list(dict.fromkeys(row for _, row in cells))
    known = [number for number, _ in cells.values() if number is not None]
    low, high = min(known, default=0.0), max(known, default=0.0)
    left = 16 + _LETTER * max([len(down), *map(len, rows)])
    width = left + _CELL_WIDTH * len(columns) + 16
    height = 76 + _CELL_HEIGHT * len(rows) + 16
    yield from _head(max(width, 16 + _LETTER * max(len(title), len(across) + left // _LETTER)), height)
    yield _text(8, 20, title, weight="bold")
    yield _text(left, 44, across)
    yield _text(8, 66, down)
    for number, column in enumerate(columns):
        yield _text(left + _CELL_WIDTH * number + _CELL_WIDTH // 2, 66, column, anchor="middle")
    for place, row in enumerate(rows):
        top = 76 + _CELL_HEIGHT * place
        yield _text(8, top + 20, row)
        for number, column in enumerate(columns):
            shade, text = cells.get((column, row), (None, ""))
            part = 0.0 if shade is None or high == low else (shade - low) / (high - low)
            fill = "#ffffff" if shade is None else _shade(part)
            x = left + _CELL_WIDTH * number
            yield f'<rect x="{x}" y="{top}" width="{_CELL_WIDTH}" height="{_CELL_HEIGHT}" fill="{fill}" stroke="#fff"/>'
            yield _text(
                x + _CELL_WIDTH // 2, top + 20, text, anchor="middle", fill="#ffffff" if part > 0.55 else "#000000"
            )
    yield "</svg>"


def stacked(title: str, charts: Sequence[Sequence[str]]) -> Iterator[str]:
    """Several charts of this module below each other in one picture."""
    heights = [float(chart[0].split('height="')[1].split('"')[0]) for chart in charts]
    width = max(float(chart[0].split('width="')[1].split('"')[0]) for chart in charts)
    yield from _head(width, sum(heights) + 32)
    yield _text(8, 20, title, weight="bold")
    top = 32.0
    for chart, height in zip(charts, heights, strict=True):
        yield f'<g transform="translate(0,{top:g})">'
        yield from chart[1:-1]
        yield "</g>"
        top += height
    yield "</svg>"


def line_chart(title: str, lines: Sequence[tuple[str, Sequence[float]]], begin: str, end: str) -> Iterator[str]:
    """Some lines over the same time, each with its name; the values are means over equal parts of it."""
    width, height, left, top = 720, 220, 64, 32
    highest = max((value for _, values in lines for value in values), default=0.0) or 1.0
    yield from _head(width, height + 24 * (1 + len(lines)))
    yield _text(8, 20, title, weight="bold")
    bottom = height - 24
    for part in (0.0, 0.5, 1.0):
        y = bottom - part * (bottom - top)
        yield f'<line x1="{left}" y1="{y:.1f}" x2="{width - 8}" y2="{y:.1f}" stroke="#d0d7de"/>'
        yield _text(left - 6, y + 4, f"{part * highest:.4g}", anchor="end")
    yield _text(left, height - 6, begin)
    yield _text(width - 8, height - 6, end, anchor="end")
    for number, (name, values) in enumerate(lines):
        colour, dashes = _LINES[number % len(_LINES)]
        step = (width - 8 - left) / max(1, len(values))
        points = " ".join(
            f"{left + step * (place + 0.5):.1f},{bottom - value / highest * (bottom - top):.1f}"
            for place, value in enumerate(values)
        )
        stroke = f'stroke="{colour}" stroke-width="1.6" stroke-dasharray="{dashes}"'
        yield f'<polyline points="{points}" fill="none" {stroke}/>'
        y = height + 16 + 24 * number
        yield f'<line x1="{left}" y1="{y - 4}" x2="{left + 40}" y2="{y - 4}" {stroke}/>'
        yield _text(left + 48, y, name)
    yield "</svg>"


def _head(width: float, height: float) -> Iterator[str]:
    size = f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
    yield f'<svg xmlns="http://www.w3.org/2000/svg" {size} style="{_STYLE}">'
    yield f'<rect width="{width:.0f}" height="{height:.0f}" fill="#ffffff"/>'


def _text(
    x: float, y: float, text: str, *, anchor: str = "start", fill: str = "#000000", weight: str = "normal"
) -> str:
    place = f'x="{x:g}" y="{y:g}" text-anchor="{anchor}" fill="{fill}" font-weight="{weight}"'
    return f"<text {place}>{escape(plain(text))}</text>"


def _shade(part: float) -> str:
    """From light to dark blue."""
    light, dark = (222, 235, 247), (8, 48, 107)
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in zip(light, dark, strict=True))
