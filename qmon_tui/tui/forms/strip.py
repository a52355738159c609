"""A line of names, one of them chosen: the tabs of a form, or the scopes of a value."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget

from qmon_tui.report import Span, TextRole, width
from qmon_tui.tui.base import role_styles

_LAYOUTS = ((False, 2), (True, 2), (True, 1))
"""Layouts in the order in which they are tried: True for short titles, and the blanks between them."""


@dataclass(frozen=True, slots=True)
class Item:
    """One name of a strip; marks follow it. `short` is used if the full titles do not fit."""

    key: str
    title: str
    marks: tuple[Span, ...] = ()
    short: str = ""


@dataclass(frozen=True, slots=True)
class Placed:
    """An item, the title that fits, and the row and cell in which it begins."""

    item: Item
    title: str
    row: int
    start: int

    @property
    def end(self) -> int:
        """The first cell after the title and its marks."""
        return self.start + cell_len(self.title) + width(self.item.marks)


@dataclass(frozen=True, slots=True)
class Arrangement:
    """The visible items, and those hidden to the left and to the right."""

    placed: tuple[Placed, ...] = ()
    before: tuple[Item, ...] = ()
    after: tuple[Item, ...] = ()

    @property
    def height(self) -> int:
        return max((placed.row for placed in self.placed), default=0) + 1


def arrange(items: Sequence[Item], chosen: int, lead: int, cells: int, lines: int) -> Arrangement:
    """Place all items after `lead` cells on at most `lines` lines, else one line around the item of index `chosen`."""
    for rows in range(1, lines + 1):
        for short, gap in _LAYOUTS:
            placed = _flow(items, lead, cells, short=short, gap=gap)
            if all(placed_item.row < rows and placed_item.end <= cells for placed_item in placed):
                return Arrangement(placed)
    for first in range(len(items)):
        at = lead + (2 if first else 0)
        shown: list[Placed] = []
        for index in range(first, len(items)):
            placed_item = Placed(items[index], items[index].short or items[index].title, 0, at)
            if shown and placed_item.end > cells - (0 if index == len(items) - 1 else 2):
                break
            shown.append(placed_item)
            at = placed_item.end + 2
        if chosen < first + len(shown):
            return Arrangement(tuple(shown), tuple(items[:first]), tuple(items[first + len(shown) :]))
    return Arrangement()


def gravest_mark(items: Iterable[Item]) -> Span:
    """Return the gravest mark of hidden items, so that no error beyond the edge is missed."""
    marks = {mark.role: mark.text.strip() for item in items for mark in item.marks}
    role = next((role for role in (TextRole.ERROR, TextRole.WARNING, TextRole.CHANGED) if role in marks), TextRole.DIM)
    return Span(marks.get(role, "")[:1] or " ", role)


def _flow(items: Sequence[Item], lead: int, cells: int, *, short: bool, gap: int) -> tuple[Placed, ...]:
    placed: list[Placed] = []
    row, at = 0, lead
    for item in items:
        placed_item = Placed(item, (short and item.short) or item.title, row, at)
        if placed_item.end > cells and at > lead:
            row += 1
            placed_item = Placed(item, placed_item.title, row, lead)
        placed.append(placed_item)
        at = placed_item.end + gap
    return tuple(placed)


_CHOSEN = Style(underline=True, bold=True)


class Strip(Widget):
    """Names side by side; a click chooses one. Names that do not fit are hidden to the left and right."""

    DEFAULT_CSS = "Strip { height: auto; }"

    @dataclass
    class Chosen(Message):
        """A name was clicked."""

        strip: "Strip"
        key: str

        @property
        def control(self) -> "Strip":
            return self.strip

    def __init__(self, lead: str = "", *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._lead = lead
        self.items: tuple[Item, ...] = ()
        """All names, including hidden ones."""
        self._chosen = 0
        self._lines = 1

    @property
    def chosen(self) -> str | None:
        return self.items[self._chosen].key if self.items else None

    def show(self, items: Sequence[Item], chosen: str, *, lines: int = 1) -> None:
        """Show these names, one of them chosen, on at most `lines` lines."""
        keys = [item.key for item in items]
        place_of = keys.index(chosen) if chosen in keys else 0
        if (tuple(items), place_of, lines) != (self.items, self._chosen, self._lines):
            before = self._arranged(self.size.width).height
            self.items, self._chosen, self._lines = tuple(items), place_of, lines
            self.refresh(layout=self._arranged(self.size.width).height != before)

    def neighbour(self, by: int) -> str | None:
        """Return the key of the item `by` places further, wrapping around; None if there are no items."""
        return self.items[(self._chosen + by) % len(self.items)].key if self.items else None

    def _arranged(self, cells: int) -> Arrangement:
        return arrange(self.items, self._chosen, len(self._lead), cells, self._lines)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return self._arranged(width).height

    def render(self) -> Text:
        styles, cells = role_styles(self.app), self.size.width
        arranged = self._arranged(cells)
        text = Text(self._lead, styles[TextRole.DIM], no_wrap=True, end="")
        if arranged.before:
            mark = gravest_mark(arranged.before)
            text.append(f"‹{mark.text}", styles[mark.role])
        row, at = 0, text.cell_len
        for placed in arranged.placed:
            if placed.row != row:
                text.append("\n")
                row, at = placed.row, 0
            text.append(" " * (placed.start - at))
            chosen = bool(self.items) and placed.item.key == self.chosen
            text.append(placed.title, styles[TextRole.ACCENT] + _CHOSEN if chosen else styles[TextRole.DIM])
            for sign in placed.item.marks:
                text.append(sign.text, styles[sign.role])
            at = placed.end
        if arranged.after:
            mark = gravest_mark(arranged.after)
            text.append(" " * max(cells - at - 2, 0))
            text.append(f"{mark.text}›", styles[mark.role])
        return text

    def on_click(self, event: events.Click) -> None:
        """Choose the name that was clicked, or the next one beyond the edge."""
        offset = event.get_content_offset(self)
        if offset is None:
            return
        arranged = self._arranged(self.size.width)
        for placed in arranged.placed:
            if placed.row == offset.y and placed.start <= offset.x <= placed.end:
                self.post_message(self.Chosen(self, placed.item.key))
                return
        step = -1 if arranged.before and offset.x < len(self._lead) + 2 else 0
        step = 1 if arranged.after and offset.x >= self.size.width - 2 else step
        if step and (key := self.neighbour(step)) is not None:
            self.post_message(self.Chosen(self, key))
