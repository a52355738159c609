"""Measures as people read them: values and differences."""

from typing import Final

from qmon_tui.cli.lengths import clock
from qmon_tui.simulation import Interval, Unit, unit_of

NO_DIFFERENCE: Final = "no difference"


def value_text(name: str, value: float | None) -> str:
    """A value with its unit; nothing where there is none."""
    if value is None:
        return ""
    unit = unit_of(name)
    if unit is Unit.PART:
        return f"{100 * value:.1f} %"
    if unit is Unit.SECONDS:
        return clock(value)
    return f"{value:.0f}" if value == int(value) and abs(value) < 1e15 else f"{value:.3f}"


def difference_text(name: str, difference: Interval | None) -> str:
    """A difference with how sure it is, or that there is none."""
    if difference is None:
        return ""
    if difference.is_nothing:
        return NO_DIFFERENCE
    sign = "+" if difference.mean > 0 else ""
    text = f"{sign}{value_text(name, difference.mean)}"
    return f"{text} ± {value_text(name, difference.half)}" if difference.is_known else text
