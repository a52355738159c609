"""Reading of single values that never fails: what cannot be parsed counts as the qmaster makes it count."""

from functools import lru_cache

from qmon_tui.values import parse_boolean, parse_double, parse_number, parse_unsigned

_UINT32_MAX = 2.0**32 - 1


@lru_cache(maxsize=65536)
def number_or_none(text: str) -> float | None:
    """The value of a number of any type, or None where the text is no number."""
    try:
        return parse_number(text)
    except ValueError:
        return None


def number(text: str) -> float:
    """The value of a number of any type; 0 where the text is no number."""
    value = number_or_none(text)
    return 0.0 if value is None else value


def unsigned(text: str, default: int = 0) -> int:
    """A whole number; `default` where the text is none."""
    try:
        return parse_unsigned(text)
    except ValueError:
        return default


def whole(text: str) -> int:
    """The value of a number of any type as 32 bits hold it: without its fraction, never less than 0."""
    value = number(text)
    return int(min(value, _UINT32_MAX)) if value > 0 else 0


def double(text: str) -> float:
    """A C floating constant; 0 where the text does not start with one."""
    try:
        return parse_double(text)
    except ValueError:
        return 0.0


def boolean(text: str, default: bool = False) -> bool:
    """A boolean; `default` where the text is none."""
    try:
        return parse_boolean(text)
    except ValueError:
        return default
