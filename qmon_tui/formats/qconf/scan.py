"""The scanner of `name value` files: which attribute stands where (validation/formats.md section 2)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from qmon_tui.formats.qconf.wrap import LONGEST, wrap_line

_BLANK_OR_COMMENT: Final = re.compile(r"[ \t]*(#[^\n]*)?(\n|\Z)")
_NAME: Final = re.compile(r"[ \t]*([^ \t\n]+)")
_REST: Final = re.compile(r"(?:[^\n\\]|\\[ \t]*\n|\\)*")
"""A value to the end of its line; a backslash, blanks allowed after it, continues on the next line."""
_CONTINUED: Final = re.compile(r"\\[ \t]*\n")


@dataclass(frozen=True, slots=True)
class Attribute:
    """One attribute of a file: text[start:end] is its lines, text[value_start:value_end] its value."""

    name: str
    start: int
    value_start: int
    value_end: int
    end: int


def attributes(text: str) -> Iterator[Attribute]:
    """The attributes of a file in their order; blank lines and comment lines are passed over."""
    position = 0
    while position < len(text):
        skipped = _BLANK_OR_COMMENT.match(text, position)
        if skipped:
            if skipped.end() == position:
                return
            position = skipped.end()
            continue
        name = _NAME.match(text, position)
        if name is None:  # unreachable: a line that is not blank has a first word
            return
        rest = _REST.match(text, name.end())
        value_end = rest.end() if rest else name.end()
        gap = len(text[name.end() : value_end]) - len(text[name.end() : value_end].lstrip(" \t"))
        end = min(value_end + 1, len(text))
        yield Attribute(name.group(1), position, name.end() + gap, value_end, end)
        position = end


def is_wrapped(text: str) -> bool:
    """Tell whether a line of the text is continued on the next."""
    return _CONTINUED.search(text) is not None


def is_single_line(text: str) -> bool:
    """Tell whether a text was printed without wrapping: it has a long line that could have been broken."""
    return any(len(line) > LONGEST and wrap_line(line, 0) != line for line in text.split("\n"))
