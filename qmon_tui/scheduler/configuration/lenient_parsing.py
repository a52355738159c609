"""Parsers of single values that never fail: a value with a syntax error gets the value that the qmaster uses."""

from functools import lru_cache

from qmon_tui.values import parse_boolean, parse_double, parse_number, parse_unsigned

_UINT32_MAX = 2.0**32 - 1


@lru_cache(maxsize=65536)
def number_or_none(text: str) -> float | None:
    """Parse a number, time (h:m:s) or memory size (2G); None if the text is none of these."""
    try:
        return parse_number(text)
    except ValueError:
        return None


def number(text: str) -> float:
    """Parse a number, time (h:m:s) or memory size (2G); 0 if the text is none of these."""
    value = number_or_none(text)
    return 0.0 if value is None else value


def unsigned(text: str, default: int = 0) -> int:
    """Parse a whole number; `default` if the text is not one."""
    try:
        return parse_unsigned(text)
    except ValueError:
        return default


def whole(text: str) -> int:
    """Parse a number, time or memory size as an unsigned 32-bit integer: truncated; a negative number is 0."""
    value = number(text)
    return int(min(value, _UINT32_MAX)) if value > 0 else 0


def double(text: str) -> float:
    """Parse the C floating-point constant at the beginning of the text; 0 if there is none."""
    try:
        return parse_double(text)
    except ValueError:
        return 0.0


def boolean(text: str, default: bool = False) -> bool:
    """Parse a boolean; `default` if the text is not one."""
    try:
        return parse_boolean(text)
    except ValueError:
        return default
