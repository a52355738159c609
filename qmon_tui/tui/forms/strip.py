"""Names of which one is chosen: the tabs of a form, or the hosts that a value is for."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.style import Style
from rich.text import Text
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget

from qmon_tui.tui.forms.arranging import Arrangement, Item, arrange, gravest_mark
from qmon_tui.tui.present.spans import TextRole
from qmon_tui.tui.themes import looks

_CHOSEN = Style(underline=True, bold=True)


class Strip(Widget):
    """Names side by side; a click chooses one. What does not fit is a step to the left or right away."""

    DEFAULT_CSS = "Strip { height: auto; }"

    @dataclass
    class Chosen(Message):
        """A name was clicked."""

        strip: "Strip"
        key: str

        @property
        def control(self) -> "Strip":
            """The strip that posted this."""
            return self.strip

    def __init__(self, lead: str = "", *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._lead = lead
        self._items: tuple[Item, ...] = ()
        self._chosen = 0
        self._lines = 1

    @property
    def items(self) -> tuple[Item, ...]:
        """All names, also those out of sight."""
        return self._items

    @property
    def chosen(self) -> str | None:
        """The key of the chosen item."""
        return self._items[self._chosen].key if self._items else None

    def show(self, items: Sequence[Item], chosen: str, *, lines: int = 1) -> None:
        """Show these names, one of them chosen, on at most so many lines."""
        keys = [item.key for item in items]
        place_of = keys.index(chosen) if chosen in keys else 0
        if (tuple(items), place_of, lines) != (self._items, self._chosen, self._lines):
            self._items, self._chosen, self._lines = tuple(items), place_of, lines
            self.refresh(layout=True)

    def neighbour(self, by: int) -> str | None:
        """The key of the item so many places on, around the ends."""
        return self._items[(self._chosen + by) % len(self._items)].key if self._items else None

    def _arranged(self, cells: int) -> Arrangement:
        return arrange(self._items, self._chosen, len(self._lead), cells, self._lines)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many lines as the names need."""
        return self._arranged(width).height

    def render(self) -> Text:
        """The names in their lines."""
        styles, cells = looks(self.app), self.size.width
        arranged = self._arranged(cells)
        text = Text(self._lead, styles[TextRole.DIM], no_wrap=True, end="")
        if arranged.before:
            mark = gravest_mark(arranged.before)
            text.append(f"‹{mark.text}", styles[mark.role])
        row, at = 0, text.cell_len
        for one in arranged.placed:
            if one.row != row:
                text.append("\n")
                row, at = one.row, 0
            text.append(" " * (one.start - at))
            chosen = bool(self._items) and one.item.key == self.chosen
            text.append(one.title, styles[TextRole.ACCENT] + _CHOSEN if chosen else styles[TextRole.DIM])
            for sign in one.item.marks:
                text.append(sign.text, styles[sign.role])
            at = one.end
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
        for one in arranged.placed:
            if one.row == offset.y and one.start <= offset.x <= one.end:
                self.post_message(self.Chosen(self, one.item.key))
                return
        step = -1 if arranged.before and offset.x < len(self._lead) + 2 else 0
        step = 1 if arranged.after and offset.x >= self.size.width - 2 else step
        if step and (key := self.neighbour(step)) is not None:
            self.post_message(self.Chosen(self, key))
