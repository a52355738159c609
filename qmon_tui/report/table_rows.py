"""The protocol of a table's rows, simple columns, sort keys, and the line of tabs."""

import re
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Sequence
from enum import StrEnum
from typing import Final, Generic, NamedTuple, Protocol, TypeVar

from qmon_tui.report.spans import Line, Span, TextRole, fit, left, plain, right
from qmon_tui.values import is_number, parse_number


class Rows(Protocol):
    """Rows of a table, drawn one at a time."""

    def __len__(self) -> int:
        """Return the number of rows."""

    def key(self, index: int) -> Hashable:
        """Return the key of a row; it is stable across refreshes."""

    def find(self, key: Hashable) -> int | None:
        """Return the index of the row with this key, or of a related row; None without one."""

    def head(self, cells: int) -> Line | None:
        """Return the column titles; None for a table without titles."""

    def line(self, index: int, cells: int) -> Line:
        """Return one row, at most `cells` wide."""

    def text(self, index: int) -> str:
        """Return one row as plain text, for copying and filtering."""


T = TypeVar("T")


class ListRows(ABC, Generic[T]):
    """Rows of a list of items, without headings; subclasses draw a `line`. The key of a row is its item."""

    def __init__(self, items: Iterable[T] = ()) -> None:
        self.items = tuple(items)

    def __len__(self) -> int:
        return len(self.items)

    def key(self, index: int) -> Hashable:
        """Return the item; subclasses with changing items return a stable key."""
        item = self.items[index]
        assert isinstance(item, Hashable)
        return item

    def find(self, key: Hashable) -> int | None:
        return next((index for index in range(len(self)) if self.key(index) == key), None)

    def at(self, key: Hashable) -> T | None:
        index = self.find(key)
        return None if index is None else self.items[index]

    def head(self, cells: int) -> Line | None:
        return None

    @abstractmethod
    def line(self, index: int, cells: int) -> Line:
        """Return one row, at most `cells` wide."""

    def text(self, index: int) -> str:
        return plain(self.line(index, _WIDE)).strip()


def contains(text: str, words: str) -> bool:
    """Return True if the text contains all of the words, ignoring case."""
    return all(word in text.casefold() for word in words.casefold().split())


class Column(NamedTuple):
    """One column: key, title, width in cells, and True for right-aligned values."""

    key: str
    title: str
    cells: int
    right: bool = False

    def cell(self, text: str, role: TextRole = TextRole.PLAIN) -> Span:
        """Return a value cropped or padded to the column."""
        return Span(right(text, self.cells) if self.right else left(text, self.cells), role)


def titles(columns: Sequence[Column], gap: str = " ") -> Line:
    """Return the line of column titles."""
    return tuple(span for column in columns for span in (column.cell(column.title, TextRole.DIM), Span(gap)))


def part_at(parts: Iterable[tuple[T, int]], start: int, cell: int) -> T | None:
    """Return the part at a cell of a line; `parts` have widths, the first begins at `start`; None outside."""
    for part, width in parts:
        if start <= cell < start + width:
            return part
        start += width
    return None


def longest(texts: Sequence[str], least: int, most: int) -> int:
    """Return the length of the longest text, limited to `least` to `most`."""
    return max(least, min(most, max((len(text) for text in texts), default=least)))


_WIDE: Final = 400
_DIGITS: Final = re.compile(r"([0-9]{1,18})")


def natural_order(text: str) -> tuple[int, float, list[tuple[int, int, str]]]:
    """Return the sort key of a text: numbers by value and before words, digits in words as numbers."""
    if is_number(text) and not text.isalpha():
        return (0, parse_number(text), [])
    parts = _DIGITS.split(text.casefold())
    # Odd places hold the digits, so that node2 comes before node10.
    return (1, 0.0, [_digits_order(part) if i % 2 else (0, 0, part) for i, part in enumerate(parts)])


def _digits_order(digits: str) -> tuple[int, int, str]:
    """Return the sort key of digits by value; there may be more digits than `int` accepts."""
    number = digits.lstrip("0")
    return (1, len(number), number)


Tab = TypeVar("Tab", bound=StrEnum)


def tab_line(chosen: StrEnum, cells: int) -> Line:
    """Return the titles of all members, the chosen one marked."""
    spans = [Span(" ")]
    for tab in type(chosen):
        is_chosen = tab is chosen
        spans.append(Span(f"[{tab}]" if is_chosen else f" {tab} ", TextRole.ACCENT if is_chosen else TextRole.DIM))
        spans.append(Span(" "))
    return fit(spans, cells)


def tab_at(tabs: type[Tab], cell: int) -> Tab | None:
    """Return the member whose title is at a cell of `tab_line`; None outside."""
    start = 1
    for tab in tabs:
        if start <= cell < start + len(tab) + 2:
            return tab
        start += len(tab) + 3
    return None
