"""Tables of a host: its values, and its configuration with the source of each value."""

from collections.abc import Iterable, Mapping, Sequence

from qmon_tui.model import GLOBAL, GLOBAL_ONLY, Cluster, Kind, Setting, hosts_that_differ
from qmon_tui.qmaster import HostValue
from qmon_tui.report.grid_rows import BLANK, Cell, Column, GridRow
from qmon_tui.report.spans import TextRole
from qmon_tui.workspace import Offer

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
    """Return a row per attribute; a consumable that is used up is marked."""
    return [_value_row(value) for value in values]


def _value_row(value: HostValue) -> GridRow:
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


SETTING_COLUMNS = (
    Column("field", "", minimum=12),
    Column("value", "value", minimum=14),
    Column("origin", "from", minimum=6),
    Column("note", "", minimum=10, rank=1),
)


def setting_rows(cluster: Cluster, host: str, settings: Iterable[Setting]) -> list[GridRow]:
    """Return a row per setting; a setting of the host itself is marked."""
    return [_setting_row(cluster, host, setting) for setting in settings]


def _setting_row(cluster: Cluster, host: str, setting: Setting) -> GridRow:
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


OFFER_COLUMNS = (
    Column("place", "place", minimum=14),
    Column("kind", "", minimum=5),
    Column("value", "offers", "right", minimum=8),
)


def offer_rows(offers: Mapping[str, Offer]) -> list[GridRow]:
    """Return a row for each key and offer; places that offer nothing are dim."""
    return [_offer_row(key, offer) for key, offer in offers.items()]


def _offer_row(key: str, offer: Offer) -> GridRow:
    given = offer.text is not None
    words = "everywhere" if offer.place == "global" and offer.kind is Kind.HOST else str(offer.kind)
    cells = (
        Cell(offer.place, TextRole.PLAIN if given else TextRole.DIM),
        Cell(words, TextRole.DIM),
        Cell(offer.text or "-", TextRole.STRONG if given else TextRole.DIM),
    )
    return GridRow(key, cells)
