"""Lists of names and of `name=value` entries; the separator differs per object (validation/formats.md section 2).

`separator` is one of "blank or comma", "blank" and "comma".
"""

import re
from collections.abc import Iterable
from typing import Final

BLANK_OR_COMMA: Final = "blank or comma"
BLANK: Final = "blank"
COMMA: Final = "comma"

_BLANKS: Final = " \t"
_NAMES = {BLANK_OR_COMMA: re.compile(r"[ \t,]+"), BLANK: re.compile(r"[ \t]+"), COMMA: re.compile(r",")}
# A quoted part keeps its blanks, commas and equals signs.
_WORD = re.compile(r'(?:"[^"]*"?|[^ \t,="])+')


def is_none(text: str) -> bool:
    """Tell whether the text is the word NONE, in any case, or empty."""
    return text.strip(_BLANKS).upper() in ("", "NONE")


def split_names(text: str, separator: str) -> tuple[str, ...]:
    """Names of a list; a list whose first name is NONE is empty, whatever follows (formats.md section 3)."""
    words = (word.strip(_BLANKS) for word in _NAMES[separator].split(text))
    names = tuple(word for word in words if word)
    return () if not names or is_none(names[0]) else names


def join_names(names: Iterable[str], separator: str) -> str:
    """Text of a list of names as the qmaster prints it; NONE if there are none."""
    return (", " if separator == COMMA else " ").join(names) or "NONE"


def split_entries(text: str, separator: str) -> tuple[tuple[str, str], ...]:
    """Names and values of a list of `name=value`; NONE is empty (queue.md section 6).

    Raises ValueError in the qmaster's words when a name or a value is missing.
    """
    if is_none(text):
        return ()
    return _comma_entries(text) if separator == COMMA else _loose_entries(text)


def join_entries(entries: Iterable[tuple[str, str]], separator: str) -> str:
    """Text of a list of entries as the qmaster prints it; NONE if there are none."""
    return ",".join(f"{name}={value}" for name, value in entries) or "NONE"


def _loose_entries(text: str) -> tuple[tuple[str, str], ...]:
    words = _WORD.findall(text)
    if not words or len(words) % 2:
        first = _WORD.search(text)
        raise ValueError(f'error: error parsing value "{text[: first.end()] if first else text}"')
    return tuple(zip(words[::2], words[1::2], strict=True))


def _comma_entries(text: str) -> tuple[tuple[str, str], ...]:
    entries = []
    for part in text.split(","):
        name, _, value = part.strip(_BLANKS).partition("=")
        if not name or not value:
            raise ValueError(f'error: error parsing value "{text}"')
        entries.append((name, value))
    return tuple(entries)
