"""The points of a sweep as rows, the best of the chosen measure first, and the lines above them."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from qmon_tui.report.comparison import value_words
from qmon_tui.report.day import lasting
from qmon_tui.report.grid_rows import Column, table_lines
from qmon_tui.report.spans import Line, Span, TextRole, fit, left, right
from qmon_tui.report.table_rows import ListRows
from qmon_tui.simulation import Axis, Measured, Setting, is_better, measure_title, pareto

Tried = Sequence[tuple[Setting, Measured | str]]
"""The points that have been tried; a sentence instead of measures where one cannot be."""
_CELLS: Final = 12
_LEAST_SETTING: Final = 17
"""So that five measures have room in 80 columns."""


@dataclass(frozen=True, slots=True)
class SweepHead:
    """The lines above the points."""

    axes: Sequence[Axis]
    points: int
    tried: int
    seconds: int | None
    """How long each day lasts; None for until all is done."""
    seeds: int
    busy: bool
    problem: str = ""


def sweep_head_lines(head: SweepHead, cells: int) -> tuple[Line, ...]:
    """A line for each field that is varied, then how far the sweep is."""
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
    """The points to which none is better in one of the first two measures without being worse in the other."""
    better = [is_better(name, -1.0) for name in measures[:2]]
    if len(better) < 2 or None in better:
        return frozenset()
    known = [(setting, numbers) for setting, numbers in tried if not isinstance(numbers, str)]
    return frozenset(pareto(known, measures[0], measures[1], (bool(better[0]), bool(better[1]))))


class PointRows(ListRows[tuple[Setting, Measured | str]]):
    """One row for each point: what it sets, and its measures. ◆ marks the best in the first two measures."""

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
        """The measures, the one that orders the rows in the colour of what is chosen."""
        if not self.items:
            return None
        spans = [Span(" "), Span(left(self._title(cells), self._setting_cells(cells)), TextRole.DIM)]
        for number, name in enumerate(self._measures):
            role = TextRole.ACCENT if number == self._chosen else TextRole.DIM
            spans.append(Span(right(_short(measure_title(name)), _CELLS), role))
        return fit(spans, cells)

    def line(self, index: int, cells: int) -> Line:
        """The settings, and the measures or why they are impossible."""
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

    def _title(self, cells: int) -> str:
        return "point" if self._longest <= self._setting_cells(cells) else "values as above"

    def _words(self, setting: Setting, width: int) -> str:
        """Return the settings; without room for names only the values, in the order of the lines above."""
        return setting_words(setting) if self._longest <= width else ", ".join(value for _, value in setting)

    def _setting_cells(self, cells: int) -> int:
        """Return the cells of the settings: no more than the longest needs."""
        return max(_LEAST_SETTING, min(self._longest, cells - 1 - _CELLS * len(self._measures)))


def setting_words(setting: Setting) -> str:
    """The last names of the fields: `weight_urgency=1 slots=4`."""
    return " ".join(f"{place.rpartition('.')[2]}={value}" for place, value in setting)


def _short(title: str) -> str:
    return title.replace("bounded slowdown", "slowdown").replace("mean", "").strip()
