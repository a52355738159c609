"""A value that a queue, a host or a quota gives to an attribute.

Source: validation/queue.md section 6, validation/others.md sections 2 and 9.
"""

import re

from qmon_tui.checks.complexes import type_word
from qmon_tui.model.complex_entry import ComplexEntry
from qmon_tui.values.hosts import is_host_name
from qmon_tui.values.number import is_number, parse_number
from qmon_tui.values.patterns import is_expression

_MAP = re.compile(r"([0-9]+)(?:\((.*)\))?", re.DOTALL)
_CHARACTERISTICS = re.compile(r"\[([^\[\]]*)\]")


def value_problem(entry: ComplexEntry, text: str) -> str | None:
    """What the qmaster says against a value of an attribute, None if it takes it."""
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
    """A resource map of Open Cluster Scheduler: an amount and as many ids in parentheses, `2(gpu0 gpu1)`, `3(1-3)`.

    An id may have characteristics: `1(gpu0[device=/dev/nvidia0,memory=80G])`.
    """
    found = _MAP.fullmatch(text.strip())
    if found is None:
        return f'attribute "{entry.name}" is not a resource map: write an amount and the ids, 2(gpu0 gpu1)'
    if found.group(2) is None:
        return None
    for described in _CHARACTERISTICS.findall(found.group(2)):
        for part in described.split(","):
            if not all(map(str.strip, part.partition("="))):
                return f'attribute "{entry.name}" has a characteristic "{part}": write name=value'
    ids = sum(map(_ids, _CHARACTERISTICS.sub("", found.group(2)).split()))
    if ids != int(found.group(1)):
        return f'attribute "{entry.name}" has the amount {found.group(1)} and {ids} ids'
    return None


def _ids(word: str) -> int:
    first, dash, last = word.partition("-")
    return int(last) - int(first) + 1 if dash and first.isdigit() and last.isdigit() else 1
