"""Steps up and down for numbers in fields: shares and weights; the spelling is kept."""

import math

from qmon_tui.values import parse_double, parse_unsigned

_JUST_BELOW = 0.9999
"""Factor for the value of a step down: from 1.0 down, the step is that of numbers below 1."""


def stepped(text: str, by: int) -> str | None:
    """Return the number of a text `by` steps higher or lower, rounded; None for a text that is no such number.

    A step is a twentieth to a tenth of the value, so that a step back restores it. From 0, a step is
    1 for whole numbers, 0.01 for others.
    """
    whole = text.strip().isdigit()
    try:
        value = parse_double(text)
    except ValueError:
        return None
    if not 0 <= value < math.inf:
        return None
    smallest = 1.0 if whole else 0.01
    step = max(smallest, _step(value if by > 0 else value * _JUST_BELOW)) if value else smallest
    after = max(0.0, round(value / step + by) * step)
    return str(round(after)) if whole else f"{after:.6f}"


def _step(value: float) -> float:
    """Return the step for a value: 1, 2 or 5 in its second digit."""
    size = 10.0 ** math.floor(math.log10(value))
    return size / 10 * next(part for part in (5, 2, 1) if value >= part * size)


def shares_problem(text: str) -> str | None:
    """Return the problem of the text of a node's shares; None if there is none."""
    try:
        parse_unsigned(text)
    except ValueError:
        return "Shares are a whole number from 0 to 4294967295."
    return None
