"""Where an attribute is offered, as a table."""

from collections.abc import Mapping

from qmon_tui.model import Kind
from qmon_tui.report.grid_rows import Cell, Column, GridRow
from qmon_tui.report.spans import TextRole
from qmon_tui.workspace import Offer

OFFER_COLUMNS = (
    Column("place", "place", minimum=14),
    Column("kind", "", minimum=5),
    Column("value", "offers", "right", minimum=8),
)


def offer_rows(offers: Mapping[str, Offer]) -> list[GridRow]:
    """A row per place by its key; places that offer nothing are dim."""
    return [_row(key, offer) for key, offer in offers.items()]


def _row(key: str, offer: Offer) -> GridRow:
    given = offer.text is not None
    words = "everywhere" if offer.place == "global" and offer.kind is Kind.HOST else str(offer.kind)
    cells = (
        Cell(offer.place, TextRole.PLAIN if given else TextRole.DIM),
        Cell(words, TextRole.DIM),
        Cell(offer.text or "-", TextRole.STRONG if given else TextRole.DIM),
    )
    return GridRow(key, cells)
