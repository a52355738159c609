"""A table that draws only the lines in sight: fast for any number of rows, selection kept by key."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from qmon_tui.tui.base.columns import GAP, TONES, Cell, Column, GridRow, fit_columns

_LEAD = 3
"""Cells before the first column: cursor, sign, blank."""


class Grid(ScrollView, can_focus=True):
    """Rows under a heading that stays; the cursor stays on its row's key when rows change."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "grid--head",
        "grid--sorted",
        "grid--row",
        "grid--cursor",
        "grid--cursor-blurred",
        *(f"grid--{tone}" for tone in TONES),
    }
    DEFAULT_CSS = """
    Grid {
        background: transparent;
        overflow-x: hidden;
        scrollbar-size-vertical: 1;
        .grid--head { color: $text-muted; text-style: none; }
        .grid--sorted { color: $text-accent; text-style: bold; }
        .grid--row { color: $foreground; }
        .grid--cursor { background: $block-cursor-background; color: $block-cursor-foreground; text-style: bold; }
        .grid--cursor-blurred { background: $surface; color: $foreground; text-style: bold; }
        .grid--muted { color: $text-muted; }
        .grid--strong { text-style: bold; }
        .grid--accent { color: $text-accent; }
        .grid--success { color: $text-success; }
        .grid--warning { color: $text-warning; }
        .grid--error { color: $text-error; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", "Up", show=False),
        Binding("down,j", "move(1)", "Down", show=False),
        Binding("pageup,ctrl+u", "page(-1)", "Page up", show=False),
        Binding("pagedown,ctrl+d", "page(1)", "Page down", show=False),
        Binding("home,g", "edge(-1)", "First", show=False),
        Binding("end,G", "edge(1)", "Last", show=False),
        Binding("enter", "open", "Open", show=False),
    ]

    @dataclass
    class Moved(Message):
        """The cursor is on another row; the key is None where there is none."""

        grid: "Grid"
        key: str | None

        @property
        def control(self) -> "Grid":
            """The grid that posted this."""
            return self.grid

    @dataclass
    class Opened(Message):
        """Enter or a double click on a row."""

        grid: "Grid"
        key: str

        @property
        def control(self) -> "Grid":
            """The grid that posted this."""
            return self.grid

    @dataclass
    class HeadPressed(Message):
        """A click on a column's heading."""

        grid: "Grid"
        column: str

        @property
        def control(self) -> "Grid":
            """The grid that posted this."""
            return self.grid

    def __init__(
        self,
        columns: Sequence[Column] = (),
        *,
        empty: str = "",
        show_head: bool = True,
        id: str | None = None,  # noqa: A002
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self._columns = tuple(columns)
        self._rows: tuple[GridRow, ...] = ()
        self._index: dict[str, int] = {}
        self._natural: tuple[int, ...] = ()
        self._widths: tuple[int, ...] = ()
        self._sort: tuple[str, bool] | None = None
        self._empty = empty
        self._head = 1 if show_head else 0
        self._cursor = 0

    @property
    def rows(self) -> tuple[GridRow, ...]:
        """What the table shows, top to bottom."""
        return self._rows

    @property
    def cursor_key(self) -> str | None:
        """The key of the row under the cursor."""
        return self._rows[self._cursor].key if self._rows else None

    def show_rows(
        self,
        rows: Sequence[GridRow],
        *,
        columns: Sequence[Column] | None = None,
        sort: tuple[str, bool] | None = None,
        empty: str | None = None,
    ) -> None:
        """Replace the rows; the cursor stays on its key, or near where it was if that key is gone."""
        before = self.cursor_key
        if columns is not None:
            self._columns = tuple(columns)
        if empty is not None:
            self._empty = empty
        self._sort = sort
        self._rows = tuple(rows)
        self._index = {row.key: number for number, row in enumerate(self._rows)}
        self._natural = tuple(
            max([cell_len(column.title) + 1 * (column.align == "right"), *(cell_len(r.cells[i].text) for r in rows)])
            for i, column in enumerate(self._columns)
        )
        self._cursor = self._index.get(before or "", min(self._cursor, max(len(self._rows) - 1, 0)))
        self._fit()
        self._scroll_to_cursor()
        self.refresh()
        if self.cursor_key != before:
            self.post_message(self.Moved(self, self.cursor_key))

    def move_to(self, key: str | None) -> bool:
        """Put the cursor on a row; False where no row has that key."""
        if key is None or key not in self._index:
            return False
        self._go(self._index[key])
        return True

    def action_move(self, by: int) -> None:
        """Move the cursor by lines."""
        self._go(self._cursor + by)

    def action_page(self, by: int) -> None:
        """Move the cursor by pages."""
        self._go(self._cursor + by * max(self.size.height - self._head - 1, 1))

    def action_edge(self, end: int) -> None:
        """Move the cursor to the first or the last row."""
        self._go(0 if end < 0 else len(self._rows) - 1)

    def action_open(self) -> None:
        """Say that the row under the cursor is to be opened."""
        if (key := self.cursor_key) is not None:
            self.post_message(self.Opened(self, key))

    def on_resize(self) -> None:
        """Fit the columns to the new width."""
        self._fit()
        self._scroll_to_cursor()

    def on_focus(self) -> None:
        """The cursor looks different with the focus."""
        self.refresh()

    def on_blur(self) -> None:
        """The cursor looks different without the focus."""
        self.refresh()

    async def _on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if offset is None:
            return
        if self._head and offset.y == 0:
            if (column := self._column_at(offset.x)) is not None:
                self.post_message(self.HeadPressed(self, column.key))
            return
        line = offset.y - self._head + self.scroll_offset.y
        if 0 <= line < len(self._rows):
            self._go(line)
            if event.chain == 2:
                self.action_open()

    def render_line(self, y: int) -> Strip:
        """The strip for one line of the widget: the heading, a row, or nothing."""
        width = self.size.width
        if self._head and y == 0:
            return self._render_head(width)
        line = y - self._head + self.scroll_offset.y
        if 0 <= line < len(self._rows):
            return self._render_row(line, width)
        base = self.rich_style
        if not self._rows and y == self._head and self._empty:
            style = base + self._tone("muted")
            return Strip([Segment(set_cell_size(" " * _LEAD + self._empty, width), style)], width)
        return Strip([Segment(" " * width, base)], width)

    def _render_head(self, width: int) -> Strip:
        base = self.rich_style
        plain = base + self.get_component_rich_style("grid--head", partial=True)
        active = base + self.get_component_rich_style("grid--sorted", partial=True)
        segments = [Segment(" " * _LEAD, plain)]
        for column, cells in self._visible():
            title, style = column.title, plain
            if self._sort and self._sort[0] == column.key:
                title, style = f"{title}{'▼' if self._sort[1] else '▲'}", active
            segments.append(Segment(_sized(title, cells, column.align), style))
            segments.append(Segment(" " * GAP, plain))
        return Strip(segments).adjust_cell_length(width, plain)

    def _render_row(self, line: int, width: int) -> Strip:
        row = self._rows[line]
        at_cursor = line == self._cursor
        focused = at_cursor and self.has_focus
        base = self.rich_style + self.get_component_rich_style("grid--row", partial=True)
        if at_cursor:
            name = "grid--cursor" if focused else "grid--cursor-blurred"
            base = self.rich_style + self.get_component_rich_style(name)
        segments = [Segment("▸" if at_cursor else " ", base), self._segment(row.sign, 1, "left", base, focused)]
        segments.append(Segment(" ", base))
        by_key = dict(zip((c.key for c in self._columns), row.cells, strict=True))
        for column, cells in self._visible():
            segments.append(self._segment(by_key[column.key], cells, column.align, base, focused))
            segments.append(Segment(" " * GAP, base))
        return Strip(segments).adjust_cell_length(width, base)

    def _segment(self, cell: Cell, width: int, align: str, base: Style, focused: bool) -> Segment:
        style = base if focused or not cell.tone else base + self._tone(cell.tone)
        return Segment(_sized(cell.text, width, align), style)

    def _tone(self, tone: str) -> Style:
        return self.get_component_rich_style(f"grid--{tone}", partial=True)

    def _visible(self) -> list[tuple[Column, int]]:
        return [(column, cells) for column, cells in zip(self._columns, self._widths, strict=True) if cells]

    def _column_at(self, x: int) -> Column | None:
        left = _LEAD
        for column, cells in self._visible():
            if left <= x < left + cells + GAP:
                return column
            left += cells + GAP
        return None

    def _fit(self) -> None:
        width = max(self.size.width - _LEAD, 1)
        natural = self._natural or tuple(cell_len(column.title) for column in self._columns)
        self._widths = fit_columns(self._columns, natural, width)
        self.virtual_size = Size(0, len(self._rows) + self._head)

    def _go(self, index: int) -> None:
        index = max(0, min(index, len(self._rows) - 1))
        if index == self._cursor or not self._rows:
            return
        self._cursor = index
        self._scroll_to_cursor()
        self.refresh()
        self.post_message(self.Moved(self, self.cursor_key))

    def _scroll_to_cursor(self) -> None:
        """Keep the cursor in the part of the widget that the heading leaves."""
        room = self.size.height - self._head
        if room <= 0:
            return
        top = self.scroll_offset.y
        if self._cursor < top:
            self.scroll_to(y=self._cursor, animate=False)
        elif self._cursor >= top + room:
            self.scroll_to(y=self._cursor - room + 1, animate=False)

    def cursor_region(self) -> Region:
        """Where the cursor's line is on the screen, for pop-ups that belong to it."""
        line = self._cursor - self.scroll_offset.y + self._head
        return Region(self.content_region.x, self.content_region.y + line, self.size.width, 1)


def _sized(text: str, width: int, align: str) -> str:
    length = cell_len(text)
    if length > width:
        return set_cell_size(text, width - 1) + "…" if width > 1 else set_cell_size(text, width)
    blanks = " " * (width - length)
    return blanks + text if align == "right" else text + blanks
