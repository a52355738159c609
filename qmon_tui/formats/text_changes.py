"""Changes to a text by position, and positions as line and column."""

from bisect import bisect_right
from collections.abc import Iterable
from typing import NamedTuple


class TextChange(NamedTuple):
    """Replace text[start:end]; start == end inserts."""

    start: int
    end: int
    text: str


def apply_changes(text: str, changes: Iterable[TextChange]) -> str:
    """Return the text after all changes; insertions at one place keep order. Raises ValueError if they overlap."""
    parts = []
    done = 0
    for change in sorted(changes, key=lambda change: (change.start, change.end)):
        if change.start < done:
            raise ValueError(f"changes overlap at position {change.start}")
        parts += [text[done : change.start], change.text]
        done = change.end
    return "".join([*parts, text[done:]])


class LineIndex:
    """Finds the 1-based line and column of a position; lines end in LF."""

    __slots__ = ("_starts",)

    def __init__(self, text: str) -> None:
        starts = [0]
        position = text.find("\n")
        while position >= 0:
            starts.append(position + 1)
            position = text.find("\n", position + 1)
        self._starts = starts

    def line(self, position: int) -> int:
        return bisect_right(self._starts, position)

    def column(self, position: int) -> int:
        return position - self._starts[self.line(position) - 1] + 1


def line_start(text: str, position: int) -> int:
    """Return where the line of a position begins."""
    return text.rfind("\n", 0, position) + 1


def line_end(text: str, position: int) -> int:
    """Return where the line after that of a position begins, or the end of the text."""
    newline = text.find("\n", position)
    return len(text) if newline < 0 else newline + 1
