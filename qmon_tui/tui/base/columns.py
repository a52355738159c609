"""Columns and rows of a table as plain values, and how many cells each column gets; no Textual here."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

GAP = 2
"""Blanks between two columns."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its heading, and what may happen to it when the table is too narrow."""

    key: str
    title: str
    align: Literal["left", "right"] = "left"
    rank: int = 0
    """0 is always shown; of the others the highest rank is hidden first."""
    minimum: int = 0
    """A column that may be shortened has a minimum width; 0 keeps it whole."""


@dataclass(frozen=True, slots=True)
class Cell:
    """The text of one cell and its tone, one of `TONES`."""

    text: str
    tone: str = ""


@dataclass(frozen=True, slots=True)
class GridRow:
    """One row, recognised by its key over all refreshes; the sign stands before the first column."""

    key: str
    cells: tuple[Cell, ...]
    sign: Cell = Cell("")


TONES = ("muted", "strong", "accent", "success", "warning", "error")


def fit_columns(columns: Sequence[Column], natural: Sequence[int], width: int, gap: int = GAP) -> tuple[int, ...]:
    """The width of each column within `width` cells, 0 for a hidden one.

    Columns of high rank go first, then the widest of those that may be shortened give way.
    """
    least = [
        min(wanted, column.minimum) if column.minimum else wanted
        for column, wanted in zip(columns, natural, strict=True)
    ]
    shown = [True] * len(columns)

    def needed(widths: Sequence[int]) -> int:
        visible = [w for w, is_shown in zip(widths, shown, strict=True) if is_shown]
        return sum(visible) + gap * max(len(visible) - 1, 0)

    while needed(least) > width:
        rank, index = max(((c.rank, i) for i, c in enumerate(columns) if shown[i]), default=(0, 0))
        if rank == 0:
            break
        shown[index] = False
    widths = list(natural)
    while (excess := needed(widths) - width) > 0:
        spare, index = max(((widths[i] - least[i], i) for i in range(len(columns)) if shown[i]), default=(0, 0))
        if spare <= 0:
            break
        widths[index] -= min(excess, spare)
    return tuple(w if is_shown else 0 for w, is_shown in zip(widths, shown, strict=True))
