"""Long lines broken as qconf breaks them, and put together again (validation/formats.md sections 2 and 8)."""

import re
from typing import Final

from qmon_tui.model.catalogue import spec
from qmon_tui.model.fields import ValueType
from qmon_tui.model.kinds import Kind

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
    found = [at for at in (line.find(" ", indent, end), line.find(",", indent, end)) if at >= 0]
    return min(found, default=None)


def glue_of(kind: Kind, name: str) -> str:
    """What follows a comma at which a value was broken."""
    field = spec(kind).by_name.get(name)
    # A subordinate list is printed with a blank after each comma, which a break swallows.
    return " " if field and field.type is ValueType.SUBORDINATES else ""


def unwrap(text: str, after_comma: str = "") -> str:
    """The pieces of a value joined with one blank, after a comma with `after_comma`."""
    if "\\" not in text:
        return text.strip(" \t")
    joined = _BREAK_AFTER_COMMA.sub("," + after_comma, text)
    return (_BREAK.sub(" ", joined) if "\\" in joined else joined).strip(" \t")
