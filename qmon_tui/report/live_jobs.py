"""The job table of the live pane: rows from an outcome, columns for a width, marks for moved jobs."""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final, NamedTuple

from qmon_tui.model import JobOutcome, Outcome, TaskOutcome
from qmon_tui.report.bars import priority_parts, stacked_bar
from qmon_tui.report.grid_rows import Column as GridColumn, table_lines
from qmon_tui.report.row_filter import (
    QSTAT_SWITCHES,
    FilterField,
    FilterFields,
    Groups,
    address_test,
    host_test,
    no_groups,
    parse_filter,
    pending_state_test,
)
from qmon_tui.report.schedule_changes import mark
from qmon_tui.report.spans import Line, Span, TextRole, fit
from qmon_tui.report.table_rows import Column, ListRows, longest, titles
from qmon_tui.report.task_counts import alike, shown_tasks
from qmon_tui.report.words import figure_cell, first_and_more, shown_figure, start_words, state_role, without_domains
from qmon_tui.workspace import Figures, JobKey, ScheduleChange

Weights = tuple[float, float, float]
"""weight_urgency, weight_ticket, weight_priority."""
REFUSED_WORDS = "✗ qsub refuses it"


@dataclass(frozen=True, slots=True)
class LiveJobRow:
    """One row: a task, or consecutive pending tasks of a job with equal values."""

    job: JobOutcome
    task: TaskOutcome
    last: int
    """The last task number of the row; equal to that of `task` for a row of one task."""
    several: bool
    """True if the job has more than one task left."""
    at: int = 0
    """The time of the run."""

    @property
    def key(self) -> JobKey:
        """The key of the row across refreshes: job, and the first of its tasks."""
        return self.job.id, self.task.task

    @property
    def number(self) -> str:
        """The job number, with the task numbers of an array job: `17.4-10`."""
        if not self.several and self.task.task == 1:
            return str(self.job.id)
        tasks = str(self.task.task) if self.last == self.task.task else f"{self.task.task}-{self.last}"
        return f"{self.job.id}.{tasks}"

    @property
    def place(self) -> str:
        """Where it runs, or its reservation, or why the run ignores it; empty otherwise."""
        if self.task.granted:
            return first_and_more(self.task.granted)
        if self.task.reserved_from is not None:
            return reserved_words(self.task, self.at)
        if self.job.rejected:
            return REFUSED_WORDS
        return "not simulated yet" if self.job.not_simulated else ""

    @property
    def places(self) -> str:
        """All places where it runs, or its reserved places with times; else as `place`."""
        if self.task.reserved_from is None or self.task.reserved_until is None:
            return _with_slots(self.task.granted) or self.place
        until = (
            "for ever" if self.task.is_reserved_for_ever else f"until {start_words(self.task.reserved_until, self.at)}"
        )
        return f"from {start_words(self.task.reserved_from, self.at)} {until} on {_with_slots(self.task.reserved)}"


def _with_slots(places: Mapping[str, int]) -> str:
    return ", ".join(name if slots == 1 else f"{name} × {slots}" for name, slots in places.items())


def shown_place(figures: Figures, task: TaskOutcome, now: float) -> str:
    """Return where a task runs before or after the next run, or the reservation that the run makes for it."""
    if task.granted or figures is Figures.NOW:
        before, after = (first_and_more(without_domains(at).values()) for at in (task.granted_before, task.granted))
        return shown_figure(figures, before, after)
    return reserved_words(task, now)


def reserved_words(task: TaskOutcome, now: float) -> str:
    """Return start and place of a task's reservation: `from 10:01 day.q@node04 +2`; empty without one."""
    if task.reserved_from is None:
        return ""
    return f"from {start_words(task.reserved_from, now)} {first_and_more(task.reserved)}"


def job_rows(outcome: Outcome) -> tuple[LiveJobRow, ...]:
    """Return the rows in scheduling order; consecutive pending tasks of an array job share a row."""
    return tuple(row for job in outcome.jobs for row in _rows_of(job, outcome.at))


def task_row(outcome: Outcome, job_id: int, task_id: int) -> LiveJobRow | None:
    """Return the row of one task; None if the job or the task is not in the outcome."""
    job = next((job for job in outcome.jobs if job.id == job_id), None)
    for task in shown_tasks(job) if job is not None else ():
        if job is not None and task_id == task.task:
            return LiveJobRow(job, task, task_id, len(job.tasks) > 1, outcome.at)
    return None


def _rows_of(job: JobOutcome, at: int) -> Iterator[LiveJobRow]:
    tasks = shown_tasks(job)
    for _, group in groupby(tasks, key=alike):
        first, *others = group
        yield LiveJobRow(job, first, others[-1].task if others else first.task, len(tasks) > 1, at)


