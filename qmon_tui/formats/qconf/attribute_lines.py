"""Lines `name value` of qconf files: find the attributes, wrap and unwrap long lines."""

import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from qmon_tui.model import Kind, ValueType
from qmon_tui.model.catalogue import spec

LONGEST: Final = 80
_LAST_BLANK: Final = LONGEST - 2
_LAST_COMMA: Final = LONGEST - 3
"""The last positions of a blank and of a comma after which a backslash, or a blank and a backslash, still fit."""

_BREAK: Final = re.compile(r"(?:[ \t]*\\[ \t]*\n)+[ \t]*")
_BREAK_AFTER_COMMA: Final = re.compile("," + _BREAK.pattern)


def wrap_line(line: str, indent: int) -> str:
    """The line in pieces of at most 80 characters that end in a backslash; a long word is never broken.

    Breaks are sought from column `indent` (0-based) on, where the following pieces begin too.
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
    """Where to break: the last blank or comma that fits, else the first that there is."""
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
    """The pieces of a value joined with one blank, after a comma with `after_comma`."""
    if "\\" not in text:
        return text.strip(" \t")
    joined = _BREAK_AFTER_COMMA.sub("," + after_comma, text)
    return (_BREAK.sub(" ", joined) if "\\" in joined else joined).strip(" \t")


_BLANK_OR_COMMENT: Final = re.compile(r"[ \t]*(#[^\n]*)?(\n|\Z)")
_NAME: Final = re.compile(r"[ \t]*([A-Za-z0-9_.\-]+|[^ \t\n]+)")
"""A word, or any text in its place."""
_WORD: Final = re.compile(r"[A-Za-z0-9_.\-]+")
_RAW: Final = re.compile(r"(?:[^\n\\]|\\[ \t]*\n|\\)*")
"""A value to the end of its line; a backslash, blanks allowed after it, continues on the next line."""
_TOKENS: Final = re.compile(r"(?:(?<=[ \t,\n])\#[^\n]*(?:\n|\Z)|[^\n\\]|\\[ \t]*\n|\\)*")
"""A value made of tokens: a comment, which a # at the beginning of a token starts, swallows the line end."""
_COMMENT: Final = re.compile(r"(?:^|[ \t]+|(?<=[,\n]))#[^\n]*(?:\n|\Z)[ \t]*")
_TO_VALUE: Final = re.compile(r"[ \t]*[^ \t]+[ \t]+")
_CONTINUED: Final = re.compile(r"\\[ \t]*\n")


class Attribute(NamedTuple):
    """One attribute of a file: text[start:end] is its lines, text[value_start:value_end] its value."""

    name: str
    start: int
    value_start: int
    value_end: int
    end: int
    separated: bool
    """Whether blanks or the line end follow the name."""

    @property
    def is_word(self) -> bool:
        """Whether it begins with a name at all."""
        return _WORD.fullmatch(self.name) is not None


def attributes(text: str, tokens: Callable[[str], bool]) -> Iterator[Attribute]:
    """The attributes of a file in their order; blank lines and comment lines are passed over.

    `tokens` says of an attribute's name whether its value is made of tokens, so that it may hold comments.
    """
    position = 0
    while position < len(text):
        skipped = _BLANK_OR_COMMENT.match(text, position)
        if skipped:
            if skipped.end() == position:
                return
            position = skipped.end()
            continue
        name = _NAME.match(text, position)
        assert name  # a line that is not blank has a first word
        rest = (_TOKENS if tokens(name.group(1)) else _RAW).match(text, name.end())
        assert rest  # it may be empty
        value = rest.group()
        gap = len(value) - len(value.lstrip(" \t"))
        end = min(rest.end() + 1, len(text))
        separated = gap > 0 or not value
        yield Attribute(name.group(1), position, name.end() + gap, rest.end(), end, separated)
        position = end


def value_start(text: str, attribute: Attribute) -> int:
    """Return where a value begins, possibly on the line after its name: the line in the qmaster's messages."""
    broken = _BREAK.match(text, attribute.value_start, attribute.value_end)
    return attribute.value_start if broken is None else broken.end()


def without_comments(value: str) -> str:
    """A value made of tokens without its comments; what follows one on the next line belongs to the value."""
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
