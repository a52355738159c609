"""Functions of the C library as the qmaster uses them: strtod, strtol, and upper and lower case in the C locale."""

import re

_BLANK = r"[ \t\n\v\f\r]*"

_DOUBLE = re.compile(
    _BLANK
    + r"""(?P<sign>[+-]?)(?:
        (?P<hex>0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)(?:[pP][+-]?[0-9]+)?)
      | (?P<decimal>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)
      | (?P<infinite>[iI][nN][fF](?:[iI][nN][iI][tT][yY])?)
      | (?P<nan>[nN][aA][nN](?:\([0-9A-Za-z_]*\))?)
    )""",
    re.VERBOSE,
)
_INTEGER = re.compile(_BLANK + r"[+-]?[0-9]+")
_CONSTANT = re.compile(r"0[xX](?P<hex>[0-9a-fA-F]+)|(?P<octal>0[0-7]*)")

_LONG_MAX = 2**63 - 1
_MOST_DIGITS = 4000


def double_prefix(text: str) -> tuple[float, int] | None:
    """Read the longest leading C floating constant: its value and where it ends; None if there is none (strtod(3))."""
    match = _DOUBLE.match(text)
    if match is None:
        return None
    if match["decimal"] is not None:
        value = float(match["decimal"])
    elif match["hex"] is not None:
        value = _hexadecimal(match["hex"])
    else:
        value = float("nan" if match["nan"] is not None else "inf")
    return -value if match["sign"] == "-" else value, match.end()


def integer_prefix(text: str) -> tuple[int, int] | None:
    """Read the leading decimal integer: its value and where it ends; None if there is none (strtol(3), base 10)."""
    match = _INTEGER.match(text)
    return None if match is None else (_saturated(_decimal(match.group())), match.end())


def constant_prefix(text: str) -> tuple[int, int] | None:
    """Read a leading C integer constant that starts with 0, octal or hexadecimal (strtol(3), base 0)."""
    match = _CONSTANT.match(text)
    if match is None:
        return None
    value = int(match["hex"], 16) if match["hex"] is not None else int(match["octal"], 8)
    return _saturated(value), match.end()


def _hexadecimal(text: str) -> float:
    try:
        return float.fromhex(text)
    except OverflowError:
        return float("inf")


def _decimal(text: str) -> int:
    """Return the decimal integer; one of 4000 digits or more (Python's limit) is clamped to plus or minus 2^64."""
    return int(text) if len(text) < _MOST_DIGITS else int(max(-(2.0**64), min(2.0**64, float(text))))


def _saturated(value: int) -> int:
    return max(-_LONG_MAX - 1, min(_LONG_MAX, value))


_LOWER = {capital: capital + 32 for capital in range(ord("A"), ord("Z") + 1)}


def lower(text: str) -> str:
    """Turn the ASCII letters into lower case and leave all others alone."""
    return text.lower() if text.isascii() else text.translate(_LOWER)
