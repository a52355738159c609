"""Times as the forks write them: ISO 8601 without a zone, or seconds, milliseconds or microseconds since the epoch."""

from functools import lru_cache
from typing import Final

from qmon_tui.values import LATEST, parse_time, whole_number

_MILLISECONDS_FROM: Final = 100_000_000_000
_MICROSECONDS_FROM: Final = 100_000_000_000_000


@lru_cache(maxsize=4096)  # arrays are submitted, and many jobs start, in one second
def moment(text: str) -> int | None:
    """Seconds since the epoch; None for no time, which is written as nothing or 0. Raises ValueError."""
    word = text.strip()
    if not word:
        return None
    if (number := whole_number(word)) is not None:
        return epoch(number)
    return parse_time(word)


def epoch(number: int) -> int | None:
    """Seconds of a number of seconds, milliseconds or microseconds since the epoch; None for 0. Raises ValueError."""
    if number >= _MICROSECONDS_FROM:
        number //= 1_000_000
    elif number >= _MILLISECONDS_FROM:
        number //= 1000
    if number > LATEST:
        raise ValueError(f'"{number}" is too far away: a time is before the year 9000')
    return number or None
