"""One line of names of which one is chosen: the tabs of a form, or the hosts that a value is for."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.style import Style
from rich.text import Text
from textual import events
from textual.message import Message
from textual.widget import Widget

from qmon_tui.tui.present.spans import Idea, Span, width
from qmon_tui.tui.themes import looks

_GAP = 2
_UNDERLINED = Style(underline=True, bold=True)


@dataclass(frozen=True, slots=True)
class Item:
    """One name of a strip; marks follow it."""

    key: str
    title: str
    marks: tuple[Span, ...] = ()

    @property
    def cells(self) -> int:
        """Terminal cells that it takes."""
        return width((Span(self.title), *self.marks))


@dataclass(frozen=True, slots=True)
class Placed:
    """An item and the cell in which it begins."""

    item: Item
    start: int


def place(items: Sequence[Item], chosen: int, lead: int, cells: int) -> tuple[tuple[Placed, ...], bool, bool]:
    """The items in sight, among them the chosen one, and whether there are more to the left and to the right."""
    if not items:
        return (), False, False
    first = 0
    while True:
        placed: list[Placed] = []
        at = lead + (2 if first else 0)
        for index in range(first, len(items)):
            last = index == len(items) - 1
            if placed and at + items[index].cells > cells - (0 if last else 2):
                break
            placed.append(Placed(items[index], at))
            at += items[index].cells + _GAP
        end = first + len(placed)
        if chosen < end or first == len(items) - 1:
            return tuple(placed), first > 0, end < len(items)
        first += 1


class Strip(Widget):
    """Names side by side; a click chooses one. What does not fit is a step to the left or right away."""

    DEFAULT_CSS = "Strip { height: 1; }"

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

    @property
    def items(self) -> tuple[Item, ...]:
        """All names, also those out of sight."""
        return self._items

    @property
    def chosen(self) -> str | None:
        """The key of the chosen item."""
        return self._items[self._chosen].key if self._items else None

    def show(self, items: Sequence[Item], chosen: str) -> None:
        """Show these names, one of them chosen."""
        keys = [item.key for item in items]
        place_of = keys.index(chosen) if chosen in keys else 0
        if (tuple(items), place_of) != (self._items, self._chosen):
            self._items, self._chosen = tuple(items), place_of
            self.refresh()

    def neighbour(self, by: int) -> str | None:
        """The key of the item so many places on, around the ends."""
        return self._items[(self._chosen + by) % len(self._items)].key if self._items else None

    def _worst_of(self, items: Sequence[Item]) -> tuple[str, Idea]:
        """The gravest mark of names out of sight, so that a mistake behind the edge is not missed."""
        marks = {mark.idea: mark.text for item in items for mark in item.marks}
        idea = next((idea for idea in (Idea.ERROR, Idea.WARNING, Idea.CHANGED) if idea in marks), Idea.DIM)
        return marks.get(idea, "").strip(), idea

    def _placed(self) -> tuple[tuple[Placed, ...], bool, bool]:
        return place(self._items, self._chosen, len(self._lead), self.size.width)

    def render(self) -> Text:
        """The names as a line."""
        styles = looks(self.app)
        placed, before, after = self._placed()
        text = Text(self._lead, styles[Idea.DIM], no_wrap=True, end="")
        if before:
            sign, idea = self._worst_of(self._items[: self._items.index(placed[0].item)])
            text.append(f"‹{sign[:1] or ' '}", styles[idea])
        for number, entry in enumerate(placed):
            chosen = bool(self._items) and entry.item is self._items[self._chosen]
            if number:
                text.append(" " * _GAP)
            style = styles[Idea.ACCENT] + _UNDERLINED if chosen else styles[Idea.DIM]
            text.append(entry.item.title, style)
            for mark in entry.item.marks:
                text.append(mark.text, styles[mark.idea])
        if after:
            sign, idea = self._worst_of(self._items[self._items.index(placed[-1].item) + 1 :])
            text.append(" " * (self.size.width - text.cell_len - 2))
            text.append(f"{sign[:1] or ' '}›", styles[idea])
        return text

    def on_click(self, event: events.Click) -> None:
        """Choose the name that was clicked, or the next one beyond the edge."""
        placed, before, after = self._placed()
        for entry in placed:
            if entry.start <= event.x < entry.start + entry.item.cells + 1:
                self.post_message(self.Chosen(self, entry.item.key))
                return
        if (before and event.x <= len(self._lead) + 1) or (after and event.x >= self.size.width - 2):
            key = self.neighbour(-1 if event.x <= len(self._lead) + 1 else 1)
            if key is not None:
                self.post_message(self.Chosen(self, key))
