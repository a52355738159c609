"""Measures as people read them: with their unit, and differences as better, worse or none."""

from qmon_tui.report.spans import Span, TextRole
from qmon_tui.simulation import Interval, Unit, is_better, unit_of
from qmon_tui.values import clock


def value_words(name: str, value: float | None) -> str:
    """A value with its unit; a dash where there is none."""
    if value is None:
        return "-"
    unit = unit_of(name)
    if unit is Unit.SECONDS:
        return clock(value)
    if unit is Unit.PART:
        return f"{100 * value:.1f} %"
    return f"{value:.0f}" if value == value // 1 else f"{value:.2f}"


def difference_span(name: str, difference: Interval | None) -> Span:
    """A difference to the first policy with its bounds: better, worse, or none that can be told."""
    if difference is None:
        return Span("")
    if difference.is_nothing:
        return Span("no difference" if difference.is_known else "the same", TextRole.DIM)
    sign = "▲" if difference.mean > 0 else "▼"
    words = f"{sign} {_size(name, difference.mean)}"
    if difference.is_known:
        words += f" ± {value_words(name, difference.half)}"
    better = is_better(name, difference.mean) if difference.is_known else None
    role = TextRole.MOVED if better is None else TextRole.MOVED_UP if better else TextRole.MOVED_DOWN
    return Span(words, role)


def _size(name: str, difference: float) -> str:
    """A difference with its sign; one that would read as 0 says below what it is."""
    unit = unit_of(name)
    least = 1.0 if unit is Unit.SECONDS else 0.001 if unit is Unit.PART else 0.01
    if abs(difference) < least / 2:
        return f"less than {value_words(name, least)}"
    return ("+" if difference > 0 else "-") + value_words(name, abs(difference))
