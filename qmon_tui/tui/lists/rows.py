"""Objects as rows of a table: filtered, sorted and marked; no Textual here."""

from collections.abc import Iterable, Sequence

from qmon_tui.model.cluster import ConfigObject
from qmon_tui.model.findings import Severity
from qmon_tui.tui.base.columns import BLANK, Cell, GridRow
from qmon_tui.tui.lists.columns import ListColumn, ListContext
from qmon_tui.tui.present.spans import TextRole
from qmon_tui.tui.present.table_rows import natural_order

SEVERITY_SIGNS = {
    Severity.ERROR: Cell("✗", TextRole.ERROR),
    Severity.WARNING: Cell("!", TextRole.WARNING),
    Severity.INFO: Cell("i", TextRole.DIM),
}
EDITED = Cell("●", TextRole.CHANGED)


def object_rows(objects: Iterable[ConfigObject], columns: Sequence[ListColumn], context: ListContext) -> list[GridRow]:
    """One row per object, in the given order."""
    return [
        GridRow(obj.name, tuple(column.cell(obj, context) for column in columns), _signs(obj.name, context))
        for obj in objects
    ]


def filtered(rows: Iterable[GridRow], text: str) -> list[GridRow]:
    """The rows that hold every word of the filter somewhere, whatever the case; `!word` leaves out those that do."""
    words = text.lower().split()
    return [row for row in rows if all(_holds(row, word) for word in words)]


def ordered(rows: Iterable[GridRow], index: int, *, descending: bool = False) -> list[GridRow]:
    """The rows sorted by one column: numbers by value and before words, words with their digits counted as numbers."""
    return sorted(rows, key=lambda row: natural_order(row.cells[index].text), reverse=descending)


def _signs(name: str, context: ListContext) -> tuple[Cell, ...]:
    worst = context.worst.get(name)
    return (EDITED if name in context.dirty else BLANK, SEVERITY_SIGNS[worst] if worst else BLANK)


def _holds(row: GridRow, word: str) -> bool:
    if word.startswith("!") and len(word) > 1:
        return not _holds(row, word[1:])
    return any(word in cell.text.lower() for cell in row.cells)
