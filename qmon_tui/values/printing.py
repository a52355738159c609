"""How values are printed: by scheduler messages and qstat (matching.md#printing-of-values), and for people."""

from collections.abc import Iterable
from math import isfinite
from typing import Final

from qmon_tui.values.number import INFINITY, is_number, parse_number

_BINARY_UNITS: Final = (("T", 1024.0**4), ("G", 1024.0**3), ("M", 1024.0**2), ("K", 1024.0))
_INT_MIN: Final = -(2**31)
_INT_MAX: Final = 2**31 - 1
_LARGEST_URGENCY: Final = 99_999_999
"""Largest urgency that is printed with all digits."""
_MINUTE: Final = 60
_HOUR: Final = 3600
_DAY: Final = 86400


def pe_alg_text(scores: Iterable[int]) -> str:
    """Return scores as the scheduler logs them before the word pe-alg: -34/-68/-136."""
    return "/".join(map(str, scores))


def format_number(value: float, type_name: str) -> str:
    """Format a complex type's value as in scheduler messages: `1.500G`, `01:00:00`, `true`, `0.000000`, `infinity`."""
    if type_name == "BOOL":
        return "true" if value > 0 else "false"
    return _format(value, type_name)


def format_qstat(value: float, type_name: str) -> str:
    """Format a value of a complex type as `qstat -F` does: as in messages, but INT whole, BOOL as a double."""
    if type_name == "INT" and value != INFINITY:
        return str(int(value)) if _INT_MIN <= value <= _INT_MAX else "integer_overflow"
    return _format(value, type_name)


def format_double(value: float) -> str:
    """Format a double with six decimals, as in configuration files; `inf` and `nan` keep their names."""
    return f"{value:f}"


def urgency_text(value: float) -> str:
    """Format an urgency, or a part of one, as `qstat -urg` does (priority.md#columns-and-their-formats)."""
    return f"{value:.3g}" if value > _LARGEST_URGENCY else f"{value:.0f}"


def tickets_text(value: float) -> str:
    """Format a number of tickets as `qstat -ext` does (priority.md#columns-and-their-formats).

    A fraction is dropped, and of large numbers the lowest 32 bits are printed, with a sign.
    """
    return f"{(int(value) + 2**31) % 2**32 - 2**31 if isfinite(value) else value}"


def tickets_words(value: float) -> str:
    """Return whole tickets, rounded at the fifth decimal first: 199.9999999 prints as 200.00000, so it is not 199."""
    return f"{int(round(value, 5)) if isfinite(value) else value}"


def time_text(seconds: float) -> str:
    """Format seconds as `HH:MM:SS`, without a fraction; a negative time has a minus sign before it."""
    total = int(abs(seconds))
    sign = "-" if seconds < 0 and total else ""
    return f"{sign}{total // _HOUR:02d}:{total % _HOUR // _MINUTE:02d}:{total % _MINUTE:02d}"


def humane_time(text: str) -> str | None:
    """Format a time for people: `2 h 05 min`, `no limit` for INFINITY; None if the text is no number."""
    value = _finite(text)
    if value is None or value == INFINITY:
        return None if value is None else "no limit"
    total = int(abs(value))
    sign = "-" if value < 0 and total else ""
    for size, unit, small, name in ((_DAY, "d", _HOUR, "h"), (_HOUR, "h", _MINUTE, "min"), (_MINUTE, "min", 1, "s")):
        if total >= size:
            rest = total % size // small
            return f"{sign}{total // size} {unit}" + (f" {rest:02d} {name}" if rest else "")
    return f"{sign}{total} s"


def humane_memory(text: str) -> str | None:
    """Format memory for people: `1.5 GiB`, `no limit` for INFINITY; None if the text is no number."""
    value = _finite(text)
    if value is None or value == INFINITY:
        return None if value is None else "no limit"
    for unit, size in _BINARY_UNITS:
        if abs(value) >= size:
            return f"{_short(value / size)} {unit}iB"
    return f"{_short(value)} B"


def _format(value: float, type_name: str) -> str:
    if value == INFINITY:
        return "infinity"
    if type_name == "MEMORY":
        return _memory(value)
    return _time(value) if type_name == "TIME" else format_double(value)


def _memory(value: float) -> str:
    for unit, size in _BINARY_UNITS:
        if abs(value) >= size:
            return f"{value / size:.3f}{unit}"
    return f"{abs(value):.3f}"


def _time(value: float) -> str:
    """Format seconds as `HH:MM:SS`, computed as the qmaster does with unsigned 32-bit numbers."""
    whole = int(value) if isfinite(value) and _INT_MIN <= int(value) <= _INT_MAX else _INT_MIN
    seconds = whole & 0xFFFFFFFF
    return f"{seconds // _HOUR:02d}:{seconds % _HOUR // _MINUTE:02d}:{seconds % _MINUTE:02d}"


def _finite(text: str) -> float | None:
    if not is_number(text):
        return None
    value = parse_number(text)
    return value if isfinite(value) else None


def _short(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
