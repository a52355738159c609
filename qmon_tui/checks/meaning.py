"""Numbers that the qmaster accepts but that hardly mean what they say.

One grammar serves all numeric types, so that `10m` as a time is ten million seconds (validation/complex.md section 4);
sge_types(1) allows a time, an amount of memory, a boolean only its own notation.
"""

import math
import re

from qmon_tui.values.number import INFINITY, is_number, parse_number

_TAIL = re.compile(r"[,/]")
_MULTIPLIED = re.compile(r"[kKmMgGtT]\s*$")
_OCTAL = re.compile(r"0[0-7]+")
_BOOLEANS = ("true", "false")


def doubtful(type_name: str, text: str) -> str | None:
    """Why a number that is accepted for a type (INT, DOUBLE, TIME, MEMORY, BOOL) should be looked at, else None."""
    if not is_number(text):
        return None
    value = parse_number(text)
    if value == INFINITY:
        return None
    if not math.isfinite(value):
        return f'"{text}" cannot be compared with anything: write INFINITY for no limit'
    read = _plain(value)
    if _TAIL.search(text):
        return f'"{text}" is read as {read}: what follows the number is ignored'
    if text.lower() in _BOOLEANS:
        return None if type_name == "BOOL" else f'"{text}" is read as {read}'
    if value < 0:
        return f'"{text}" is negative'
    if type_name == "BOOL" and value not in (0, 1):
        return f'"{text}" is read as a number, not as TRUE or FALSE'
    if type_name == "TIME" and _MULTIPLIED.search(text):
        return f'"{text}" is read as {read} seconds: a letter multiplies, it is no unit of time'
    if type_name != "TIME" and ":" in text:
        return f'"{text}" is a time: it is read as {read}'
    if _OCTAL.fullmatch(text) and float(text) != value:
        return f'"{text}" is octal: it is read as {read}'
    if type_name == "INT" and value != int(value):
        return f'"{text}" is not a whole number'
    return None


def _plain(value: float) -> str:
    return str(int(value)) if value == int(value) else f"{value:g}"
