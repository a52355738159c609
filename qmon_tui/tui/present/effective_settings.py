"""What holds on a host as a table: the value, and the configuration that it comes from."""

from collections.abc import Iterable

from qmon_tui.model import GLOBAL, GLOBAL_ONLY, Cluster, Setting, hosts_that_differ
from qmon_tui.tui.present.grid_rows import BLANK, Cell, Column, GridRow
from qmon_tui.tui.present.spans import TextRole

SETTING_COLUMNS = (
    Column("field", "", minimum=12),
    Column("value", "value", minimum=14),
    Column("origin", "from", minimum=6),
    Column("note", "", minimum=10, rank=1),
)


def setting_rows(cluster: Cluster, host: str, settings: Iterable[Setting]) -> list[GridRow]:
    """A row per setting, those that a host sets itself marked."""
    return [_row(cluster, host, setting) for setting in settings]


def _row(cluster: Cluster, host: str, setting: Setting) -> GridRow:
    own = host != GLOBAL and setting.origin == host
    role = TextRole.STRONG if own else TextRole.PLAIN if setting.origin else TextRole.DIM
    note = Cell("")
    sign = Cell("◆", TextRole.ACCENT) if own else BLANK
    if setting.without_effect is not None:
        note = Cell(f"{setting.without_effect} here has no effect: this is global only", TextRole.WARNING)
        sign = Cell("!", TextRole.WARNING)
    elif host == GLOBAL:
        differ = hosts_that_differ(cluster, setting.field)
        if differ and setting.field not in GLOBAL_ONLY:
            note = Cell(", ".join(f"{name}: {text}" for name, text in differ), TextRole.ACCENT)
            sign = Cell("◆", TextRole.ACCENT)
    cells = (Cell(setting.field), Cell(setting.text, role), Cell(setting.origin or "default", TextRole.DIM), note)
    return GridRow(setting.field, cells, (sign,))
