"""fnmatch(3) of the C library without flags, as Grid Engine uses it: `*` and `?` match anything, a backslash escapes.

Malformed brackets too are read as glibc does: a bracket that is never closed stands for itself.
"""

import re
from bisect import bisect
from collections.abc import Callable
from functools import lru_cache
from typing import Final

_CLASSES: Final[dict[str, Callable[[str], bool]]] = {
    "alnum": str.isalnum,
    "alpha": str.isalpha,
    "blank": lambda char: char in " \t",
    "cntrl": lambda char: char < " " or char == "\x7f",
    "digit": str.isdigit,
    "graph": lambda char: "!" <= char <= "~",
    "lower": str.islower,
    "print": lambda char: " " <= char <= "~",
    "punct": lambda char: "!" <= char <= "~" and not char.isalnum(),
    "space": lambda char: char in " \t\n\v\f\r",
    "upper": str.isupper,
    "xdigit": lambda char: char in "0123456789abcdefABCDEF",
}

_ITEM = re.compile(
    r"""\\(?P<escaped>.)
      | \[:(?P<kind>[a-y]*):\]      # glibc takes no z in the name of a class
      | \[=(?P<equal>.)=\]
      | \[\.(?P<symbol>.)\.\]
      | (?P<broken>\\|\[\.)
      | (?P<plain>.)""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPED = re.compile(r"\\.", re.DOTALL)
_RANGE_END = re.compile(
    r"-(?!\])(?:\[\.(?P<symbol>.)\.\]|(?P<broken>\[\.|\\?\Z)|\\?(?P<plain>.))",
    re.DOTALL,
)
_REST = re.compile(
    r"(?:\\.|\[:[a-y]*:\]|\[=.=\]|\[\..*?\.\]|\[(?![=.])|[^\]\\\[])*+",
    re.DOTALL,
)

_ASCII: Final = tuple(map(chr, range(1, 128)))
_OTHER: Final = "\U0010ffff"
"""Stands for every character that neither is ASCII nor occurs in the pattern."""

_NEVER: Final = "(?!)"
"""An expression that nothing matches."""
_UNCLOSED: Final = -1
_REFUSED: Final = -2


@lru_cache(maxsize=4096)
def compile_pattern(pattern: str) -> re.Pattern[str]:
    """Return a pattern whose `fullmatch` accepts exactly what fnmatch(pattern, text, 0) accepts."""
    first, *others = _segments(pattern)
    if not others:
        return re.compile(first, re.DOTALL)
    *middle, last = others
    # The first match of a part is as good as any later one, so atomic groups need no backtracking.
    stars = "".join(f"(?>.*?{part})" for part in middle if part)
    return re.compile(f"{first}{stars}.*{last}", re.DOTALL)


def _segments(pattern: str) -> list[str]:
    """Return regular expressions of the parts between the stars."""
    segments = [""]
    index = 0
    while index < len(pattern):
        char = pattern[index]
        index += 1
        if char == "*":
            segments.append("")
            continue
        if char == "[":
            atom, index = _bracket(pattern, index)
        elif char == "\\":
            atom = re.escape(pattern[index]) if index < len(pattern) else _NEVER
            index += 1
        else:
            atom = "." if char == "?" else re.escape(char)
        if atom == _NEVER:
            return [_NEVER]
        segments[-1] += atom
    return segments


def _bracket(pattern: str, start: int) -> tuple[str, int]:
    """Return a bracket (its inside begins at `start`) as a regular expression, and the index behind it."""
    if "]" not in _ESCAPED.sub("", pattern[start:]):
        # A bracket without an end is one sign like others, unless its inside is refused.
        return (r"\[" if _after_bracket(pattern, start, "[") == _UNCLOSED else _NEVER), start
    known = (*_ASCII, *sorted({char for char in pattern if not char.isascii()}), _OTHER)
    kinds: dict[tuple[object, ...], int] = {}
    after: dict[str, int] = {}
    for char, kind in zip(known, _kinds(pattern, known), strict=True):
        if kind not in kinds:
            kinds[kind] = _after_bracket(pattern, start, char)
        after[char] = kinds[kind]
    # The index is equal for all characters, except for a range that ends in a class such as `[a-[:digit:]]`.
    end = max(after.values())
    if end == _UNCLOSED:
        return (r"\[", start) if after["["] == _UNCLOSED else (_NEVER, start)
    if end == _REFUSED:
        return _NEVER, start
    taken = [char for char in known if after[char] == end]
    if _OTHER not in taken:
        return f"[{re.escape(''.join(taken))}]", end
    refused = [char for char in known if after[char] != end]
    return f"[^{re.escape(''.join(refused))}]" if refused else ".", end


@lru_cache(maxsize=16)
def _kinds(pattern: str, known: tuple[str, ...]) -> tuple[tuple[object, ...], ...]:
    """Return a key for each character: brackets cannot distinguish characters with equal keys."""
    marks = sorted(set(pattern))
    classes = tuple(_CLASSES.values()) if "[:" in pattern else ()
    return tuple(
        (char if char in marks else bisect(marks, char), *(belongs(char) for belongs in classes)) for char in known
    )


def _after_bracket(pattern: str, start: int, char: str) -> int:
    """Return the index behind a bracket that matches the character; _REFUSED if none does, _UNCLOSED without `]`."""
    inverted = pattern[start : start + 1] in ("!", "^")
    index, is_matched = _search(pattern, start + inverted, char)
    if index < 0:
        return index
    if is_matched:
        rest = _REST.match(pattern, index)
        index = rest.end() if rest else index
        if index == len(pattern):
            return _UNCLOSED
        if pattern[index] != "]":
            return _REFUSED
        index += 1
    return _REFUSED if is_matched == inverted else index


def _search(pattern: str, index: int, char: str) -> tuple[int, bool]:
    """Return where the search for the character in the bracket ended (past `]` if not found), and True if found."""
    while item := _ITEM.match(pattern, index):
        index = item.end()
        if item["broken"]:
            return _REFUSED, False
        if (kind := item["kind"]) is not None:
            if kind not in _CLASSES:
                return _REFUSED, False
            if _CLASSES[kind](char):
                return index, True
        elif item["equal"]:
            if char == item["equal"]:
                return index, True
        else:
            first = item["symbol"] or item["escaped"] or item["plain"]
            ahead = pattern[index : index + 2]
            begins_range = len(ahead) == 2 and ahead[0] == "-" and (ahead[1] != "]" or item["symbol"] is not None)
            if not begins_range and char == first:
                return index, True
            if span := _RANGE_END.match(pattern, index):
                if span["broken"] is not None:
                    return _REFUSED, False
                index = span.end()
                if first <= char <= (span["symbol"] or span["plain"]):
                    return index, True
        if pattern[index : index + 1] == "]":
            return index + 1, False
    return _UNCLOSED, False
