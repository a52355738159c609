"""A measure over the first two fields that are varied: darker blocks are larger numbers, each with its value."""

from collections.abc import Iterator, Sequence
from typing import Final

from qmon_tui.report.comparison import value_words
from qmon_tui.report.spans import Line, Span, TextRole, fit, left, right
from qmon_tui.report.sweeping.points import Tried
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
    if not known:
        return
    low, high = min(known.values()), max(known.values())
    yield (Span(f" {measure_title(measure)}", TextRole.STRONG), Span(f" by {axes[0].place}", TextRole.DIM),
           Span(f" and {across.place}" if across else "", TextRole.DIM))  # fmt: skip
    if across:
        heads = (Span(right(value, _CELLS), TextRole.DIM) for value in across.values)
        yield (Span(" " * (_NAME + 1)), *heads)
    rest = tuple((axis.place, axis.values[0]) for axis in axes[2:] if axis.values)
    best = (min if is_better(measure, -1.0) is not False else max)(known.values())
    for value in axes[0].values:
        row: list[Span] = [Span(f" {left(value, _NAME)}")]
        for other in across.values if across else ("",):
            setting: Setting = ((axes[0].place, value), *(((across.place, other),) if across else ()), *rest)
            row += _cell(known.get(setting), measure, low, high, best)
        yield tuple(row)


def _cell(number: float | None, measure: str, low: float, high: float, best: float) -> Sequence[Span]:
    if number is None:
        return (Span(right("-", _CELLS), TextRole.FAINT),)
    part = (number - low) / (high - low) if high > low else 0.0
    shade = _SHADES[min(len(_SHADES) - 1, int(part * len(_SHADES)))]
    role = TextRole.MOVED_UP if number == best else TextRole.PLAIN
    return (Span(right(value_words(measure, number), _CELLS - 3), role), Span(f" {shade * 2}", TextRole.ACCENT))
