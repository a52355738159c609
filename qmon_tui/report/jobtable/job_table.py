"""The job table as rows for a LineTable: filtered and sorted once, drawn line by line when visible."""

from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Final

from qmon_tui.report.bars import priority_parts, stacked_bar
from qmon_tui.report.jobtable.job_columns import BY_KEY, JobColumn, columns_named, value_of
from qmon_tui.report.jobtable.job_filter import JobFilter
from qmon_tui.report.jobtable.job_rows import JobTableRow
from qmon_tui.report.live_jobs import Weights
from qmon_tui.report.row_filter import RowFilter
from qmon_tui.report.schedule_changes import mark
from qmon_tui.report.spans import Line, Span, TextRole, fit, left, right, width as cells_of
from qmon_tui.report.table_rows import part_at
from qmon_tui.report.task_counts import TaskCounts
from qmon_tui.report.words import ARROW, count, shown_figure, spaced, state_role
from qmon_tui.workspace import Figures, JobKey, ScheduleChange

_SAMPLE: Final = 2000
"""About the number of rows that are measured for the width of a column."""
_LONGEST_NUMBER: Final = 11


@dataclass(frozen=True, slots=True)
class JobTableSettings:
    """Settings of the table: columns, sort column and filter."""

    columns: tuple[str, ...] = ()
    order: str = ""
    """Key of the sort column; empty for scheduling order."""
    descending: bool = False
    filter: JobFilter = field(default_factory=RowFilter)
    kept: Collection[Hashable] = ()
    """Numbers of jobs that are shown even if the filter rejects them."""


