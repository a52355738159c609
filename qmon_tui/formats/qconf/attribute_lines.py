"""Lines `name value` of qconf files: find the attributes, wrap and unwrap long lines."""

import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from qmon_tui.formats.qconf.scanner import BREAK, Scanner, is_word
from qmon_tui.model import Kind, ValueType
from qmon_tui.model.catalogue import spec
from qmon_tui.values import is_none

LONGEST: Final = 80
_LAST_BLANK: Final = LONGEST - 2
_LAST_COMMA: Final = LONGEST - 3
"""The last positions of a blank and of a comma after which a backslash, or a blank and a backslash, still fit."""

_BREAK: Final = re.compile(f"(?:{BREAK})+")
_BREAK_AFTER_COMMA: Final = re.compile("," + _BREAK.pattern)


def wrap_line(line: str, indent: int) -> str:
    """Wrap a line into pieces of at most 80 characters that end in a backslash; words are never broken.

    Breaks are allowed from column `indent` (0-based) on; the following pieces begin at this column.
    """
    pieces = []
    rest = line
    while len(rest) > LONGEST:
        rest = rest[:indent] + rest[indent:].lstrip(" ")
        cut = _cut(rest, indent)
        if cut is None:
            break
        pieces.append(rest[: cut + 1] + ("\\" if rest[cut] == " " else " \\"))
        rest = " " * indent + rest[cut + 1 :]
    return "\n".join([*pieces, rest])


def _cut(line: str, indent: int) -> int | None:
    """Return the index at which to break: the last blank or comma that fits, else the first; None without any."""
    end = len(line) - 1
    blank = line.rfind(" ", indent, min(_LAST_BLANK + 1, end))
    comma = line.rfind(",", indent, min(_LAST_COMMA + 1, end))
    if max(blank, comma) >= 0:
        return max(blank, comma)
    places = [at for at in (line.find(" ", indent, end), line.find(",", indent, end)) if at >= 0]
    return min(places, default=None)


def glue_of(kind: Kind, name: str) -> str:
    """Return the text after a comma at which a value was wrapped."""
    field = spec(kind).by_name.get(name)
    # A subordinate list is printed with a blank after each comma, which a break swallows.
    return " " if field and field.type is ValueType.SUBORDINATES else ""


def unwrap(text: str, after_comma: str = "") -> str:
    """Join the pieces of a value with one blank, or with `after_comma` after a comma."""
    if "\\" not in text:
        return text.strip(" \t")
    joined = _BREAK_AFTER_COMMA.sub("," + after_comma, text)
    return (_BREAK.sub(" ", joined) if "\\" in joined else joined).strip(" \t")


_COMMENT: Final = re.compile(r"(?:^|[ \t]+|(?<=[,\n]))#[^\n]*(?:\n|\Z)[ \t]*")
_TO_VALUE: Final = re.compile(r"[ \t]*[^ \t]+[ \t]+")
_CONTINUED: Final = re.compile(r"\\[ \t]*\n")
_SPACE: Final = " \t\r\n\v\f"


class Shape(NamedTuple):
    """Rules for reading the value of an attribute."""

    raw: bool = False
    """True for a value read as written, to the end of its line; False for tokens with comments between them."""
    is_list: bool = False
    """True for a list of words; with NONE as its first word it is empty."""
    glue: str = ""
    """Text inserted after a comma at which a line is wrapped."""


class Attribute(NamedTuple):
    """One attribute of a file: text[start:end] is its lines, text[value_start:value_end] its value."""

    name: str
    start: int
    value_start: int
    value_end: int
    end: int
    separated: bool
    """True if a blank, not a line end, follows the name."""
    value: str
    """The value as the qmaster reads it, on one line and without comments."""
    line: int
    """Line of the name as the qmaster counts: line ends of raw values count twice."""
    value_line: int
    """Line, counted likewise, of the text after the name."""
    swallowed: int | None
    """Start of a later line that became part of the value, after a comment or an empty line; usually None."""

    @property
    def is_word(self) -> bool:
        """True if the name is a word."""
        return is_word(self.name)


def attributes(text: str, shape: Callable[[str], Shape]) -> Iterator[Attribute]:
    """Yield the attributes of a file in order; blank lines and comment lines are skipped.

    `shape` returns the rules for reading the value of the attribute with a name.
    """
    scanner = Scanner(text)
    while name := scanner.next_name():
        start, line = _line_start(text, scanner.position - len(name)), scanner.line
        value_shape = shape(name)
        gap = scanner.skip_gap(first_blank=value_shape.raw)
        value_line = scanner.line
        value_start = value_end = scanner.position
        value, swallowed = "", None
        if value_shape.raw and not gap.ends:
            value = join_raw(scanner.raw_value(), value_shape.glue)
            value_end = scanner.position
            scanner.skip_line_end()
        elif not gap.ends:
            value, value_end, swallowed = _tokens(scanner, value_shape)
        separated = gap.blanks != ""
        yield Attribute(
            name, start, value_start, value_end, scanner.position, separated, value, line, value_line, swallowed
        )


def _line_start(text: str, position: int) -> int:
    """Return where the blanks before a name begin."""
    while position and text[position - 1] in " \t":
        position -= 1
    return position


def _tokens(scanner: Scanner, value_shape: Shape) -> tuple[str, int, int | None]:
    """Return a value of tokens, where it ends, and where a swallowed line begins in it; skip to the next line."""
    value = ""
    swallowed = None
    while piece := scanner.next_piece():
        end = scanner.position
        value += "," + value_shape.glue if piece[0] == "," and len(piece) > 1 else piece
        gap = scanner.skip_gap()
        if gap.ends:
            value += "" if gap.line_end else gap.blanks
            break
        value += " " if value_shape.is_list and (gap.blanks or (gap.swallows and is_none(value))) else gap.blanks
        if gap.swallows and swallowed is None:
            swallowed = scanner.position
    return value, end, swallowed


def join_raw(value: str, glue: str = "") -> str:
    """Join the pieces of a raw value with one blank, or with `glue` after a comma.

    The qmaster loses a first piece of a single character.
    """
    if "\\" not in value:
        return value
    joined, *rest = _CONTINUED.split(value)
    for piece in rest:
        joined = joined.rstrip(_SPACE)
        separator = glue if joined.endswith(",") else " "
        joined = (joined + separator if len(joined) > 1 else "") + piece.lstrip(_SPACE)
    return joined


def without_comments(value: str) -> str:
    """Remove the comments from a value made of tokens; the line after a comment belongs to the value."""
    return _COMMENT.sub(" ", value) if "#" in value else value


def is_wrapped(text: str) -> bool:
    """True if a line of the text is continued on the next."""
    return _CONTINUED.search(text) is not None


def is_single_line(text: str) -> bool:
    """True if a text was printed without wrapping: it has a long line that could have been broken."""
    return not is_wrapped(text) and any(
        len(line) > LONGEST and (name := _TO_VALUE.match(line)) and wrap_line(line, name.end()) != line
        for line in text.split("\n")
    )
