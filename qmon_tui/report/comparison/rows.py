"""The tables of a comparison: each row is a measure, a user, a task, or a line about the first decision."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from qmon_tui.report.comparison.policies import CompareTable, letter
from qmon_tui.report.comparison.values import difference_span, value_words
from qmon_tui.report.day import clock_at, lasting
from qmon_tui.report.spans import Line, Span, TextRole, fit, left, plain, right
from qmon_tui.simulation import (
    MAIN_MEASURES,
    Compared,
    Comparison,
    Divergence,
    PolicyDelta,
    TaskChange,
    TaskInRun,
    TaskReason,
    measure_title,
)

_NAME: Final = 24
_VALUE: Final = 10
_SHORT_NAME: Final = 16
_FULL_DIFFERENCE: Final = 13
"""Where there is less room, a sign tells the difference."""


@dataclass(frozen=True, slots=True)
class _Row:
    name: str
    cells: tuple[Span, ...] = ()
    """For each policy its value, and from the second on the difference."""
    role: TextRole = TextRole.PLAIN
    job: tuple[int, int] | None = None
    """The task that it leads to."""
    text: Line = ()
    """Instead of cells."""
    policy: int = 1
    """Which one it is about, against the first."""


class ComparisonRows:
    """Rows of one of the tables."""

    def __init__(self, rows: Sequence[_Row] = (), labels: int = 0, title: str = "") -> None:
        self._rows = tuple(rows)
        self._labels = labels
        self._title = title

    def __len__(self) -> int:
        return len(self._rows)

    def key(self, index: int) -> Hashable:
        """Its place: the tables are made again as wholes."""
        return index

    def find(self, key: Hashable) -> int | None:
        """Where it is."""
        return key if isinstance(key, int) and 0 <= key < len(self._rows) else None

    def task(self, key: Hashable) -> tuple[int, int] | None:
        """The job and task of a row."""
        return self._rows[key].job if isinstance(key, int) and 0 <= key < len(self._rows) else None

    def policy(self, key: Hashable) -> int:
        """Which policy a row is about, against the first."""
        return self._rows[key].policy if isinstance(key, int) and 0 <= key < len(self._rows) else 1

    def head(self, cells: int) -> Line | None:
        """The letters of the policies."""
        if not self._labels:
            return None
        name, width = _widths(cells, self._labels)
        spans = [Span(" "), Span(left(self._title, name), TextRole.DIM)]
        for number in range(self._labels):
            spans.append(Span(right(letter(number), _VALUE), TextRole.ACCENT))
            if number:
                spans.append(Span(" " * (width + 1)))
        return fit(spans, cells)

    def line(self, index: int, cells: int) -> Line:
        """One row."""
        row = self._rows[index]
        if row.text:
            return fit((Span(" "), *row.text), cells)
        name, width = _widths(cells, self._labels)
        spans = [Span(" "), Span(left(row.name, name), row.role)]
        for number, span in enumerate(row.cells):
            is_value = number == 0 or number % 2 == 1
            words = span.text if width >= _FULL_DIFFERENCE or not span.text else _sign(span.text)
            spans.append(Span(right(span.text, _VALUE) if is_value else f" {left(words, width)}", span.role))
        return fit(spans, cells)

    def text(self, index: int) -> str:
        """The row as plain text."""
        row = self._rows[index]
        return plain(row.text) if row.text else " ".join((row.name, *(span.text for span in row.cells if span.text)))


def _widths(cells: int, labels: int) -> tuple[int, int]:
    """The cells of the names and of a difference."""
    room = cells - 1 - labels * _VALUE - (labels - 1)
    differences = max(1, labels - 1)
    name = _NAME if room - _NAME >= differences * _FULL_DIFFERENCE else _SHORT_NAME
    return name, max(1, (room - name) // differences)


def _sign(words: str) -> str:
    return words[0] if words[0] in "▲▼" else "="


def comparison_rows(comparison: Comparison, table: CompareTable) -> ComparisonRows:
    """The rows of a table."""
    labels = len(comparison.labels)
    if table is CompareTable.MEASURES:
        shown = [comparison.by_name[name] for name in MAIN_MEASURES if name in comparison.by_name]
        return ComparisonRows([row for measure in shown for row in _measures(comparison, measure)], labels, "measure")
    if table is CompareTable.USERS:
        return ComparisonRows(list(_users(comparison)), labels, "mean wait of")
    if table is CompareTable.JOBS:
        return ComparisonRows(list(_jobs(comparison)))
    return ComparisonRows(list(_decisions(comparison)))


def _measures(comparison: Comparison, compared: Compared, name: str = "") -> Iterator[_Row]:
    """The row of a measure, and below a mean that of the number of tasks that it leaves out."""
    yield _measure(compared, name)
    left_out = comparison.left_out(compared.name)
    if left_out is not None:
        yield _measure(left_out, f"  {left_out.name.rpartition('.')[2].replace('_', ' ')}")


def _measure(compared: Compared, name: str = "") -> _Row:
    cells = [Span(value_words(compared.name, compared.values[0]))]
    for value, difference in zip(compared.values[1:], compared.differences, strict=True):
        cells += [Span(value_words(compared.name, value)), difference_span(compared.name, difference)]
    return _Row(name or measure_title(compared.name), tuple(cells))


def _users(comparison: Comparison) -> Iterator[_Row]:
    """The users of all policies, in the order of the second one: who gains most comes first."""
    by_owner = {
        compared.name.split(".")[2]: compared
        for compared in comparison.measures
        if compared.name.startswith("by.owner.") and compared.name.endswith(".wait.mean")
    }
    order = [compared.name for compared in comparison.against[0].owners] if comparison.against else []
    for owner in [*(name for name in order if name in by_owner), *(name for name in by_owner if name not in order)]:
        yield from _measures(comparison, by_owner[owner], owner)


def _jobs(comparison: Comparison) -> Iterator[_Row]:
    for number, against in enumerate(comparison.against, start=1):
        yield _Row("", text=_against_title(against, number))
        for words, changes in (("sooner", against.gaining), ("later", against.losing)):
            for change in changes:
                yield from _change(change, number, words)


def _against_title(against: PolicyDelta, number: int) -> Line:
    if against.changed:
        words = f"{against.changed} task{'s start' if against.changed > 1 else ' starts'} at another time"
    else:
        place = "and place" if against.divergence is None else "some at another place"
        words = f"every task starts at the same time{',' if against.divergence is not None else ''} {place}"
    return (Span(f"{letter(number)} against A: ", TextRole.STRONG), Span(words, TextRole.DIM))


def _change(change: TaskChange, number: int, words: str) -> Iterator[_Row]:
    sooner = change.change < 0
    mark, role = ("▼", TextRole.MOVED_UP) if sooner else ("▲", TextRole.MOVED_DOWN)
    name = str(change.job) if change.task == 1 else f"{change.job}.{change.task}"
    waits = " → ".join("does not start" if wait is None else lasting(wait) for wait in (change.before, change.after))
    key = change.job, change.task
    yield _Row("", job=key, policy=number, text=(
        Span(f"{mark} ", role), Span(left(f"{name} {change.name}", 18)), Span(left(change.owner, 10), TextRole.DIM),
        Span(f"waits {waits}"), Span(f"  {lasting(change.change)} {words}", role),
    ))  # fmt: skip
    if change.reason is not None:
        yield from _reason(change.reason, number, key)


def _reason(reason: TaskReason, number: int, key: tuple[int, int]) -> Iterator[_Row]:
    for place, in_run in zip((0, number), reason.in_runs, strict=True):
        words = "is not there at that moment" if in_run is None else _in_run_words(in_run)
        yield _Row(
            "", job=key, policy=number, text=(Span(f"    {letter(place)}: ", TextRole.DIM), Span(words, TextRole.DIM))
        )
        if in_run is not None:  # a row of its own: the terms fit into a narrow terminal
            yield _Row("", job=key, policy=number, text=(Span(f"     {_prior_words(in_run)}", TextRole.DIM),))


def _in_run_words(in_run: TaskInRun) -> str:
    rank = f", place {in_run.rank} of {in_run.pending}" if in_run.rank is not None else ""
    if in_run.starts_on:
        return f"starts on {', '.join(in_run.starts_on[:3])}{rank}"
    return f"{in_run.behind or in_run.waits_for or 'waits'}{rank}"


def _prior_words(in_run: TaskInRun) -> str:
    terms = ", ".join(f"{name} {value:.5f}" for name, value in in_run.terms)
    return f"prior {in_run.prior:.5f} ({terms})"


def _decisions(comparison: Comparison) -> Iterator[_Row]:
    for number, against in enumerate(comparison.against, start=1):
        if against.divergence is None:
            reason = f" ({against.no_effect})" if against.no_effect else ""
            words = f"no effect{reason}: " if not comparison.has_effect(number) else ""
            text = Span(f"{words}every task starts at the same time and place", TextRole.DIM)
            yield _Row("", text=(Span(f"{letter(number)} against A: ", TextRole.STRONG), text))
        else:
            yield from _divergence(against.divergence, number, comparison.days[0].start)


def _divergence(divergence: Divergence, number: int, beginning: int) -> Iterator[_Row]:
    more = f", and {divergence.count - 1} more" if divergence.count > 1 else ""
    yield _Row("", text=(
        Span(f"{letter(number)} against A: ", TextRole.STRONG),
        Span(f"the first decision that differs is at {clock_at(divergence.time, beginning)}{more}"),
    ))  # fmt: skip
    for place, reasons in ((0, divergence.first), (number, divergence.other)):
        for reason in reasons:
            name = str(reason.job) if reason.task == 1 else f"{reason.job}.{reason.task}"
            key = reason.job, reason.task
            task = f"{name} {reason.name} of {reason.owner}"
            if reason.is_elsewhere:
                text: Line = (Span(f"  {task}"), Span(" starts at another place", TextRole.ACCENT))
            else:
                text = (Span(f"  {letter(place)} starts ", TextRole.ACCENT), Span(task))
            yield _Row("", job=key, policy=number, text=text)
            yield from _reason(reason, number, key)
