"""Tables of columns and rows that can be drawn at any width: columns are narrowed or hidden to fit."""

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Final, Literal, NamedTuple

from rich.cells import cell_len

from qmon_tui.report.spans import Line, Span, TextRole, fit, left, plain, right, width as width_of, wrap
from qmon_tui.report.table_rows import part_at

_LAST: Final = 16
"""Least width of the last column of a printed table, in cells."""


class Column(NamedTuple):
    """One column: its heading, and how it is fitted into a narrow table."""

    key: str
    title: str
    align: Literal["left", "right"] = "left"
    rank: int = 0
    """0 is always shown; of the others the highest rank is hidden first."""
    minimum: int = 0
    """Least width in cells to which the column may be narrowed; 0 keeps its full width."""


Cell = Span
"""The text of one cell, with its role."""
BLANK = Cell(" ")


class GridRow(NamedTuple):
    """One row. `key` is stable across refreshes; `signs`, one cell each, are drawn before the first column."""

    key: str
    cells: tuple[Cell, ...]
    signs: tuple[Cell, ...] = ()


class ColumnWidths(NamedTuple):
    """The width of each column in cells, 0 if hidden, and the blanks between columns."""

    widths: tuple[int, ...]
    gap: int


def fit_columns(columns: Sequence[Column], natural: Sequence[int], width: int) -> ColumnWidths:
    """Fit columns into `width` cells; `natural` are the widths of their contents.

    To fit, gaps are halved first, then columns with a minimum are narrowed, then columns with a rank are hidden.
    """
    for gap in (2, 1):
        if sum(natural) + gap * max(len(natural) - 1, 0) <= width:
            return ColumnWidths(tuple(natural), gap)
    # A heading is never cut, so that the meaning of the column stays clear.
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
    return ColumnWidths(tuple(widths), 1)


class GridRows:
    """The rows of a table, drawn one at a time; `sort` is the key of the sorted column and True for descending."""

    def __init__(
        self,
        columns: Sequence[Column],
        rows: Sequence[GridRow],
        sort: tuple[str, bool] | None = None,
        *,
        show_head: bool = True,
    ) -> None:
        self.columns = tuple(columns)
        self.rows = tuple(rows)
        self._sort = sort
        self._show_head = show_head
        self._index = {row.key: number for number, row in enumerate(rows)}
        self._signs = max((len(row.signs) for row in rows), default=0)
        self._natural = [
            max(cell_len(self._title(column)), _widest(column, [row.cells[place].text for row in rows]))
            for place, column in enumerate(self.columns)
        ]
        self._fits: dict[int, ColumnWidths] = {}

    def __len__(self) -> int:
        return len(self.rows)

    def key(self, index: int) -> str:
        return self.rows[index].key

    def find(self, key: Hashable) -> int | None:
        return self._index.get(key) if isinstance(key, str) else None

    def head(self, cells: int) -> Line | None:
        """Return the headings; None for an empty table."""
        if not self._show_head or not self.rows:
            return None
        spans = [Span(" " * self._lead)]
        fitted = self._fitted(cells)
        for column, width in zip(self.columns, fitted.widths, strict=True):
            if width:
                marked = self._sort is not None and self._sort[0] == column.key
                role = TextRole.ACCENT if marked else TextRole.DIM
                spans += [_span(Cell(self._title(column), role), column, width), Span(" " * fitted.gap)]
        return _fitted_line(spans, cells)

    def line(self, index: int, cells: int) -> Line:
        row, fitted = self.rows[index], self._fitted(cells)
        spans = [*row.signs, *(BLANK,) * (self._lead - len(row.signs))]
        for cell, column, width in zip(row.cells, self.columns, fitted.widths, strict=True):
            if width:
                spans += [_span(cell, column, width), Span(" " * fitted.gap)]
        return _fitted_line(spans, cells)

    def text(self, index: int) -> str:
        return "  ".join(cell.text for cell in self.rows[index].cells)

    def printed(self, width: int) -> Iterator[Line]:
        """Yield the lines of the whole table as commands print it."""
        return table_lines(self.columns, [[cell.text for cell in row.cells] for row in self.rows], width)

    def unseen(self, index: int, cells: int) -> tuple[str, ...]:
        """Return `heading text` for each cell of a row that is cut or hidden at this width."""
        fitted, start = self._fitted(cells), self._lead
        unseen: list[str] = []
        for cell, column, width in zip(self.rows[index].cells, self.columns, fitted.widths, strict=True):
            drawn = _span(cell, column, width).text.rstrip() if width else ""
            is_whole = drawn.strip() == cell.text.strip() and start + cell_len(drawn) <= cells
            if not is_whole and any(map(str.isalnum, cell.text)):
                unseen.append(f"{column.title} {cell.text.strip()}".strip())
            start += width + fitted.gap if width else 0
        return tuple(unseen)

    def column_at(self, x: int, cells: int) -> Column | None:
        fitted = self._fitted(cells)
        widths = [width + fitted.gap if width else 0 for width in fitted.widths]
        return part_at(zip(self.columns, widths, strict=True), self._lead, x)

    @property
    def _lead(self) -> int:
        return self._signs + 1

    def _fitted(self, cells: int) -> ColumnWidths:
        if cells not in self._fits:
            self._fits[cells] = fit_columns(self.columns, self._natural, cells - self._lead)
        return self._fits[cells]

    def _title(self, column: Column) -> str:
        if self._sort is None or self._sort[0] != column.key:
            return column.title
        return f"{column.title}{'▼' if self._sort[1] else '▲'}"


