"""The values of a host as a table."""

from collections.abc import Sequence

from qmon_tui.scheduler.host_report import HostValue
from qmon_tui.tui.base.columns import BLANK, Cell, Column, GridRow
from qmon_tui.tui.present.spans import Idea

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
    free = Idea.FAILED if value.is_short else Idea.RUNNING
    cells = (
        Cell(value.attribute),
        _cell(value.configured, Idea.STRONG),
        _cell(value.used, Idea.PLAIN),
        _cell(value.free, free),
        _cell(value.reported, Idea.PLAIN),
        _cell(value.scaled, Idea.ACCENT),
        _cell(value.counts, Idea.DIM),
    )
    return GridRow(value.attribute, cells, (Cell("✗", Idea.FAILED) if value.is_short else BLANK,))


def _cell(text: str, idea: Idea) -> Cell:
    return Cell(text, idea) if text else Cell("-", Idea.DIM)
