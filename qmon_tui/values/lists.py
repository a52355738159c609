"""Lists of names and of `name=value` entries; the separator differs per object (values.md#separators).

`separator` is one of "blank or comma", "blank" and "comma".
"""

import re
from collections.abc import Iterable
from typing import Final

BLANK_OR_COMMA: Final = "blank or comma"
BLANK: Final = "blank"
COMMA: Final = "comma"

_BLANKS: Final = " \t"
_NAMES: Final = {BLANK_OR_COMMA: re.compile(r"[ \t\v\r,]+"), BLANK: re.compile(r"[ \t]+"), COMMA: re.compile(r",")}
_NAME_GLUE: Final = {BLANK_OR_COMMA: " ", BLANK: " ", COMMA: ","}
# After a quote, separators are ordinary characters up to the end of the text.
_WORD: Final = re.compile(r"""[^"' ,=\t\n\f\r\v]*["'].*|[^"' ,=\t\n\f\r\v]+""", re.DOTALL)
_IN_MAP: Final = re.compile(r"=[ \t]*[0-9]+\([^()]*\[[^()]*\)")
"""A resource map whose ids have characteristics, as Open Cluster Scheduler 9 writes them."""
_NO_COMMA: Final = "\0"
_CLOSED_NONE: Final = re.compile(r"\s*NONE\s*[,;=]\s*", re.IGNORECASE)
"""NONE with one separator after it, which the qmaster drops: an empty list."""
_NOTHING: Final = ("NONE", "UNDEFINED")


def is_none(text: str) -> bool:
    """True if the text is the word NONE, in any case, or empty."""
    return text.strip(_BLANKS).upper() in ("", "NONE")


def split_names(text: str, separator: str) -> tuple[str, ...]:
    """Return the names of a list; empty if the first is NONE, whatever follows (values.md#none)."""
    if separator != BLANK_OR_COMMA and _CLOSED_NONE.fullmatch(text):
        return ()
    # A blank before a comma belongs to the name, one after it does not.
    words = (word.lstrip(_BLANKS) for word in _NAMES[separator].split(text.rstrip(_BLANKS)))
    names = tuple(word for word in words if word)
    return () if not names or is_none(names[0]) else names


def join_names(names: Iterable[str], separator: str) -> str:
    """Return a list of names as the qmaster prints it; NONE if it is empty."""
    return _NAME_GLUE[separator].join(names) or "NONE"


def split_entries(text: str, separator: str) -> tuple[tuple[str, str], ...]:
    """Return the pairs of a list of `name=value`; empty for NONE (values.md#lists-of-namevalue).

    Raises ValueError in the qmaster's words when a name or a value is missing.
    """
    return _comma_entries(text) if separator == COMMA else _loose_entries(text)


def join_entries(entries: Iterable[tuple[str, str]], separator: str) -> str:
    """Return a list of entries as the qmaster prints it: comma-separated for any `separator`; NONE if it is empty."""
    return ",".join(f"{name}={value}" for name, value in entries) or "NONE"


def _loose_entries(text: str) -> tuple[tuple[str, str], ...]:
    """Split at blanks, commas and equals signs alike; names and values simply alternate."""
    words = list(_WORD.finditer(text))
    if words and words[0].group().upper() in _NOTHING:
        return ()
    if not words or len(words) % 2:
        raise ValueError(f'error: error parsing value "{text[: words[0].end()] if words else text}"')
    texts = [word.group() for word in words]
    return tuple(zip(texts[::2], texts[1::2], strict=True))


def _comma_entries(text: str) -> tuple[tuple[str, str], ...]:
    """Split at commas only; a part without an equals sign, or with two in a row, is a name without a value."""
    if _CLOSED_NONE.fullmatch(text):
        return ()
    parts = [part.lstrip(_BLANKS) for part in _between_commas(text.rstrip(_BLANKS))]
    if len(parts) > 2 and not parts[-1] and not parts[-2]:
        parts = parts[:-2]
    if is_none("".join(parts)) and len(parts) <= 2:
        return ()
    if not all(parts):
        raise ValueError(f'error: a comma in "{text}" has no entry after it or before it')
    return tuple(map(_entry, parts))


def _between_commas(text: str) -> list[str]:
    if "[" not in text:
        return text.split(",")
    kept = _IN_MAP.sub(lambda match: match.group().replace(",", _NO_COMMA), text)
    return [part.replace(_NO_COMMA, ",") for part in kept.split(",")]


def _entry(part: str) -> tuple[str, str]:
    name, _, rest = part.partition("=")
    if rest.startswith("="):
        return part, ""
    if "[" in rest and _IN_MAP.fullmatch("=" + rest):
        return name, rest.strip(_BLANKS)
    value, _, surplus = rest.lstrip(_BLANKS).partition("=")
    if surplus:
        raise ValueError(f'error: values in the attribute value list should be separated by ",": "{part}"')
    return name, value