_BLANK_INSIDE: Final = re.compile(r"\d \d|→")


def _widest(column: Column, texts: Sequence[str]) -> int:
    """Return the width of the longest text; one more if a number contains blanks, to set it off from its neighbour."""
    has_blanks = column.align == "right" and any(map(_BLANK_INSIDE.search, texts))
    return max(map(cell_len, texts), default=0) + has_blanks


def _fitted_line(spans: Sequence[Span], cells: int) -> Line:
    """Return the line, cut with an ellipsis if its text is wider than `cells`."""
    trimmed = list(spans)
    while trimmed and not trimmed[-1].text.strip():
        trimmed.pop()
    trimmed[-1:] = [span._replace(text=span.text.rstrip()) for span in trimmed[-1:]]
    return tuple(spans) if width_of(trimmed) <= cells else fit(trimmed, cells)


def _span(cell: Cell, column: Column, width: int) -> Span:
    return Span(right(cell.text, width) if column.align == "right" else left(cell.text, width), cell.role)


def table_lines(columns: Sequence[Column], rows: Iterable[Sequence[str]], width: int) -> Iterator[Line]:
    """Yield the headings and all rows for printing; the last column is wrapped, empty columns are left out.

    A last line names the columns that do not fit.
    """
    cells = list(rows)
    kept = [i for i, column in enumerate(columns) if not column.title.strip() or any(row[i] for row in cells)]
    if not kept:
        return
    columns = [columns[i] for i in kept]
    table = [[column.title for column in columns], *([row[i] for i in kept] for row in cells)]
    natural = [
        max(cell_len(title), _widest(column, texts))
        for column, (title, *texts) in zip(columns, zip(*table, strict=True), strict=True)
    ]
    words = max(cell_len(word) for row in table for word in (row[-1] or " ").split(" "))
    wanted = [*natural[:-1], min(natural[-1], max(_LAST, min(words, width // 3)))]
    fitted, gap = fit_columns([*columns[:-1], columns[-1]._replace(minimum=_LAST)], wanted, width)
    used = sum(fitted[:-1]) + gap * sum(map(bool, fitted[:-1]))
    widths = [*fitted[:-1], min(natural[-1], max(8, width - used))]
    shown = [(i, column, size) for i, (column, size) in enumerate(zip(columns, widths, strict=True)) if size]
    for place, row in enumerate(table):
        role = TextRole.PLAIN if place else TextRole.DIM
        last = [plain(line) for line in wrap(row[-1], widths[-1])]
        for number, text in enumerate(last):
            texts = [*(row[:-1] if not number else [""] * (len(row) - 1)), text]
            parts = [_span(Cell(texts[i]), column, size).text for i, column, size in shown]
            yield (Span((" " * gap).join(parts).rstrip(), role),)
    hidden = [column.title for column, size in zip(columns, widths, strict=True) if not size]
    if hidden:
        yield from wrap(f"(no room for {', '.join(hidden)})", width)