class JobTable:
    """Rows of the job table, built in a worker; only the visible lines are drawn."""

    def __init__(
        self,
        rows: Sequence[JobTableRow] = (),
        settings: JobTableSettings | None = None,
        weights: Weights = (1, 1, 1),
        moves: Mapping[JobKey, ScheduleChange] | None = None,
        opened: frozenset[int] = frozenset(),
        marked: frozenset[int] = frozenset(),
    ) -> None:
        self.settings = settings or JobTableSettings()
        self.all = rows
        self.rows = _arranged(rows, self.settings)
        self.marked = marked
        self._columns = columns_named(self.settings.columns)
        self._weights = weights
        self._moves = moves or {}
        self._opened = opened
        self._most = max((row.task.prior for row in rows), default=1.0) or 1.0
        self._at: dict[Hashable, int] = {}
        self._of_job: dict[int, int] = {}
        for index, row in enumerate(self.rows):
            self._at[row.key] = index
            self._of_job.setdefault(row.job.id, index)
        self._natural = [_width(column, rows) for column in self._columns]
        self._empty = [column.key for column in self._columns if _is_empty(column, rows)]
        self._numbers = min(max((len(row.number) for row in rows if row.inside), default=0), _LONGEST_NUMBER)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[JobTableRow]:
        return iter(self.rows)

    def key(self, index: int) -> Hashable:
        return self.rows[index].key

    def find(self, key: Hashable) -> int | None:
        """Return the index of the key's row, else of the row with its task, else the first of its job, else None."""
        if (index := self._at.get(key)) is not None:
            return index
        if not isinstance(key, tuple) or key[0] not in self._of_job:
            return None
        first = self._of_job[key[0]]
        for index in range(first, len(self.rows)):
            row = self.rows[index]
            if row.job.id != key[0]:
                break
            if not row.whole and row.tasks[0].task <= key[1] <= row.tasks[-1].task:
                return index
        return first

    def with_marks(self, marked: frozenset[int]) -> "JobTable":
        other = copy(self)
        other.marked = marked
        return other

    @property
    def hidden_marks(self) -> tuple[int, ...]:
        """Numbers of the marked jobs that have no row."""
        return tuple(sorted(self.marked - self._of_job.keys()))

    def head(self, cells: int) -> Line | None:
        """Return the column titles, with an arrow at the sort column."""
        spans = [Span("  ")]
        for column, width in self._fitting(cells):
            arrow = ("▼" if self.settings.descending else "▲") if column.key == self.settings.order else ""
            title = (right if column.right else left)(arrow + column.title, width)
            spans += [Span(title, TextRole.ACCENT if arrow else TextRole.DIM), Span(" ")]
        return tuple(spans)

    def column_at(self, cell: int, cells: int) -> str | None:
        return part_at(((column.key, width + 1) for column, width in self._fitting(cells)), 2, cell)

    def keys(self, cells: int) -> tuple[str, ...]:
        """Return the keys of the visible columns that can be sorted by."""
        return tuple(column.key for column, _ in self._fitting(cells) if column.key != "made")

    def line(self, index: int, cells: int) -> Line:
        row = self.rows[index]
        move = self._moves.get((row.job.id, row.task.task))
        chosen = Span("✓", TextRole.ACCENT) if row.job.id in self.marked else None
        spans = [chosen or (mark(move) if move else None) or Span(" "), self._opening(row)]
        for column, width in (fitting := self._fitting(cells)):
            numbered = column.key == "job" and not _has_task_column(fitting)
            cell = (Span(right(row.number, width)),) if numbered else self._cell(column, width, row)
            spans += [*cell, Span(" ")]
        return fit(spans, cells)

    def text(self, index: int) -> str:
        row = self.rows[index]
        return " ".join(text for column in self._columns if (text := column.text(row)))

    def _opening(self, row: JobTableRow) -> Span:
        if row.whole:
            return Span("▾" if row.job.id in self._opened else "▸", TextRole.ACCENT)
        return Span("·" if row.inside else " ", TextRole.DIM)

    def _cell(self, column: JobColumn, width: int, row: JobTableRow) -> Line:
        if column.key == "made":
            return stacked_bar(priority_parts(row.job, row.task, self._weights), max(self._most, 1e-9), width)
        if column.key == "state":
            return _states(row, width)
        text = (right if column.right else left)(column.text(row), width)
        only_reserved = column.key == "queue" and not row.granted
        return (Span(text, TextRole.DIM if only_reserved else column.role),)

    def _fitting(self, cells: int) -> list[tuple[JobColumn, int]]:
        """Return the columns that fit, in order, with their widths in cells."""
        fitting = self._fitted(cells, 0)
        # Without the task column, the job column shows the tasks of an opened array.
        return fitting if not self._numbers or _has_task_column(fitting) else self._fitted(cells, self._numbers)

    def _fitted(self, cells: int, number: int) -> list[tuple[JobColumn, int]]:
        room = cells - 2
        natural = {column.key: wide for column, wide in zip(self._columns, self._natural, strict=True)}
        least = {column.key: min(column.least, natural[column.key]) for column in self._columns}
        if number and "job" in natural:
            natural["job"] = least["job"] = max(natural["job"], number)
        by = self.settings.order
        if by in natural:  # its title has an arrow before it
            least[by] = max(least[by], len(BY_KEY[by].title) + 1)
            natural[by] = max(natural[by], least[by])
        for key in reversed(self._empty):  # empty columns are hidden before any title is cut
            if key != by and sum(width + 1 for width in natural.values()) > room:
                del natural[key], least[key]
        shown = _fitting_keys(least, room)
        excess = sum(natural[key] + 1 for key in shown) - room
        for key in sorted(shown, key=lambda key: -natural[key]):
            take = min(max(0, excess), natural[key] - least[key])
            natural[key] -= take
            excess -= take
        return [(column, natural[column.key]) for column in self._columns if column.key in shown]

    def hidden(self, cells: int) -> int:
        """Return the number of chosen columns that do not fit."""
        return len(self._columns) - len(self._fitting(cells))


_FIRST_TO_GO: Final = ("department", "tasks", "made", "at", "project", "deadline", "group")


def _fitting_keys(least: Mapping[str, int], room: int) -> set[str]:
    """Return the keys of columns that fit: drop `_FIRST_TO_GO`, then from the right; restore those that fit."""
    kept, gone = dict(least), []
    for key in (*(key for key in _FIRST_TO_GO if key in least), *reversed(list(least)[1:])):
        if sum(width + 1 for width in kept.values()) <= room:
            break
        if kept.pop(key, None) is not None:
            gone.append(key)
    for key in reversed(gone):
        if sum(width + 1 for width in kept.values()) + least[key] + 1 <= room:
            kept[key] = least[key]
    return set(kept)


def _states(row: JobTableRow, width: int) -> Line:
    """Return the states of a row, each in its colour, before and after the next run as the row shows."""
    now, after = (
        [(text, state_role(state)) for state, text in row.counted(after=after).items()] for after in (False, True)
    )
    spans: list[Span] = []
    for text, role in after if row.figures is Figures.NEXT else now:
        spans += [Span(" " if spans else ""), Span(text, role)]
    if row.figures is Figures.CHANGES and now != after:
        spans.append(Span(ARROW.rstrip(), TextRole.DIM))
        spans += [span for text, role in after for span in (Span(" "), Span(text, role))]
    shown = fit(spans, width)
    return (*shown, Span(" " * (width - cells_of(shown))))


