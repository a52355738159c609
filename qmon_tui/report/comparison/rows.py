"""The tables of a comparison, and its values in words: measures, users, tasks and the first different decision."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from qmon_tui.report.day import clock_at, lasting
from qmon_tui.report.grid_rows import Cell, Column, GridRow, GridRows
from qmon_tui.report.spans import Line, Span, TextRole, fit, left
from qmon_tui.report.table_rows import ListRows
from qmon_tui.report.words import count
from qmon_tui.simulation import (
    MAIN_MEASURES,
    Compared,
    Comparison,
    Divergence,
    Interval,
    PolicyDelta,
    TaskChange,
    TaskInRun,
    TaskReason,
    Unit,
    is_better,
    measure_title,
    unit_of,
)
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
    """Return the difference of policy `number` (1 is the second) to the first, with its bound; empty if None.

    Return `hardly any` if both values, or the difference and 0, have the same text.
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
    """Return True for better, False for worse; None with one seed, and for measures that more hosts change."""
    if not difference.is_known or name in ("utilisation", "fragmentation"):
        return None
    return is_better(name, difference.mean)


def difference_span(name: str, compared: Compared, number: int) -> Span:
    """Return the difference with an arrow, coloured as better or worse, or neutral if that is unknown."""
    difference, words = compared.differences[number - 1], difference_words(name, compared, number)
    if difference is None or words in (NO_DIFFERENCE, HARDLY_ANY):
        return Span(words, TextRole.DIM)
    better = is_improvement(name, difference)
    role = TextRole.MOVED if better is None else TextRole.MOVED_UP if better else TextRole.MOVED_DOWN
    return Span(f"{'▲' if difference.mean > 0 else '▼'} {words}", role)


class CompareTable(StrEnum):
    """The tables of a comparison."""

    MEASURES = "Measures"
    USERS = "Users"
    JOBS = "Jobs"
    DECISION = "First decision"


def letter(number: int) -> str:
    """Return the letter of a policy: A for 0, B for 1."""
    return chr(ord("A") + number)


@dataclass(frozen=True, slots=True)
class TaskLine:
    """A line about the start of a task, or about a policy."""

    text: Line
    key: tuple[int, int] | None = None
    """The job and the task."""
    policy: int = 1
    """Number of the policy that is compared with the first, from 1 on."""


class TaskRows(ListRows[TaskLine]):
    """Rows of the tables of jobs and of decisions; a row's key is its index."""

    def key(self, index: int) -> Hashable:
        return index

    def line(self, index: int, cells: int) -> Line:
        return fit((Span(" "), *self.items[index].text), cells)


def comparison_rows(comparison: Comparison, table: CompareTable) -> GridRows | TaskRows:
    """Return the rows of a table."""
    if table is CompareTable.MEASURES:
        return measure_rows(comparison)
    if table is CompareTable.USERS:
        return user_rows(comparison)
    numbers = range(1, len(comparison.labels))
    lines = change_lines if table is CompareTable.JOBS else decision_lines
    return TaskRows([line for number in numbers for line in lines(comparison, number)])


def measure_rows(comparison: Comparison, *, every: bool = False) -> GridRows:
    """Return a row for each main measure, or with `every` for all measures."""
    by_name = comparison.by_name
    names = by_name if every else [name for name in MAIN_MEASURES if name in by_name]
    return _grid(comparison, "measure", [(measure_title(name), by_name[name]) for name in names])


