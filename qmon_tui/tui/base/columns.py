"""Columns and rows of a table as plain values, and how many cells each column gets; no Textual here."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from rich.cells import cell_len

from qmon_tui.tui.present.spans import TextRole


class Column(NamedTuple):
    """One column: its heading, and what may happen to it when the table is too narrow."""

    key: str
    title: str
    align: Literal["left", "right"] = "left"
    rank: int = 0
    """0 is always shown; of the others the highest rank is hidden first."""
    minimum: int = 0
    """A column that may be shortened has a minimum width; 0 keeps it whole."""


class Cell(NamedTuple):
    """The text of one cell and what it means."""

    text: str
    role: TextRole = TextRole.PLAIN


BLANK = Cell(" ")


class GridRow(NamedTuple):
    """One row, recognised by its key over all refreshes; its signs stand before the first column, a cell each."""

    key: str
    cells: tuple[Cell, ...]
    signs: tuple[Cell, ...] = ()


class Fit(NamedTuple):
    """The width of each column, 0 for a hidden one, and the blanks between two of them."""

    widths: tuple[int, ...]
    gap: int


def fit_columns(columns: Sequence[Column], natural: Sequence[int], width: int) -> Fit:
    """Share out `width` cells among columns whose contents are `natural` cells wide.

    Too little room first halves the gaps, then shortens the columns that may be shortened, then hides columns.
    """
    for gap in (2, 1):
        if sum(natural) + gap * max(len(natural) - 1, 0) <= width:
            return Fit(tuple(natural), gap)
    # A heading is never cut: of what is cut below it one can at least see what it is.
    least = [
        min(wide, max(column.minimum, cell_len(column.title)) if column.minimum else wide)
        for column, wide in zip(columns, natural, strict=True)
    ]
    shown = set(range(len(columns)))

    def needed(widths: Sequence[int]) -> int:
        return sum(widths[i] for i in shown) + max(len(shown) - 1, 0)

    while needed(least) > width and any(columns[i].rank for i in shown):
        shown.remove(max(shown, key=lambda i: (columns[i].rank, i)))
    widths = [wide if i in shown else 0 for i, wide in enumerate(natural)]
    while (excess := needed(widths) - width) > 0 and any(widths[i] > least[i] for i in shown):
        widest = max((i for i in shown if widths[i] > least[i]), key=lambda i: widths[i])
        widths[widest] -= min(excess, max((widths[widest] - least[widest]) // 2, 1))
    return Fit(tuple(widths), 1)
