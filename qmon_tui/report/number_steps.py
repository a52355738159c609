"""Numbers that are typed or changed step by step: shares and weights, in the spelling that they have."""

import math

from qmon_tui.values import parse_double, parse_unsigned

_JUST_BELOW = 0.9999
"""Downwards from 1.0 the steps are those of what is below it."""


def stepped(text: str, by: int) -> str | None:
    """The number of a text a little higher or lower, in round numbers; None for what is no such number.

    A step is a twentieth to a tenth of the value, so that a step back comes back. From 0 it goes up to the smallest
    step that shows: 1 for whole numbers, 0.01 for others.
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
    """1, 2 or 5 in the digit behind the first."""
    size = 10.0 ** math.floor(math.log10(value))
    return size / 10 * next(part for part in (5, 2, 1) if value >= part * size)


def shares_problem(text: str) -> str | None:
    """Return the problem of the text of a node's shares; None if there is none."""
    try:
        parse_unsigned(text)
    except ValueError:
        return "Shares are a whole number from 0 to 4294967295."
    return None
