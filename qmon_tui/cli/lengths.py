"""Lengths of time as users type them."""

import re
from typing import Final

from qmon_tui.values import decimal_number, whole_number

_UNITS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 7 * 86400}
_LENGTH: Final = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*([smhdw])")
_LONGEST: Final = 100 * 365 * 86400


def length_seconds(text: str) -> int:
    """The seconds of 90m, 8h or 1:30:0. Raises ValueError with what to write."""
    stripped = text.strip()
    match = _LENGTH.fullmatch(stripped)
    parts = stripped.split(":")
    numbers = [decimal_number(match[1])] if match else [whole_number(part) for part in parts]
    if None in numbers or len(numbers) > 3:
        raise ValueError(f'"{text}" is not a length of time, write 90m, 8h, 7d or 1:30:0')
    seconds = 0.0
    for number in numbers:
        seconds = 60 * seconds + (number or 0)
    seconds *= _UNITS[match[2]] if match else 1
    if seconds > _LONGEST:
        raise ValueError(f'"{text}" is more than a hundred years')
    return round(seconds)
