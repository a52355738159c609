"""Lines of text whose parts have a role instead of a colour; the theme decides how a role looks."""

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from rich.cells import cell_len, chop_cells, set_cell_size


class TextRole(StrEnum):
    """The meaning of a piece of text; a theme has one style for each."""

    PLAIN = "plain"
    DIM = "dim"
    """Quieter than the rest, but as easy to read: units, headings, remarks."""
    FAINT = "faint"
    """Unimportant: a key that is not possible now, the track of a bar."""
    STRONG = "strong"
    TITLE = "title"
    ACCENT = "accent"
    URGENCY = "urgency"
    TICKETS = "tickets"
    POSIX = "posix"
    RUNNING = "running"
    WAITING = "waiting"
    HELD = "held"
    SUSPENDED = "suspended"
    FAILED = "failed"
    MOVED_UP = "moved-up"
    MOVED_DOWN = "moved-down"
    MOVED = "moved"
    ERROR = "error"
    WARNING = "warning"
    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


class Span(NamedTuple):
    """A piece of text, its role, and the action of a click on it (empty without one)."""

    text: str
    role: TextRole = TextRole.PLAIN
    action: str = ""


Line = tuple[Span, ...]


def line(*parts: Span | str) -> Line:
    """Return a line of spans and plain strings; empty parts are left out."""
    return tuple(part if isinstance(part, Span) else Span(part) for part in parts if part and part != Span(""))


def plain(spans: Iterable[Span]) -> str:
    """Return the text of a line without its roles."""
    return "".join(span.text for span in spans)


_CONTROL_CHARACTERS: Final = re.compile(
    r"[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff"
    r"\ufeff\ufff0-\ufffb\U000e0000-\U000e007f]"
)
"""Control characters, marks of the writing direction, and invisible characters."""


def visible(text: str, *, stand_in: bool = True) -> str:
    """Return a text without control characters: `␉` replaces a tab; without `stand_in` they are left out."""
    if text.isprintable():
        return text
    return _CONTROL_CHARACTERS.sub(_control_picture if stand_in else "", text)


def _control_picture(match: re.Match[str]) -> str:
    code = ord(match[0])
    return chr(0x2400 + code) if code < 0x20 else "␡" if code == 0x7F else "?"


def width(spans: Iterable[Span]) -> int:
    """Return the width of a line, in terminal cells."""
    return sum(cell_len(visible(span.text)) for span in spans)


def crop(text: str, cells: int) -> str:
    """Return the text in at most `cells` cells, cut with an ellipsis."""
    text = visible(text)
    if cell_len(text) <= cells:
        return text
    return set_cell_size(text, cells - 1).rstrip() + "…" if cells > 0 else ""


_CLAUSES: Final = re.compile(r"(.*\S)(?:\s*[:;]|(?<=\)),|,(?= and )|\s*\()\s*\S")
"""Matches a text up to its last clause; commas in lists do not separate clauses."""


def first_clauses(text: str, cells: int) -> str:
    """Return as many of the first clauses as fit into `cells`; the first one is cut if it does not fit."""
    while cell_len(text) > cells and (shorter := _CLAUSES.match(text)):
        text = f"{shorter[1]}."
    return crop(text, cells)


def left(text: str, cells: int) -> str:
    """Return the text cropped or padded on the right to exactly `cells` cells."""
    cropped = crop(text, cells)
    return cropped + " " * (cells - cell_len(cropped))


def right(text: str, cells: int) -> str:
    """Return the text cropped or padded on the left to exactly `cells` cells."""
    cropped = crop(text, cells)
    return " " * (cells - cell_len(cropped)) + cropped


def fit(spans: Sequence[Span], cells: int) -> Line:
    """Return a line in at most `cells` cells: blanks at the end are dropped first, then it is cut with an ellipsis."""
    kept = [span if span.text.isprintable() else span._replace(text=visible(span.text)) for span in spans]
    while kept and width(kept) > cells and not kept[-1].text.strip():
        kept.pop()
    if width(kept) <= cells:
        return tuple(kept)
    fitted: list[Span] = []
    room = max(0, cells - 1)
    for span in kept:
        needed = cell_len(span.text)
        if needed > room:
            fitted.append(span._replace(text=set_cell_size(span.text, room) + "…"[:cells]))
            break
        fitted.append(span)
        room -= needed
    return tuple(fitted)


def justify(start: Sequence[Span], end: Sequence[Span], cells: int) -> Line:
    """Return a line with `start` at the left and `end` at the right edge; `start` is cropped to fit."""
    room = max(0, cells - width(end) - 1)
    begin = fit(start, room)
    return (*begin, Span(" " * (cells - width(begin) - width(end))), *end)


def wrap(
    text: str, cells: int, role: TextRole = TextRole.PLAIN, *, first: str = "", rest: str = ""
) -> tuple[Line, ...]:
    """Wrap `text` to lines of `cells` cells, after `first` on the first line and `rest` on the others.

    A word longer than a line is broken, so nothing is cut off. A text that fits on one line keeps its blanks.
    """
    if text and "\n" not in text and cell_len(first) + cell_len(text) <= cells:
        return (line(first, Span(text, role)),)
    lines: list[Line] = []
    current = ""
    for word in text.split():
        lead = rest if lines else first
        room = max(8, cells - cell_len(lead))
        while True:
            joined = f"{current} {word}" if current else word
            if cell_len(joined) <= room:
                current = joined
                break
            if not current:
                head = chop_cells(word, room)[0]
                lines.append((Span(lead), Span(head, role)))
                word = word[len(head) :]
            else:
                lines.append((Span(lead), Span(current, role)))
                current = ""
            lead = rest
            room = max(8, cells - cell_len(lead))
    if current or not lines:
        lines.append((Span(rest if lines else first), Span(current, role)))
    return tuple(line(*parts) for parts in lines)


def wrap_lines(
    text: str, cells: int, role: TextRole = TextRole.PLAIN, *, first: str = "", rest: str = ""
) -> tuple[Line, ...]:
    """Return the lines of a text, each wrapped, with `first` before the first and `rest` before all others."""
    return tuple(
        row
        for number, part in enumerate(text.splitlines() or [""])
        for row in wrap(part, cells, role, first=rest if number else first, rest=rest)
    )
