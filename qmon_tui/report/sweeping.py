"""A sweep over policies on the screen: a row for each tried point, and a heat map of two fields."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf, isfinite
from typing import Final

from qmon_tui.report.comparison import value_words
from qmon_tui.report.day import lasting
from qmon_tui.report.grid_rows import Column, table_lines
from qmon_tui.report.spans import Line, Span, TextRole, fit, left, right
from qmon_tui.report.table_rows import ListRows
from qmon_tui.simulation import Axis, Measured, Setting, is_better, least_difference_of, measure_title, pareto

Tried = Sequence[tuple[Setting, Measured | str]]
"""Tried points with their measures, or with the reason why a point cannot be simulated."""
_CELLS: Final = 12
_LEAST_SETTING: Final = 17
"""Least width of the settings, in cells: leaves room for five measures in 80 columns."""


@dataclass(frozen=True, slots=True)
class SweepHead:
    """Content of the lines above the points; `seeds` is the number of days for each point."""

    axes: Sequence[Axis]
    points: int
    tried: int
    seconds: int | None
    """Length of each day; None if a day lasts until all jobs have ended."""
    seeds: int
    busy: bool
    problem: str = ""


def sweep_head_lines(head: SweepHead, cells: int) -> tuple[Line, ...]:
    """Return a line for each varied field, then the progress of the sweep."""
    lines = [
        fit((Span(f" {axis.place}  ", TextRole.ACCENT), Span(", ".join(axis.values))), cells) for axis in head.axes
    ]
    if head.problem:
        return (*lines, fit((Span(" "), Span(f"✗ {head.problem}", TextRole.ERROR)), cells))
    days = "one day" if head.seeds == 1 else f"{head.seeds} like days"
    length = "until all is done" if head.seconds is None else f"of {lasting(head.seconds)} each"
    words = f" {head.points} points, {days} {length}" if head.axes else ""
    spans = [Span(words, TextRole.DIM)]
    if head.busy:
        spans.append(Span(f"   ↻ tried {head.tried} of {head.points}", TextRole.CHANGED))
    return (*lines, fit(spans, cells))


def best_settings(tried: Tried, measures: Sequence[str]) -> frozenset[Setting]:
    """Return the Pareto-optimal points in the first two measures; empty without two ordered measures."""
    better = [is_better(name, -1.0) for name in measures[:2]]
    if len(better) < 2 or None in better:
        return frozenset()
    known = [(setting, numbers) for setting, numbers in tried if not isinstance(numbers, str)]
    return frozenset(pareto(known, measures[0], measures[1], (bool(better[0]), bool(better[1]))))


class PointRows(ListRows[tuple[Setting, Measured | str]]):
    """One row for each point: settings and measures, sorted by measure `chosen`. ◆ marks `best_settings`."""

    def __init__(self, tried: Tried = (), measures: Sequence[str] = (), chosen: int = 0) -> None:
        self._measures = tuple(measures)
        self._chosen = chosen
        self._best = best_settings(tried, measures)
        super().__init__(sorted(tried, key=self._rank))
        self._longest = max((len(setting_words(setting)) for setting, _ in self.items), default=0)

    def _rank(self, row: tuple[Setting, Measured | str]) -> tuple[bool, float]:
        _, numbers = row
        if isinstance(numbers, str) or not self._measures:
            return True, 0.0
        name = self._measures[self._chosen]
        if name not in numbers:
            return True, 0.0
        return False, -numbers[name] if is_better(name, 1.0) else numbers[name]

    def key(self, index: int) -> Hashable:
        return self.items[index][0]

    def head(self, cells: int) -> Line | None:
        """Return the titles of the measures, the one that sorts the rows highlighted; None without rows."""
        if not self.items:
            return None
        width = self._setting_cells(cells)
        title = "point" if self._longest <= width else "values as above"
        spans = [Span(" "), Span(left(title, width), TextRole.DIM)]
        for number, name in enumerate(self._measures):
            role = TextRole.ACCENT if number == self._chosen else TextRole.DIM
            short = measure_title(name).replace("bounded slowdown", "slowdown").replace("mean", "").strip()
            spans.append(Span(right(short, _CELLS), role))
        return fit(spans, cells)

    def line(self, index: int, cells: int) -> Line:
        setting, numbers = self.items[index]
        mark = Span("◆" if setting in self._best else " ", TextRole.MOVED_UP)
        width = self._setting_cells(cells)
        if isinstance(numbers, str):
            return fit(
                (mark, Span(left(self._words(setting, width), width)), Span(f" ✗ {numbers}", TextRole.ERROR)), cells
            )
        spans = [mark, Span(left(self._words(setting, width), width))]
        spans += [Span(right(value_words(name, numbers.get(name)), _CELLS)) for name in self._measures]
        return fit(spans, cells)

    def text(self, index: int) -> str:
        setting, numbers = self.items[index]
        if isinstance(numbers, str):
            return f"{setting_words(setting)} ✗ {numbers}"
        return " ".join((setting_words(setting), *(value_words(name, numbers.get(name)) for name in self._measures)))

    def printed(self, width: int, notes: Mapping[Setting, str]) -> Iterator[Line]:
        """Yield the lines of the whole table as commands print it, with notes on some points."""
        measures = (Column(name, measure_title(name), "right", minimum=8) for name in self._measures)
        rows = []
        for setting, numbers in self.items:
            known = {} if isinstance(numbers, str) else numbers
            cells = (value_words(name, known[name]) if name in known else "" for name in self._measures)
            marks = (numbers if isinstance(numbers, str) else "",
                     "best of two" if setting in self._best else "", notes.get(setting, ""))  # fmt: skip
            rows.append((setting_words(setting), *cells, ", ".join(filter(None, marks))))
        return table_lines([Column("point", "point", minimum=_LEAST_SETTING), *measures, Column("", "")], rows, width)

    def _words(self, setting: Setting, width: int) -> str:
        """Return the settings; only the values, in the order of the head lines, if names do not fit."""
        return setting_words(setting) if self._longest <= width else ", ".join(value for _, value in setting)

    def _setting_cells(self, cells: int) -> int:
        """Return the width of the settings, in cells: at most that of the longest."""
        return max(_LEAST_SETTING, min(self._longest, cells - 1 - _CELLS * len(self._measures)))


def setting_words(setting: Setting) -> str:
    """Return the settings with the last part of field names: `weight_urgency=1 slots=4`."""
    return " ".join(f"{place.rpartition('.')[2]}={value}" for place, value in setting)


_CHANCE: Final = 0.25
"""Greatest part of the range of shades for a difference that may be chance."""
_HARDLY_SEEN: Final = 0.05
"""If chance is unknown, a smaller spread relative to the number does not use all shades."""


@dataclass(frozen=True, slots=True)
class Shades:
    """The shades of a measure over the points of a sweep; `low` and `high` are its extreme values."""

    low: float
    high: float
    span: float
    """Difference between the lightest and the darkest shade; infinite if all points have the same."""
    note: str
    """Sentence about differences that may be chance; empty if none is needed."""

    def part(self, number: float) -> float:
        """Return the shade of a number: 0 for the lightest to 1 for the darkest."""
        return (number - self.low) / self.span if self.span else 0.0


def shades_of(tried: Tried, measure: str) -> Shades | None:
    """Return the shades of a measure; None if no point has it."""
    points = [numbers for _, numbers in tried if not isinstance(numbers, str) and measure in numbers]
    if not points:
        return None
    low, high = min(point[measure] for point in points), max(point[measure] for point in points)
    least = least_difference_of(points, measure)
    if least is None:
        note = "How much of a difference is chance, more days tell." if high > low else ""
        return Shades(low, high, max(high - low, abs(high) * _HARDLY_SEEN), note)
    words = value_words(measure, least)
    if high - low <= least:
        chance = f": all lie within what is chance ({words})" if high > low else ""
        return Shades(low, high, inf, f"No difference{chance}.")
    note = f"Differences below {words} are chance." if least else ""
    return Shades(low, high, max(high - low, least / _CHANCE), note)


_SHADES: Final = " ░▒▓█"
_HEAT_CELLS: Final = 13
_NAME: Final = 16


def heat_map_lines(axes: Sequence[Axis], tried: Tried, measure: str, cells: int) -> tuple[Line, ...]:
    """Return the heat map: rows by the first field, columns by the second; other fields have their first value."""
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
        heads = (Span(right(value, _HEAT_CELLS), TextRole.DIM) for value in across.values)
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
        return (Span(right("-", _HEAT_CELLS), TextRole.FAINT),)
    shade = _SHADES[min(len(_SHADES) - 1, int(shades.part(number) * len(_SHADES)))]
    role = TextRole.MOVED_UP if number == best and isfinite(shades.span) else TextRole.PLAIN
    return (Span(right(value_words(measure, number), _HEAT_CELLS - 3), role), Span(f" {shade * 2}", TextRole.ACCENT))
