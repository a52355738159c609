"""Names side by side of which one is chosen, on one line or two; no Textual here."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len

from qmon_tui.tui.present.spans import Span, TextRole, width

_WAYS = ((False, 2), (True, 2), (True, 1))
"""Whether titles are short, and the blanks between them: what is tried in this order."""


@dataclass(frozen=True, slots=True)
class Item:
    """One name of a strip; marks follow it. `short` is used where the full titles do not fit."""

    key: str
    title: str
    marks: tuple[Span, ...] = ()
    short: str = ""


@dataclass(frozen=True, slots=True)
class Placed:
    """An item, the title that fits, and where it begins."""

    item: Item
    title: str
    row: int
    start: int

    @property
    def end(self) -> int:
        """The first cell after it."""
        return self.start + cell_len(self.title) + width(self.item.marks)


@dataclass(frozen=True, slots=True)
class Arrangement:
    """The items in sight, and those that are a step to the left or to the right."""

    placed: tuple[Placed, ...] = ()
    before: tuple[Item, ...] = ()
    after: tuple[Item, ...] = ()

    @property
    def height(self) -> int:
        """Lines that it takes."""
        return max((placed.row for placed in self.placed), default=0) + 1


def arrange(items: Sequence[Item], chosen: int, lead: int, cells: int, lines: int) -> Arrangement:
    """All items on as few lines as they need; where they do not fit, one line around the chosen one."""
    for rows in range(1, lines + 1):
        for short, gap in _WAYS:
            placed = _flow(items, lead, cells, short=short, gap=gap)
            if all(one.row < rows and one.end <= cells for one in placed):
                return Arrangement(placed)
    for first in range(len(items)):
        at = lead + (2 if first else 0)
        shown: list[Placed] = []
        for index in range(first, len(items)):
            one = Placed(items[index], items[index].short or items[index].title, 0, at)
            if shown and one.end > cells - (0 if index == len(items) - 1 else 2):
                break
            shown.append(one)
            at = one.end + 2
        if chosen < first + len(shown):
            return Arrangement(tuple(shown), tuple(items[:first]), tuple(items[first + len(shown) :]))
    return Arrangement()


def gravest_mark(items: Iterable[Item]) -> Span:
    """The gravest mark of names out of sight, so that a mistake behind the edge is not missed."""
    marks = {mark.role: mark.text.strip() for item in items for mark in item.marks}
    role = next((role for role in (TextRole.ERROR, TextRole.WARNING, TextRole.CHANGED) if role in marks), TextRole.DIM)
    return Span(marks.get(role, "")[:1] or " ", role)


def _flow(items: Sequence[Item], lead: int, cells: int, *, short: bool, gap: int) -> tuple[Placed, ...]:
    placed: list[Placed] = []
    row, at = 0, lead
    for item in items:
        one = Placed(item, (short and item.short) or item.title, row, at)
        if one.end > cells and at > lead:
            row += 1
            one = Placed(item, one.title, row, lead)
        placed.append(one)
        at = one.end + gap
    return tuple(placed)
