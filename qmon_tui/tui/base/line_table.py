"""A table of any length that draws only the visible rows, with a cursor that keeps its row."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import ClassVar

from rich.style import Style
from textual import events
from textual.binding import BindingType
from textual.geometry import Region
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from qmon_tui.report import Line, Rows, Span, TextRole, plain, wrap
from qmon_tui.tui.base.bindings import local_bindings
from qmon_tui.tui.base.span_widgets import SpanWidget, set_lines, to_strip


class LineTable(ScrollView, SpanWidget, can_focus=True):
    """A table of any length whose cursor stays on its row's key when the rows change."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"lines--cursor", "lines--cursor-blurred", "lines--hover"}
    DEFAULT_CSS = """
    LineTable { background: transparent; overflow-x: hidden; scrollbar-size-vertical: 1; }
    LineTable .lines--cursor { background: $cursor; text-style: bold; }
    LineTable .lines--cursor-blurred { background: $cursor-blurred; }
    LineTable .lines--hover { background: $hover; }
    LineTable:ansi .lines--cursor { background: ansi_default; text-style: reverse; }
    LineTable:ansi .lines--cursor-blurred { background: ansi_default; text-style: bold; }
    """
    BINDINGS: ClassVar[list[BindingType]] = local_bindings({
        "up": "move(-1)",
        "down": "move(1)",
        "page-up": "page(-1)",
        "page-down": "page(1)",
        "first": "edge(-1)",
        "last": "edge(1)",
        "open": "open",
    })  # fmt: skip

    @dataclass
    class Moved(Message):
        """The cursor is on another row; `key` is None if the table is empty."""

        table: "LineTable"
        key: Hashable | None

        @property
        def control(self) -> "LineTable":
            return self.table

    @dataclass
    class Opened(Message):
        """Enter or a double click on a row."""

        table: "LineTable"
        key: Hashable

        @property
        def control(self) -> "LineTable":
            return self.table

    def __init__(self, rows: Rows, *, empty: str = "", id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.rows = rows
        self._empty = empty
        self.cursor = 0
        self._hover = -1
        self._base = Style()
        self._head: Line | None = None
        self.lit: bool | None = None
        """True draws the cursor as with the focus, False does not draw it; None: depends on the focus."""

    @property
    def cursor_key(self) -> Hashable | None:
        return self.rows.key(self.cursor) if self.cursor < len(self.rows) else None

    @property
    def cursor_text(self) -> str:
        return self.rows.text(self.cursor) if self.cursor < len(self.rows) else ""

    @property
    def text(self) -> str:
        """All rows as they are drawn, without colours."""
        width = self.size.width - 1
        lines = [self.rows.head(width) or (), *(self.rows.line(i, width) for i in range(len(self.rows)))]
        return "\n".join(plain(spans).rstrip() for spans in lines)

    def show(self, rows: Rows, *, empty: str | None = None) -> None:
        """Replace the rows; the cursor follows its key, or keeps its row number if that key is gone."""
        before = self.cursor_key
        row = rows.find(before) if before is not None else None
        self.rows = rows
        self._empty = self._empty if empty is None else empty
        self.cursor = max(0, min(self.cursor, len(rows) - 1)) if row is None else row
        self._hover = -1
        self._measure()
        self._scroll_to_cursor()
        self.refresh()
        if self.cursor_key != before:
            self.post_message(self.Moved(self, self.cursor_key))

    def move_to(self, key: Hashable) -> bool:
        """Put the cursor on the row of a key; False if there is none."""
        row = self.rows.find(key)
        if row is not None:
            self._go(row)
        return row is not None

    def action_move(self, by: int) -> None:
        self._go(self.cursor + by)

    def action_page(self, by: int) -> None:
        self._go(self.cursor + by * max(1, self._room - 1))

    def action_edge(self, end: int) -> None:
        self._go(0 if end < 0 else len(self.rows) - 1)

    def action_open(self) -> None:
        if (key := self.cursor_key) is not None:
            self.post_message(self.Opened(self, key))

    @property
    def inner_width(self) -> int:
        """Cells of a line, without the scroll bar."""
        return self.scrollable_content_region.width or self.size.width

    @property
    def _head_height(self) -> int:
        return 1 if self.rows.head(max(20, self.size.width)) is not None else 0

    def _measure(self) -> None:
        """Set the height of the content: all rows and the heading, or the lines of the text for an empty table."""
        empty = 0 if len(self.rows) else len(self._empty_lines)
        set_lines(self, max(len(self.rows) + self._head_height, empty))

    @property
    def _empty_lines(self) -> tuple[Line, ...]:
        """Text for an empty table, wrapped."""
        return wrap(self._empty, self.inner_width - 1, TextRole.DIM, first=" ", rest=" ") if self._empty else ()

    @property
    def _room(self) -> int:
        return max(0, self.size.height - self._head_height)

    def _go(self, index: int) -> None:
        index = max(0, min(index, len(self.rows) - 1))
        if index == self.cursor or not len(self.rows):
            return
        before, self.cursor = self.cursor, index
        self._scroll_to_cursor()
        self._refresh_row(before)
        self._refresh_row(index)
        self.post_message(self.Moved(self, self.cursor_key))

    def _refresh_row(self, index: int) -> None:
        """Draw one row again, if it is visible."""
        y = index - self.scroll_offset.y + self._head_height
        if 0 <= y < self.size.height:
            self.refresh(Region(0, y, self.size.width, 1))

    def _scroll_to_cursor(self) -> None:
        top, room = self.scroll_offset.y, self._room
        if room and not top <= self.cursor < top + room:
            self.scroll_to(y=self.cursor if self.cursor < top else self.cursor - room + 1, animate=False)

    def on_resize(self) -> None:
        self._measure()
        self._scroll_to_cursor()

    def on_focus(self) -> None:
        self.refresh()

    def on_blur(self) -> None:
        self.refresh()

    def _row_at(self, event: events.MouseEvent) -> int | None:
        offset = event.get_content_offset(self)
        if offset is None or offset.y < self._head_height:
            return None
        index = offset.y - self._head_height + self.scroll_offset.y
        return index if index < len(self.rows) else None

    async def _on_click(self, event: events.Click) -> None:
        if (index := self._row_at(event)) is not None:
            self._go(index)
            if event.chain == 2:
                self.action_open()

    def _on_mouse_move(self, event: events.MouseMove) -> None:
        index = self._row_at(event)
        hover = -1 if index is None else index
        if hover != self._hover:
            self._hover = hover
            self.refresh()

    def _on_leave(self, event: events.Leave) -> None:
        self._hover = -1
        self.refresh()

    def render_lines(self, crop: Region) -> list[Strip]:
        """Render some lines; compute their common style and heading once."""
        self._base, self._head = self.rich_style, self.rows.head(self.inner_width - 1)
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        width, base = self.inner_width, self._base
        inner = width - 1
        head = 0 if self._head is None else 1
        if y < head:
            return to_strip(self, (Span(" "), *(self._head or ())), width, base)
        index = y - head + self.scroll_offset.y
        if index >= len(self.rows):
            words = self._empty_lines
            return to_strip(self, words[index] if not len(self.rows) and index < len(words) else (), width, base)
        at_cursor = index == self.cursor and self.lit is not False
        style = base
        if at_cursor:
            style += self._component("lines--cursor" if self.lit or self.has_focus else "lines--cursor-blurred")
        elif index == self._hover:
            style += self._component("lines--hover")
        return to_strip(self, (Span("▸" if at_cursor else " "), *self.rows.line(index, inner)), width, style)

    def _component(self, name: str) -> Style:
        style = self.get_component_rich_style(name, partial=True)
        return Style(bgcolor=style.bgcolor, bold=style.bold, reverse=style.reverse)
