"""Moments as epoch seconds: ISO 8601, offsets such as `+5m`, and the dates of qsub's `-a` and `-dl`.

A text without a time zone is in local time.
"""

import re
from datetime import datetime, timedelta
from typing import Final

from qmon_tui.values.c_library import integer_prefix
from qmon_tui.values.number import INFINITY, is_number, parse_number

_OFFSET = re.compile(r"\+(?P<amount>[0-9]+(?:\.[0-9]+)?)(?P<unit>[smhd]?)")
_UNITS: Final = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}
_EARLIEST: Final = -2208988800
LATEST: Final = 221845392000
"""Bounds in seconds since the epoch, the years 1900 to 8999: dates farther away cannot be printed."""
_LONGEST: Final = 900 * 366 * 86400
"""Longest offset in seconds: subtracted from a time within the bounds, it still gives a printable date."""
_MOST_QUOTED: Final = 40
_CENTURY_FROM: Final = 70
"""Years of two digits from here on are in the last century."""


def parse_time(text: str) -> int:
    """Return epoch seconds of an ISO 8601 date and time, without a fraction. Raises ValueError."""
    try:
        seconds = int(datetime.fromisoformat(text.strip()).timestamp() // 1)
    except (ValueError, OverflowError, OSError):
        raise ValueError(f'"{_quoted(text)}" is not a time: write it as 2026-11-21T09:00:00') from None
    return _within_reach(seconds, text)


def _quoted(text: str) -> str:
    """Return a text for a message: after 40 characters an ellipsis stands for the rest."""
    return text if len(text) <= _MOST_QUOTED else f"{text[:_MOST_QUOTED]}…"


def second_fraction(text: str) -> float:
    """Return the fraction of a second that `parse_time` drops; 0 if there is none."""
    try:
        return datetime.fromisoformat(text.strip()).microsecond / 1_000_000
    except ValueError:
        return 0.0


def format_time(seconds: float) -> str:
    """Format as ISO 8601 in local time; the zone is added only in the hour that repeats when clocks are set back."""
    moment = datetime.fromtimestamp(seconds)
    return (moment.astimezone() if moment.fold else moment).isoformat()


def clock(seconds: float | None) -> str:
    """Return a length of time as hours, minutes and seconds, `-0:20:00` if negative; empty for None."""
    if seconds is None:
        return ""
    minutes, rest = divmod(abs(round(seconds)), 60)
    return f"{'-' if round(seconds) < 0 else ''}{minutes // 60}:{minutes % 60:02}:{rest:02}"


def format_qsub_date(seconds: int) -> str:
    """Format as `CCYYMMDDhhmm.SS` in local time, which `parse_qsub_date` reads."""
    return datetime.fromtimestamp(seconds).strftime("%Y%m%d%H%M.%S")


def is_offset(text: str) -> bool:
    """True if the text begins like an offset: with a plus sign."""
    return text.strip().startswith("+")


def parse_offset(text: str) -> int:
    """Return the whole seconds of an offset: `+90s`, `+90`, `+5m`, `+1h`, `+2d`, `+1:00:00`. Raises ValueError."""
    word = text.strip()
    if match := _OFFSET.fullmatch(word):
        return _short_enough(float(match["amount"]) * _UNITS[match["unit"]], text)
    if word.startswith("+") and ":" in word and is_number(word[1:]):
        seconds = parse_number(word[1:])
        if 0 <= seconds < INFINITY:
            return _short_enough(seconds, text)
    raise ValueError(f'"{_quoted(text)}" is not an offset: write it as +90s, +5m, +1h or +1:00:00')


def parse_moment(text: str, base: int) -> int:
    """Return epoch seconds of a time, or of an offset from `base` (epoch seconds). Raises ValueError."""
    return _within_reach(base + parse_offset(text), text) if is_offset(text) else parse_time(text)


def _within_reach(seconds: int, text: str) -> int:
    if _EARLIEST <= seconds <= LATEST:
        return seconds
    raise ValueError(f'"{_quoted(text)}" is too far away: write a time between 1900 and 9000')


def _short_enough(seconds: float, text: str) -> int:
    if seconds <= _LONGEST:
        return int(seconds)
    raise ValueError(f'"{_quoted(text)}" is too long: write less than 900 years')


def parse_qsub_date(text: str, now: int) -> int:
    """Return epoch seconds of `[[CC]YY]MMDDhhmm[.SS]`, by default in the year of `now`. Raises qsub's ValueError.

    As in C's mktime the 30th of February is the 2nd of March.
    """
    if not text:
        raise ValueError("no date specified")
    digits, *others = [part for part in text.split(".") if part] or [""]
    seconds = others[0] if others else ""
    if len(seconds) not in (0, 2):
        raise ValueError("Invalid format of seconds field.")
    if len(digits) not in (8, 10, 12):
        raise ValueError("Invalid format of date/hour-minute field.")
    year = _year(digits[:-8], now)
    fields = [_number(digits[index : index + 2]) for index in range(len(digits) - 8, len(digits), 2)]
    values = [*fields, _number(seconds)]
    for value, (name, least, most) in zip(values, _FIELDS, strict=True):
        if not least <= value <= most:
            raise ValueError(f"Invalid {name} specification.")
    month, day, hour, minute, second = values
    try:
        moment = datetime(year, month, 1, hour, minute, second) + timedelta(days=day - 1)
        result = int(moment.timestamp())
    except (ValueError, OverflowError, OSError):
        result = -1
    if result < 0:
        raise ValueError("Couldn't generate date from input. Perhaps a date before 1970 was specified.")
    return result


_FIELDS: Final = (("month", 1, 12), ("day", 1, 31), ("hour", 0, 23), ("minute", 0, 59), ("seconds", 0, 59))


def _year(digits: str, now: int) -> int:
    if not digits:
        return datetime.fromtimestamp(now).year
    year = _number(digits)
    if len(digits) == 4:
        return year
    return year + (2000 if year < _CENTURY_FROM else 1900)


def _number(text: str) -> int:
    """Return the leading whole number as C's atoi reads it: 0 if there is none."""
    prefix = integer_prefix(text)
    return 0 if prefix is None else prefix[0]


INFINITE: Final = 2**32 - 1
"""Largest time in 32 bits; also the duration that means no limit."""
