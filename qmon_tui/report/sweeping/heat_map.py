"""A measure over the first two fields that are varied: darker blocks are larger numbers, each with its value."""

from collections.abc import Iterator, Sequence
from math import isfinite
from typing import Final

from qmon_tui.report.comparison import value_words
from qmon_tui.report.spans import Line, Span, TextRole, fit, left, right
from qmon_tui.report.sweeping.points import Tried
from qmon_tui.report.sweeping.shades import Shades, shades_of
from qmon_tui.simulation import Axis, Setting, is_better, measure_title

_SHADES: Final = " ░▒▓█"
_CELLS: Final = 13
_NAME: Final = 16


def heat_map_lines(axes: Sequence[Axis], tried: Tried, measure: str, cells: int) -> tuple[Line, ...]:
    """Rows are values of the first field, columns of the second one; other fields have their first value."""
    if not axes:
        return ()
    return tuple(fit(line, cells) for line in _lines(axes, tried, measure))


def _lines(axes: Sequence[Axis], tried: Tried, measure: str) -> Iterator[Line]:
    across = axes[1] if len(axes) > 1 else None
    known = {
        setting: numbers[measure] for setting, numbers in tried if not isinstance(numbers, str) and measure in numbers
    }
    shades = shades_of(tried, measure)
    if shades is None:
        return
    yield (Span(f" {measure_title(measure)}", TextRole.STRONG), Span(f" by {axes[0].place}", TextRole.DIM),
           Span(f" and {across.place}" if across else "", TextRole.DIM))  # fmt: skip
    if across:
        heads = (Span(right(value, _CELLS), TextRole.DIM) for value in across.values)
        yield (Span(" " * (_NAME + 1)), *heads)
    rest = tuple((axis.place, axis.values[0]) for axis in axes[2:] if axis.values)
    best = shades.low if is_better(measure, -1.0) is not False else shades.high
    for value in axes[0].values:
        row: list[Span] = [Span(f" {left(value, _NAME)}")]
        for other in across.values if across else ("",):
            setting: Setting = ((axes[0].place, value), *(((across.place, other),) if across else ()), *rest)
            row += _cell(known.get(setting), measure, shades, best)
        yield tuple(row)
    if shades.note:
        yield (Span(f" {shades.note}", TextRole.DIM),)


def _cell(number: float | None, measure: str, shades: Shades, best: float) -> Sequence[Span]:
    if number is None:
        return (Span(right("-", _CELLS), TextRole.FAINT),)
    shade = _SHADES[min(len(_SHADES) - 1, int(shades.part(number) * len(_SHADES)))]
    role = TextRole.MOVED_UP if number == best and isfinite(shades.span) else TextRole.PLAIN
    return (Span(right(value_words(measure, number), _CELLS - 3), role), Span(f" {shade * 2}", TextRole.ACCENT))
