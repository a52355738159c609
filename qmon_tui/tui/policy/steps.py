"""A value a little higher or lower, in the spelling that it has; no Textual here."""

import math

from qmon_tui.values.number import parse_double


def stepped(text: str, by: int) -> str | None:
    """The number of a text about a tenth higher or lower, in round numbers; None for what is no such number.

    From 0 it goes up to the smallest step that shows: 1 for whole numbers, 0.01 for others.
    """
    whole = text.strip().isdigit()
    try:
        value = parse_double(text)
    except ValueError:
        return None
    if value < 0:
        return None
    smallest = 1.0 if whole else 0.01
    # Downwards from a power of ten the steps are those below it.
    magnitude = math.floor(math.log10(value * (1.0 if by > 0 else 0.999))) if value > 0 else 0
    step = max(smallest, 10.0 ** (magnitude - 1)) if value > 0 else smallest
    after = max(0.0, round((value + by * step) / step) * step)
    return str(round(after)) if whole else f"{after:.6f}"