_BAR = 10
"""Width of the bar, in cells; priorities that differ by less than a cell look the same."""
_EXTRAS = (
    # The first ones are added first if there is room.
    Column("bar", "made of", _BAR),
    Column("slots", "slots", 5, right=True),
    Column("nurg", "nurg", 7, right=True),
    Column("ntckts", "ntckts", 7, right=True),
    Column("npprior", "npprior", 7, right=True),
    Column("project", "project", 10),
)
_LEAST_PLACE = 14
_LONGEST_STATES = 9
_ORDER = ("prior", "bar", "nurg", "ntckts", "npprior", "number", "name", "owner", "slots", "project", "state", "place")


class Widths(NamedTuple):
    """Widths of the columns whose width depends on their values, in cells."""

    number: int = 3
    name: int = 4
    owner: int = 5
    state: int = 3


def widths_of(rows: Sequence[LiveJobRow]) -> Widths:
    """Return the widths of the rows' values, within limits."""
    return Widths(
        longest([row.number for row in rows], 3, 11),
        longest([row.job.name for row in rows], 4, 12),
        longest([row.job.owner for row in rows], 5, 9),
    )


def job_columns(widths: Widths, cells: int) -> tuple[Column, ...]:
    """Return the columns for a pane of `cells`: the usual ones, extras that fit, the place in the remaining room."""
    number, name, owner, state = widths
    # In a narrow pane, the name is shortened to leave room for the place.
    name = max(4, min(name, cells - (2 + 7 + number + owner + state + _LEAST_PLACE + 6)))
    columns = {
        "prior": Column("prior", "prior", 7, right=True),
        "number": Column("number", "job", number, right=True),
        "name": Column("name", "name", name),
        "owner": Column("owner", "owner", owner),
        "state": Column("state", "st", state),
    }
    room = cells - 2 - sum(column.cells + 1 for column in columns.values()) - 26
    for extra in _EXTRAS:
        if room <= extra.cells:
            break
        columns[extra.key] = extra
        room -= extra.cells + 1
    used = 2 + sum(column.cells + 1 for column in columns.values())
    columns["place"] = Column("place", "place", max(6, cells - used))
    return tuple(columns[key] for key in _ORDER if key in columns)


_WORDS: Mapping[str, Callable[[LiveJobRow], str]] = {
    "nurg": lambda row: f"{row.job.nurg:.5f}",
    "ntckts": lambda row: f"{row.task.ntckts:.5f}",
    "npprior": lambda row: f"{row.job.npprior:.5f}",
    "number": lambda row: row.number,
    "name": lambda row: row.job.name,
    "owner": lambda row: row.job.owner,
    "slots": lambda row: str(row.job.slots_of(row.task)),
    "project": lambda row: row.job.project or "",
    "state": lambda row: row.task.state,
    "place": lambda row: row.place,
    "places": lambda row: row.places,
    "ppri": lambda row: str(row.job.ppri),
    "prior": lambda row: f"{row.task.prior:.5f}",
}
_PRINTED: Final = (
    GridColumn("number", "job-ID", "right"), GridColumn("prior", "prior", "right"),
    GridColumn("nurg", "nurg", "right", rank=2), GridColumn("npprior", "npprior", "right", rank=3),
    GridColumn("ntckts", "ntckts", "right", rank=1), GridColumn("ppri", "ppri", "right", rank=4),
    GridColumn("name", "name", minimum=8), GridColumn("owner", "user", minimum=8), GridColumn("state", "state"),
    GridColumn("slots", "slots", "right"), GridColumn("places", "place"),
)  # fmt: skip
"""Columns of `qmon-tui schedule`, with qstat's headings."""
_COLUMN_ROLES = {
    "nurg": TextRole.URGENCY,
    "ntckts": TextRole.TICKETS,
    "npprior": TextRole.POSIX,
    "owner": TextRole.DIM,
    "project": TextRole.DIM,
}


def _queues(row: LiveJobRow) -> Iterator[str]:
    for place in (*row.task.granted_before, *row.task.granted):
        yield from (place, place.partition("@")[0])


def _hosts(row: LiveJobRow) -> Iterator[str]:
    yield from (place.partition("@")[2] for place in (*row.task.granted_before, *row.task.granted))


FILTER_FIELDS: Final = FilterFields(
    {
        "job": FilterField(lambda row: (str(row.job.id),), "the number of the job", exact=True),
        "name": FilterField(lambda row: (row.job.name,), "its name"),
        "owner": FilterField(lambda row: (row.job.owner,), "who submitted it"),
        "project": FilterField(lambda row: (row.job.project or "",), "its project"),
        "state": FilterField(lambda row: (row.task.state_before, row.task.state), "letters of qstat, or words",
                             exact=True, special=pending_state_test),
        "queue": FilterField(_queues, "where it runs", special=address_test),
        "host": FilterField(_hosts, "where it runs",
                            special=host_test),
        "slots": FilterField(lambda row: (_WORDS["slots"](row),), "the slots of each task", is_numeric=True,
                             number=lambda row: float(row.job.slots_of(row.task))),
        "prior": FilterField(lambda row: (_WORDS["prior"](row),), "the priority", is_numeric=True,
                             number=lambda row: row.task.prior),
    },
    lambda row: f"{row.job.id} {row.job.name} {row.job.owner}",
    {"user": "owner", "u": "owner", "id": "job", "q": "queue"},
    QSTAT_SWITCHES,
    hosts="host",
)  # fmt: skip
"""The names that a filter of the live schedule knows."""


