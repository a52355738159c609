"""The lessons there are, as rows of a table."""

from collections.abc import Hashable, Sequence
from typing import Final

from qmon_tui.lessons import Entry
from qmon_tui.report.grid_rows import Cell, Column, GridRow, GridRows
from qmon_tui.report.markdown import markdown_lines
from qmon_tui.report.spans import Line, TextRole, wrap

_COLUMNS: Final = (
    Column("subject", "subject", minimum=7), Column("steps", "steps", "right"), Column("minutes", "min", "right"),
    Column("points", "points", "right"), Column("title", "lesson", minimum=12), Column("name", "name", minimum=6),
)  # fmt: skip


class LessonRows(GridRows):
    """One row for each lesson, in their order."""

    def __init__(self, entries: Sequence[Entry] = ()) -> None:
        self._entries = {str(entry.path): entry for entry in entries}
        super().__init__(_COLUMNS, [_row(entry) for entry in entries])

    def entry(self, key: Hashable) -> Entry | None:
        """The lesson whose file has this path."""
        return self._entries.get(str(key))

    def about_lines(self, key: Hashable, cells: int) -> tuple[Line, ...]:
        """Say what a lesson is about and what to do before it; for an unknown one, what lessons are."""
        entry = self.entry(key)
        if entry is None:
            return wrap("A lesson is a small cluster with questions and things to do.", cells, TextRole.DIM)
        words = "Enter begins or continues it."
        if entry.after:
            titles = {known.name: known.title for known in self._entries.values()}
            words = f"Do before: {', '.join(titles.get(name, name) for name in entry.after)}. {words}"
        return (*markdown_lines(entry.about, cells), (), *wrap(words, cells, TextRole.DIM))


def _row(entry: Entry) -> GridRow:
    points = f"{entry.points:g}" if entry.earned is None else f"{entry.earned:g}/{entry.points:g}"
    return GridRow(str(entry.path), (
        Cell(entry.subject, TextRole.DIM), Cell(str(entry.steps)), Cell(f"{entry.minutes or ''}"), Cell(points),
        Cell(entry.title, TextRole.STRONG),
        Cell(entry.name, TextRole.DIM),
    ))  # fmt: skip
