"""Measures as people read them: values and differences."""

from typing import Final

from qmon_tui.simulation import Compared, Interval, Unit, unit_of
from qmon_tui.values import clock

NO_DIFFERENCE: Final = "no difference"
HARDLY_ANY: Final = "hardly any"


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
    """A difference with its bound, that there is none, or `hardly any` if it is 0 when it is rounded as shown."""
    if difference is None:
        return ""
    if difference.is_nothing:
        return NO_DIFFERENCE
    if not is_visible(name, difference.mean):
        return HARDLY_ANY
    sign = "+" if difference.mean > 0 else ""
    text = f"{sign}{value_text(name, difference.mean)}"
    return f"{text} ± {value_text(name, difference.half)}" if difference.is_known else text


def compared_text(name: str, compared: Compared, number: int) -> str:
    """The difference of a policy (`number` from 0 on) to the first, `hardly any` if both values read alike."""
    difference = compared.differences[number]
    before, after = (value_text(name, compared.values[place]) for place in (0, number + 1))
    is_alike = before == after and difference is not None and not difference.is_nothing
    return HARDLY_ANY if is_alike else difference_text(name, difference)


def is_visible(name: str, difference: float) -> bool:
    """True if a difference is not 0 when it is rounded as shown."""
    return any(char in "123456789" for char in value_text(name, difference))