class LiveJobRows(ListRows[LiveJobRow]):
    """The rows of the job table; a line is only drawn when it is visible."""

    def __init__(self, rows: Sequence[LiveJobRow] = (), weights: Weights = (1, 1, 1)) -> None:
        super().__init__(rows)
        self._weights = weights
        self._moves: Mapping[JobKey, ScheduleChange] = {}
        self._figures = Figures.NEXT
        self._marked: Collection[int] = ()
        self._most = max((row.task.prior for row in rows), default=1.0) or 1.0
        self._widths = widths_of(rows)
        self._columns: tuple[Column, ...] = ()
        self._cells = -1

    def with_moves(self, moves: Mapping[JobKey, ScheduleChange]) -> "LiveJobRows":
        """Return a copy with marks for jobs that have moved."""
        marked = copy(self)
        marked._moves = moves
        return marked

    def with_marks(self, marked: Collection[int]) -> "LiveJobRows":
        other = copy(self)
        other._marked = marked
        return other

    def with_figures(self, figures: Figures) -> "LiveJobRows":
        """Return a copy that shows states and places before the run, after it, or both."""
        shown = copy(self)
        shown._figures, shown._cells = figures, -1
        states = [shown._word("state", row) for row in self.items]
        shown._widths = self._widths._replace(state=longest(states, 3, _LONGEST_STATES))
        return shown

    def _word(self, key: str, row: LiveJobRow) -> str:
        if key == "state":
            return shown_figure(self._figures, row.task.state_before or row.task.state, row.task.state)
        if key == "place" and not (row.job.rejected or row.job.not_simulated):
            return shown_place(self._figures, row.task, row.at)
        return _WORDS[key](row)

    def __iter__(self) -> Iterator[LiveJobRow]:
        return iter(self.items)

    def key(self, index: int) -> Hashable:
        return self.items[index].key

    def find(self, key: Hashable) -> int | None:
        """Return the index of the row with the task, else of the job's first row; None without one."""
        if not isinstance(key, tuple):
            return None
        job, task = key
        near: int | None = None
        for index, row in enumerate(self.items):
            if row.job.id != job:
                continue
            if row.task.task <= task <= row.last:
                return index
            near = index if near is None else near
        return near

    def head(self, cells: int) -> Line | None:
        return (Span("  "), *titles(self._fitting(cells)))

    def line(self, index: int, cells: int) -> Line:
        row = self.items[index]
        move = self._moves.get(row.key)
        sign = Span("✓" if row.job.id in self._marked else " ", TextRole.ACCENT)
        spans = [(mark(move) if move else None) or Span(" "), sign]
        for column in self._fitting(cells):
            spans.extend(self._cell(column, row))
            spans.append(Span(" "))
        return fit(spans, cells)

    def text(self, index: int) -> str:
        return self._text(self.items[index])

    def _text(self, row: LiveJobRow) -> str:
        keys = ("prior", "number", "name", "owner", "state", "place")
        return " ".join(filter(None, (self._word(key, row) for key in keys)))

    def printed(self, width: int) -> Iterator[Line]:
        """Yield the lines of the whole table as commands print it, with all places."""
        rows = ([_WORDS[column.key](row) for column in _PRINTED] for row in self.items)
        return table_lines(_PRINTED, rows, width)

    def containing(self, words: str, groups: Groups = no_groups, kept: Collection[Hashable] = ()) -> "LiveJobRows":
        """Return only the rows that the filter `words` accepts (`row_filter`), and those with `kept` keys."""
        row_filter = parse_filter(words, replace(FILTER_FIELDS, text=self._text), groups)
        if not row_filter:
            return self
        shown = [row for row in self.items if row.key in kept or row_filter.accepts(row)]
        return LiveJobRows(shown, self._weights).with_moves(self._moves).with_figures(self._figures)

    def _fitting(self, cells: int) -> tuple[Column, ...]:
        if cells != self._cells:
            self._columns = job_columns(self._widths, cells)
            self._cells = cells
        return self._columns

    def _cell(self, column: Column, row: LiveJobRow) -> Iterable[Span]:
        if column.key == "bar":
            return stacked_bar(priority_parts(row.job, row.task, self._weights), max(self._most, 1e-9), column.cells)
        role = _COLUMN_ROLES.get(column.key, TextRole.PLAIN)
        task = row.task
        if column.key == "state":
            before = task.state_before or task.state
            now, after = (Span(state, state_role(state)) for state in (before, task.state))
            return figure_cell(self._figures, now, after, column.cells)
        if column.key == "place" and not (task.granted if self._figures is Figures.NEXT else task.granted_before):
            role = TextRole.ERROR if row.job.rejected else TextRole.DIM
        return (column.cell(self._word(column.key, row), role),)
