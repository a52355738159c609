"""The number grammar that Grid Engine shares between all numeric types (values.md#numbers)."""

import re
import sys
from collections.abc import Iterable
from functools import lru_cache
from math import isfinite, isnan

from qmon_tui.values.c_library import constant_prefix, double_prefix, integer_prefix

INFINITY: float = sys.float_info.max
"""The value of the word INFINITY in Grid Engine: the largest double, not C's `inf`."""

_WORDS = {"true": 1.0, "false": 0.0, "infinity": INFINITY}
_MULTIPLIERS = {
    "k": 1000.0, "K": 1024.0,
    "m": 1000.0**2, "M": 1024.0**2,
    "g": 1000.0**3, "G": 1024.0**3,
    "t": 1000.0**4, "T": 1024.0**4,
}  # fmt: skip
_AFTER_NUMBER = (",", "/")
_C_BLANKS = " \t\n\v\f\r"
_LARGEST_FIELD = 0x7FFFFFFF
_UNSIGNED_MAX = 0xFFFFFFFF
_WHOLE_WITHIN = 1e-12
_TRUE = frozenset({"true", "t", "1", "yes", "y"})
_FALSE = frozenset({"false", "f", "0", "no", "n"})
_WHOLE = re.compile(r"([+-]?)0*([0-9]{1,19})")
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_MOST_WHOLE = 2**63 - 1
_SHOWN = 40
"""Characters of a text that a message repeats."""


def parse_number(text: str, *, infinity: bool = True, positive_only: bool = False) -> float:
    """Read a number of any type: `1G`, `1:30:0`, `0x10`, `TRUE`, `INFINITY`; times are seconds, memory is bytes.

    With `infinity=False` the word INFINITY is refused (C's `inf` is not), with `positive_only` any text with a minus
    sign. Raises ValueError in the qmaster's words (values.md#numbers).
    """
    value = _number(text)
    if value is None or (positive_only and "-" in text) or (not infinity and text.lower() == "infinity"):
        raise ValueError(f'error: error parsing value "{text}"')
    return value


def is_number(text: str) -> bool:
    """True if the number grammar accepts the text."""
    return _number(text) is not None


def parse_unsigned(text: str, largest: int = _UNSIGNED_MAX) -> int:
    """Read a whole number of 32 bits written as any C floating constant; empty text is 0 (values.md#counts).

    A dialect may have a `largest` of 64 bits. Raises ValueError in the qmaster's words.
    """
    value, end = double_prefix(text) or (0.0, 0)
    if value < 0 or value > largest or value % 1 > _WHOLE_WITHIN:
        raise ValueError(f'error: "{text}" is not an u_long32 value')
    if end != len(text):
        raise ValueError(f'error: error parsing unsigned long value from string "{text}"')
    return 0 if isnan(value) else int(value)


def parse_boolean(text: str) -> bool:
    """Read true, t, 1, yes, y or false, f, 0, no, n in any case (values.md#switches)."""
    word = text.lower()
    if word in _TRUE:
        return True
    if word in _FALSE:
        return False
    raise ValueError(f'error: error parsing value "{text}"')


def parse_double(text: str) -> float:
    """Read the leading C floating constant and drop what follows it: `2x` is 2 (values.md#decimal-numbers).

    The qmaster reads it with scanf, which refuses `0x` without a digit.
    """
    prefix = double_prefix(text)
    if prefix is None or (text[: prefix[1]].lstrip(" \t+-") == "0" and text[prefix[1] :][:1] in ("x", "X")):
        raise ValueError(f'error: error parsing double value from string "{text}"')
    return prefix[0]


def whole_number(text: str, least: int = 0, most: int = _MOST_WHOLE) -> int | None:
    """Return the text as a whole number from `least` to `most`; None for any other text, of any length.

    It consists of the digits 0 to 9 only; a single sign may precede them if `least` is negative.
    """
    match = _WHOLE.fullmatch(text)
    if match is None or (match[1] and least >= 0):
        return None
    number = int(match[2]) if match[1] != "-" else -int(match[2])
    return number if least <= number <= most else None


def decimal_number(text: str) -> float | None:
    """Return the finite number that the text is, such as `1.5` or `-2e3`; None for any other text."""
    number = float(text) if _DECIMAL.fullmatch(text) else None
    return number if number is not None and isfinite(number) else None


def need_whole_number(what: str, text: str, least: int = 0, most: int = _MOST_WHOLE) -> int:
    """Return the number that `whole_number` reads. Raises ValueError with a sentence about `what` if it is none."""
    number = whole_number(text, least, most)
    if number is None:
        shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
        limits = f"from {least} to {most}" if most < _MOST_WHOLE else f"from {least} on"
        raise ValueError(f'{what} is "{shown}", not a whole number {limits}' if text else f"{what} is missing")
    return number


def sum_in_order(numbers: Iterable[float]) -> float:
    """Return the sum as a loop in C computes it: `sum` of Python 3.12 and later compensates for rounding."""
    total = 0.0
    for number in numbers:
        total += number
    return total


def c_integer_prefix(text: str) -> int | None:
    """Read the leading decimal integer as C's strtol does: `5abc` is 5; None if there is none."""
    prefix = integer_prefix(text)
    return None if prefix is None else prefix[0]


@lru_cache(maxsize=8192)
def _number(text: str) -> float | None:
    word = _WORDS.get(text.lower())
    if word is not None:
        return word
    if ":" in text:
        return _clock(text)
    if text.startswith("0") and "." not in text:
        # Only the low 32 bits of an octal or hexadecimal constant are kept.
        constant = constant_prefix(text)
        prefix = None if constant is None else (float(constant[0] & _UNSIGNED_MAX), constant[1])
    else:
        prefix = double_prefix(text)
    return None if prefix is None else _multiplied(prefix[0], text[prefix[1] :])


def _clock(text: str) -> float | None:
    """Return the seconds of `h:m:s` (fields may be empty); None if malformed or hours or minutes exceed 31 bits."""
    value, rest = 0.0, text
    for unit in (3600, 60):
        amount, rest = _field(rest)
        if not rest.startswith(":") or amount > _LARGEST_FIELD:
            return None
        value, rest = value + unit * amount, rest[1:]
    amount, rest = _field(rest)
    return None if rest.strip(_C_BLANKS) else value + amount


def _field(text: str) -> tuple[float, str]:
    prefix = double_prefix(text)
    return (0.0, text) if prefix is None else (prefix[0], text[prefix[1] :])


def _multiplied(value: float, rest: str) -> float | None:
    factor = _MULTIPLIERS.get(rest[:1])
    if factor is not None:
        value, rest = value * factor, rest[1:]
    return value if not rest or rest.startswith(_AFTER_NUMBER) else None