def _has_task_column(fitting: Sequence[tuple[JobColumn, int]]) -> bool:
    return any(column.key == "tasks" for column, _ in fitting)


def _is_empty(column: JobColumn, rows: Sequence[JobTableRow]) -> bool:
    step = max(1, len(rows) // _SAMPLE)
    return column.key != "made" and bool(rows) and not any(column.text(row) for row in rows[::step])


def _width(column: JobColumn, rows: Sequence[JobTableRow]) -> int:
    step = max(1, len(rows) // _SAMPLE)
    longest = max((len(column.text(row)) for row in rows[::step]), default=0)
    return max(len(column.title), column.least if column.key == "made" else 0, min(longest, column.most))


def _arranged(rows: Sequence[JobTableRow], settings: JobTableSettings) -> Sequence[JobTableRow]:
    """Return the rows that the filter accepts, ordered by a column; rows of an open array stay below it."""
    kept: Sequence[JobTableRow] = rows
    if settings.filter:
        kept = [row for row in rows if row.job.id in settings.kept or settings.filter.accepts(row)]
    if not settings.order:
        return kept
    (column,) = columns_named((settings.order,))
    heads = [row for row in kept if not row.inside]
    inside: dict[int, list[JobTableRow]] = {}
    for row in kept:
        if row.inside:
            inside.setdefault(row.job.id, []).append(row)
    heads.sort(key=lambda row: value_of(column, row), reverse=settings.descending)
    if not inside:
        return heads
    known = {row.job.id for row in heads}
    orphans = [row for number, below in inside.items() if number not in known for row in below]
    return [*(shown for row in heads for shown in (row, *inside.get(row.job.id, ()))), *orphans]


@dataclass(frozen=True, slots=True)
class Totals:
    """Numbers of the line below the table; `slots` (used) and `wanted` are before and after the run."""

    jobs: int = 0
    tasks: int = 0
    counts: TaskCounts = field(default_factory=TaskCounts)
    slots: tuple[int, int] = (0, 0)
    wanted: tuple[int, int] = (0, 0)
    figures: Figures = Figures.NEXT


def totals(rows: Sequence[JobTableRow]) -> Totals:
    """Return the totals of some rows; an opened array counts once."""
    jobs: set[int] = set()
    counts, slots, wanted = (Counter[str](), Counter[str]()), [0, 0], [0, 0]
    tasks, figures = 0, Figures.NEXT
    for row in rows:
        if row.inside and row.job.id in jobs:
            continue
        jobs.add(row.job.id)
        figures = row.figures
        for task in row.tasks:
            tasks += 1
            for number, granted in enumerate((task.granted_before, task.granted)):
                counts[number][row.condition(task, after=bool(number))] += 1
                if granted:
                    slots[number] += sum(granted.values())
                elif not row.job.rejected:
                    wanted[number] += row.job.slots_of(task, after=bool(number))
    (used, used_after), (asked, asked_after) = slots, wanted
    return Totals(len(jobs), tasks, TaskCounts(*counts), (used, used_after), (asked, asked_after), figures)


def totals_line(shown: Totals, of_all: int, cells: int, to_come: int = 0) -> Line:
    """Return `12 jobs of 300  5 to come  1 204 tasks  3 → 4 running  1 200 waiting  slots: 3 → 4 used, 7 wanted`."""
    spans = [Span(f" {count(shown.jobs, 'job')}", TextRole.STRONG)]
    if shown.jobs != of_all:
        spans.append(Span(f" of {of_all}", TextRole.DIM))
    if to_come:
        spans.append(Span(f"  {spaced(to_come)} to come", TextRole.DIM))
    tasks = Span(f"  {count(shown.tasks, 'task')}" if shown.tasks != shown.jobs else "")
    states = [span for part in shown.counts.parts(shown.figures, always=False) for span in (Span("  "), *part)]
    used, wanted = (shown_figure(shown.figures, *map(spaced, pair)) for pair in (shown.slots, shown.wanted))
    slots = Span(f"  slots: {used} used, {wanted} wanted", TextRole.DIM)
    wordings = ((*spans, tasks, *states, slots), (*spans, tasks, *states), (*spans, *states))
    return fit(next((words for words in wordings if cells_of(words) <= cells), wordings[-1]), cells)