def user_rows(comparison: Comparison, most: int | None = None) -> GridRows:
    """Return the mean wait of each user, ordered by its change under the second policy, the largest gain first.

    With `most`, return only that number of users, half from each end.
    """
    order = [owner.name for owner in comparison.against[0].owners] if comparison.against else []
    by_owner = {
        name.split(".")[2]: compared
        for name, compared in comparison.by_name.items()
        if name.startswith("by.owner.") and name.endswith(".wait.mean")
    }
    owners = [name for name in dict.fromkeys((*order, *by_owner)) if name in by_owner]
    if most is not None and len(owners) > most:
        owners = [*owners[: most // 2], *owners[-(most - most // 2) :]]
    return _grid(comparison, "mean wait of", [(name, by_owner[name]) for name in owners])


def _grid(comparison: Comparison, heading: str, named: Sequence[tuple[str, Compared]]) -> GridRows:
    """Return a row per measure: values, differences to the first policy; below a mean, the tasks that it leaves out."""
    columns = [Column("name", heading, minimum=16), Column("A", "A", "right")]
    for number in range(1, len(comparison.labels)):
        columns.append(Column(letter(number), letter(number), "right"))
        columns.append(Column(f"{letter(number)} - A", f"{letter(number)} - A", minimum=6))
    rows = []
    for name, compared in named:
        rows.append(_grid_row(name, compared))
        left_out = comparison.left_out(compared.name)
        if left_out is not None:
            title = f"  left out: {left_out.name.rpartition('.')[2].replace('_', ' ')}"
            rows.append(_grid_row(title, left_out, f"{compared.name} {left_out.name}"))
    return GridRows(columns, rows)


def _grid_row(title: str, compared: Compared, key: str = "") -> GridRow:
    cells = [Cell(title), Cell(value_words(compared.name, compared.values[0]))]
    for number, value in enumerate(compared.values[1:], start=1):
        difference = difference_span(compared.name, compared, number)
        cells += [Cell(value_words(compared.name, value)), difference]
    return GridRow(key or compared.name, tuple(cells))


def change_lines(comparison: Comparison, number: int) -> Iterator[TaskLine]:
    """Yield the number of tasks with another start under a policy, then the largest gains and losses with reasons."""
    against = comparison.against[number - 1]
    yield _about_policy(number, changed_words(against), TextRole.DIM)
    for words, changes in (("sooner", against.gaining), ("later", against.losing)):
        for change in changes:
            yield from _change(change, number, words, comparison.days[0].start)


def changed_words(against: PolicyDelta) -> str:
    """Return how many tasks of the first day start at another time."""
    if against.changed:
        return f"{count(against.changed, 'task starts', 'tasks start')} at another time"
    return f"every task starts at the same time{' and' if against.divergence is None else ', some at another'} place"


def no_effect_words(against: PolicyDelta) -> str:
    """Return the words about a policy without effect, with the reason if it is known."""
    reason = f"; reason: {against.no_effect}" if against.no_effect else ""
    return f"no effect: every task starts at the same time and place{reason}"


def _about_policy(number: int, words: str, role: TextRole = TextRole.PLAIN) -> TaskLine:
    return TaskLine((Span(f"{letter(number)} against A: ", TextRole.STRONG), Span(words, role)))


def _change(change: TaskChange, number: int, words: str, beginning: int) -> Iterator[TaskLine]:
    mark, role = ("▼", TextRole.MOVED_UP) if change.change < 0 else ("▲", TextRole.MOVED_DOWN)
    task = left(f"{task_number(change.job, change.task)} {change.name}", 18)
    key = change.job, change.task
    yield TaskLine((
        Span(f"{mark} ", role), Span(task), Span(left(change.owner, 10), TextRole.DIM), Span(wait_words(change)),
        Span(f"  {lasting(change.change)} {words}", role),
    ), key, number)  # fmt: skip
    if change.reason is not None:
        yield from _reason(change.reason, number, f" at {clock_at(change.reason.time, beginning)}")


def wait_words(change: TaskChange) -> str:
    """Return how long a task waits under both policies."""
    before, after = ("does not start" if wait is None else lasting(wait) for wait in (change.before, change.after))
    return f"waits {before} → {after}"


def task_number(job: int, task: int) -> str:
    """Return `job`, or `job.task` unless it is the first task."""
    return str(job) if task == 1 else f"{job}.{task}"


def _reason(reason: TaskReason, number: int, at: str = "") -> Iterator[TaskLine]:
    """Yield two short lines for each policy: the task's start or obstacle, and its priority."""
    for place, in_run in zip((0, number), reason.in_runs, strict=True):
        text = (Span(f"    {letter(place)}{at}: ", TextRole.DIM), Span(in_run_words(in_run), TextRole.DIM))
        yield TaskLine(text, reason.key, number)
        if in_run is not None:
            yield TaskLine((Span(f"     {prior_words(in_run)}", TextRole.DIM),), reason.key, number)


def in_run_words(in_run: TaskInRun | None) -> str:
    """Return where a task starts in a run, or its rank among pending tasks and its obstacle."""
    if in_run is None:
        return "takes no part at that moment"
    rank = f", place {in_run.rank} of {in_run.pending}" if in_run.rank is not None else ""
    if in_run.starts_on:
        return f"starts on {', '.join(in_run.starts_on[:3])}{rank}"
    behind = f", {in_run.behind}" if in_run.behind else ""
    return f"waits{rank}{behind}{f': {in_run.waits_for}' if in_run.waits_for else ''}"


def prior_words(in_run: TaskInRun) -> str:
    """Return the priority with its terms."""
    terms = ", ".join(f"{name} {value:.5f}" for name, value in in_run.terms)
    return f"prior {in_run.prior:.5f}{f' ({terms})' if terms else ''}"


def decision_lines(comparison: Comparison, number: int) -> Iterator[TaskLine]:
    """Yield the first decision in which policy `number` differs from the first policy, or one line if none does."""
    against = comparison.against[number - 1]
    if against.divergence is not None:
        yield from _divergence(against.divergence, number, comparison.days[0].start)
    elif comparison.has_effect(number):
        yield _about_policy(number, changed_words(against), TextRole.DIM)
    else:
        yield _about_policy(number, no_effect_words(against), TextRole.DIM)


def _divergence(divergence: Divergence, number: int, beginning: int) -> Iterator[TaskLine]:
    more = f", and {divergence.count - 1} more" if divergence.count > 1 else ""
    yield _about_policy(number, f"the first decision that differs is at {clock_at(divergence.time, beginning)}{more}")
    for place, reasons in ((0, divergence.first), (number, divergence.other)):
        for reason in reasons:
            yield TaskLine((Span("  "), Span(start_words(reason, place), TextRole.ACCENT)), reason.key, number)
            yield from _reason(reason, number)


def start_words(reason: TaskReason, place: int) -> str:
    """Return a sentence: the policy that starts the task, or that the task starts at another place."""
    task = f"{task_number(reason.job, reason.task)} {reason.name} of {reason.owner}"
    return f"{task} starts at another place" if reason.is_elsewhere else f"{letter(place)} starts {task}"
