"""The lessons there are, as rows of a table."""

from collections.abc import Hashable, Sequence

from qmon_tui.lessons import Entry
from qmon_tui.report.spans import Line, Span, TextRole, fit
from qmon_tui.report.table_rows import Column, longest, titles


class LessonRows:
    """One row for each lesson, by subject."""

    def __init__(self, entries: Sequence[Entry] = ()) -> None:
        self._entries = tuple(entries)
        self._columns = (
            Column("subject", "subject", longest([entry.subject for entry in self._entries], 7, 18)),
            Column("steps", "steps", 5, right=True),
            Column("points", "points", 9, right=True),
            Column("title", "lesson", longest([entry.title for entry in self._entries], 6, 60)),
            Column("name", "name", longest([entry.name for entry in self._entries], 4, 40)),
        )

    def __len__(self) -> int:
        return len(self._entries)

    def key(self, index: int) -> Hashable:
        """Its name."""
        return self._entries[index].name

    def find(self, key: Hashable) -> int | None:
        """The row of a name."""
        return next((number for number, entry in enumerate(self._entries) if entry.name == key), None)

    def entry(self, key: Hashable) -> Entry | None:
        """The lesson of a name."""
        return next((entry for entry in self._entries if entry.name == key), None)

    def head(self, cells: int) -> Line | None:
        """Column titles."""
        return fit(titles(self._columns, "  "), cells)

    def line(self, index: int, cells: int) -> Line:
        """One lesson."""
        entry = self._entries[index]
        texts = (entry.subject, str(entry.steps), self._points(entry), entry.title, entry.name)
        roles = (TextRole.DIM, TextRole.PLAIN, TextRole.PLAIN, TextRole.STRONG, TextRole.DIM)
        parts = zip(self._columns, texts, roles, strict=True)
        return fit([span for column, text, role in parts for span in (column.cell(text, role), Span("  "))], cells)

    def text(self, index: int) -> str:
        """One lesson as text."""
        entry = self._entries[index]
        return f"{entry.subject} {entry.name} {entry.title}"

    @staticmethod
    def _points(entry: Entry) -> str:
        return f"{entry.points:g}" if entry.earned is None else f"{entry.earned:g}/{entry.points:g}"
