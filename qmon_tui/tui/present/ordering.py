"""The order of texts as people expect it."""

import re
from typing import Final

from qmon_tui.values.number import is_number, parse_number

_DIGITS: Final = re.compile(r"(\d+)")


def natural(text: str) -> tuple[int, float, list[tuple[int, int, str]]]:
    """What texts are ordered by: numbers by value and before words, words with their digits counted as numbers."""
    if is_number(text) and not text.isalpha():
        return (0, parse_number(text), [])
    parts = _DIGITS.split(text.casefold())
    # Odd places hold the digits, so that node2 comes before node10.
    return (1, 0.0, [(1, int(p), "") if i % 2 else (0, 0, p) for i, p in enumerate(parts)])
