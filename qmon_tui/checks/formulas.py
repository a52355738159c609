"""The formulas of the scheduler and of dynamic quota limits.

Source: validation/others.md sections 9 and 11.
"""

from qmon_tui.model.complex_entry import ComplexIndex
from qmon_tui.model.formulas import parse_formula
from qmon_tui.values.number import is_number


def formula_problem(index: ComplexIndex, text: str, what: str) -> str | None:
    """What the qmaster says against a sum of weighted attributes, called `what` in its messages; None if it is fine."""
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
