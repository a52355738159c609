"""Lengths of time as one types them and as they are shown."""

import re
from typing import Final

_UNITS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 7 * 86400}
_LENGTH: Final = re.compile(r"(\d+(?:\.\d+)?)\s*([smhdw])")
_LONGEST: Final = 100 * 365 * 86400


def length_seconds(text: str) -> int:
    """The seconds of 90m, 8h or 1:30:0. Raises ValueError with what to write."""
    stripped = text.strip()
    match = _LENGTH.fullmatch(stripped)
    parts = stripped.split(":")
    if match:
        seconds = round(float(match[1]) * _UNITS[match[2]])
    elif all(part.isascii() and part.isdecimal() for part in parts) and len(parts) <= 3:
        seconds = 0
        for part in parts:
            seconds = 60 * seconds + int(part)
    else:
        raise ValueError(f'"{text}" is not a length of time, write 90m, 8h, 7d or 1:30:0')
    if seconds > _LONGEST:
        raise ValueError(f'"{text}" is more than a hundred years')
    return seconds


def clock(seconds: float | None) -> str:
    """Hours, minutes and seconds, `-0:20:00` for less; nothing where there is no time."""
    if seconds is None:
        return ""
    minutes, rest = divmod(abs(round(seconds)), 60)
    return f"{'-' if round(seconds) < 0 else ''}{minutes // 60}:{minutes % 60:02}:{rest:02}"
