"""Measures as people read them: with their unit, and differences as better, worse or none."""

from typing import Final

from qmon_tui.report.spans import Span, TextRole
from qmon_tui.simulation import Compared, Interval, Unit, is_better, unit_of
from qmon_tui.values import clock

NO_DIFFERENCE: Final = "no difference"
HARDLY_ANY: Final = "hardly any"


def value_words(name: str, value: float | None) -> str:
    """Return the value of a measure with its unit; a dash for None."""
    if value is None:
        return "-"
    unit = unit_of(name)
    if unit is Unit.SECONDS:
        return clock(value)
    if unit is Unit.PART:
        return f"{100 * value:.1f} %"
    return f"{value:.0f}" if value == value // 1 else f"{value:.3f}"


def difference_words(name: str, compared: Compared, number: int) -> str:
    """Return the difference of policy `number` (from 1 on) to the first with its bound; empty if there is none.

    It is `hardly any` if both values, or the difference and 0, read alike.
    """
    difference = compared.differences[number - 1]
    if difference is None:
        return ""
    if difference.is_nothing:
        return NO_DIFFERENCE
    size = value_words(name, abs(difference.mean))
    before, after = (value_words(name, compared.values[place]) for place in (0, number))
    if before == after or not any(char in "123456789" for char in size):
        return HARDLY_ANY
    bound = f" ± {value_words(name, difference.half)}" if difference.is_known else ""
    return f"{'+' if difference.mean > 0 else '-'}{size}{bound}"


def is_improvement(name: str, difference: Interval) -> bool | None:
    """Return whether a difference is better or worse; None with one seed, and for measures that more hosts change."""
    if not difference.is_known or name in ("utilisation", "fragmentation"):
        return None
    return is_better(name, difference.mean)


def difference_span(name: str, compared: Compared, number: int) -> Span:
    """Return the difference with an arrow, in the colour of better or worse; with one seed in neither."""
    difference, words = compared.differences[number - 1], difference_words(name, compared, number)
    if difference is None or words in (NO_DIFFERENCE, HARDLY_ANY):
        return Span(words, TextRole.DIM)
    better = is_improvement(name, difference)
    role = TextRole.MOVED if better is None else TextRole.MOVED_UP if better else TextRole.MOVED_DOWN
    return Span(f"{'▲' if difference.mean > 0 else '▼'} {words}", role)
