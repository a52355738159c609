"""The values of a host as a table."""

from collections.abc import Sequence

from qmon_tui.qmaster import HostValue
from qmon_tui.tui.present.grid_rows import BLANK, Cell, Column, GridRow
from qmon_tui.tui.present.spans import TextRole

VALUE_COLUMNS = (
    Column("attribute", "attribute", minimum=10),
    Column("configured", "configured", "right"),
    Column("used", "in use", "right"),
    Column("free", "free", "right"),
    Column("reported", "reported", "right", minimum=8),
    Column("scaled", "scaled", "right", rank=2),
    Column("counts", "qhost -F", minimum=10, rank=1),
)


def value_rows(values: Sequence[HostValue]) -> list[GridRow]:
    """A row per attribute; nothing left of a consumable is marked."""
    return [_row(value) for value in values]


def _row(value: HostValue) -> GridRow:
    free = TextRole.FAILED if value.is_short else TextRole.RUNNING
    cells = (
        Cell(value.attribute),
        _cell(value.configured, TextRole.STRONG),
        _cell(value.used, TextRole.PLAIN),
        _cell(value.free, free),
        _cell(value.reported, TextRole.PLAIN),
        _cell(value.scaled, TextRole.ACCENT),
        _cell(value.counts, TextRole.DIM),
    )
    return GridRow(value.attribute, cells, (Cell("✗", TextRole.FAILED) if value.is_short else BLANK,))


def _cell(text: str, role: TextRole) -> Cell:
    return Cell(text, role) if text else Cell("-", TextRole.DIM)
