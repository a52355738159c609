"""The qmaster's errors for values, and warnings about numbers that it reads in an unexpected way.

One grammar serves all numeric types, so that `10m` as a time is ten million seconds (values.md#numbers);
sge_types(1) allows a time, an amount of memory, a boolean only its own notation.
"""

import math
import re
from collections.abc import Collection, Sequence

from qmon_tui.checks.complexes import type_word
from qmon_tui.model import ComplexEntry, ComplexIndex, parse_formula
from qmon_tui.values import INFINITY, is_expression, is_host_name, is_none, is_number, parse_number, whole_number

_TAIL = re.compile(r"[,/]")
_MULTIPLIED = re.compile(r"[kKmMgGtT]\s*$")
_OCTAL = re.compile(r"0[0-7]+")
_BOOLEANS = ("true", "false")


def doubtful_number(type_name: str, text: str) -> str | None:
    """Return why an accepted number of a type (INT, DOUBLE, TIME, MEMORY, BOOL) is doubtful; None if it is not."""
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
        return f'"{text}" is read as {read} seconds: a letter multiplies, it is not a unit of time'
    if type_name != "TIME" and ":" in text:
        return f'"{text}" is a time: it is read as {read}'
    if _OCTAL.fullmatch(text) and float(text) != value:
        return f'"{text}" is octal: it is read as {read}'
    if type_name == "INT" and value != int(value):
        return f'"{text}" is not a whole number'
    return None


def _plain(value: float) -> str:
    return str(int(value)) if value == int(value) else f"{value:g}"


_MAP = re.compile(r"([0-9]+)(?:\((.*)\))?", re.DOTALL)
_CHARACTERISTICS = re.compile(r"\[([^\[\]]*)\]")


def value_problem(entry: ComplexEntry, text: str) -> str | None:
    """Return the qmaster's error for a value of an attribute; None if it accepts it."""
    if entry.type == "RSMAP":
        return _map_problem(entry, text)
    if entry.is_text:
        if entry.type == "HOST" and not is_expression(text) and not is_host_name(text):
            return f'can\'t resolve hostname "{text}"'
        return None
    if not is_number(text):
        return f'attribute "{entry.name}" is not a {type_word(entry.type)}'
    if not entry.is_consumable:
        return None
    if text.lower() == "infinity":
        return f'attribute "{entry.name}" is not a value that can be set to infinity'
    if parse_number(text) < 0:
        return f'attribute "{entry.name}" is consumable but has a negative value'
    return None


def _map_problem(entry: ComplexEntry, text: str) -> str | None:
    """Return the problem of a resource map (Open Cluster Scheduler); None if it is valid, as `2(gpu0 gpu1)`, `3(1-3)`.

    It has an amount and as many ids; an id may have characteristics: `1(gpu0[device=/dev/nvidia0,memory=80G])`.
    """
    match = _MAP.fullmatch(text.strip())
    if match is None:
        return f'attribute "{entry.name}" is not a resource map: write an amount and the ids, 2(gpu0 gpu1)'
    if match.group(2) is None:
        return None
    for described in _CHARACTERISTICS.findall(match.group(2)):
        for part in described.split(","):
            if not all(map(str.strip, part.partition("="))):
                return f'attribute "{entry.name}" has a characteristic "{part}": write name=value'
    ids = sum(map(_ids, _CHARACTERISTICS.sub("", match.group(2)).split()))
    if ids != whole_number(match.group(1)):
        return f'attribute "{entry.name}" has the amount {match.group(1)} and {ids} ids'
    return None


def _ids(word: str) -> int:
    first, dash, last = word.partition("-")
    low, high = whole_number(first), whole_number(last)
    return high - low + 1 if dash and low is not None and high is not None else 1


def formula_problem(index: ComplexIndex, text: str, what: str) -> str | None:
    """Return the qmaster's error for a formula, which its message calls `what`; None if it accepts it."""
    for term in parse_formula(text):
        if term.attribute:
            entry = index.find(term.attribute)
            if entry is None:
                return f'"{what}" references not existing complex attribute "{term.attribute}"'
            if entry.is_text:
                kinds = "String, CString, ReString or Host attributes are not allowed"
                return f'{kinds} in "{what}": "{term.attribute}"'
        weights = [weight for weight in term.weights if weight]
        for weight in weights:
            if not is_number(weight.removeprefix("$")):
                return f'"{what}" uses "{weight}" as weighting factor (only numbers are allowed)'
        if len(weights) > 1:
            return f'"{what}" may not use multiple weighting factors'
    return None


def specifier_problem(words: Sequence[str], known: Collection[str], noun: str) -> str | None:
    """Return the qmaster's error for words not in `known`, repeated or missing; None if it accepts them."""
    if not words:
        return f'error: reading conf file: empty specifier for "{noun}"'
    seen: set[str] = set()
    for word in words:
        kind = word.upper()
        if kind not in known:
            return f'error: reading conf file: unknown specifier "{word}" for {noun}'
        if kind in seen:
            return f'error: reading config file: specifier "{kind}" given twice for "{noun}"'
        seen.add(kind)
    return None


_VARIABLE = re.compile(r"\$([A-Za-z0-9_]*)")


def variable_problem(text: str, known: frozenset[str]) -> str | None:
    """Return the qmaster's error for the first $variable that is not in `known`; None if there is none."""
    for match in _VARIABLE.finditer(text):
        name = match.group(1)
        if not name:
            return "variables need at least one character"
        if name not in known:
            return f'unknown variable "{name}"'
    return None


def is_command(text: str) -> bool:
    """True if the text is NONE or [user@]/path with arguments."""
    command = (text.split() or [text])[0]  # the text may consist of control characters that split() drops
    return is_none(text) or command.rpartition("@")[2].startswith("/")
