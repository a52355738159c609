"""A value that a queue, a host or a quota gives to an attribute.

Source: validation/queue.md section 6, validation/others.md sections 2 and 9.
"""

from qmon_tui.checks.complexes import type_word
from qmon_tui.model.complex_entry import ComplexEntry
from qmon_tui.values.hosts import is_host_name
from qmon_tui.values.number import is_number, parse_number
from qmon_tui.values.patterns import is_expression


def value_problem(entry: ComplexEntry, text: str) -> str | None:
    """What the qmaster says against a value of an attribute, None if it takes it."""
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
