"""Actions of the panel about the places where an attribute is offered: set or remove its value there."""

from typing import TYPE_CHECKING

from qmon_tui.tui.keys import ActionSet, Pane

if TYPE_CHECKING:
    from qmon_tui.tui.complexes.offers_panel import OffersView

_FORM = (Pane.FORM,)

OFFERS_ACTIONS: "ActionSet[OffersView]" = ActionSet("offers")


def _nothing_offered(view: "OffersView") -> str | None:
    return None if any(offer.text is not None for offer in view.targets) else "It is not offered there."


@OFFERS_ACTIONS.action(
    "edit",
    "e",
    label="edit",
    text="Offer this attribute there or in all marked places, or change the amount",
    dangerous=True,
    footer=_FORM,
)
def _edit(view: "OffersView") -> None:
    view.ask()


@OFFERS_ACTIONS.action(
    "delete",
    "d",
    "delete",
    label="delete",
    text="No longer offer it there or in the marked places",
    refused=_nothing_offered,
    dangerous=True,
    footer=_FORM,
)
def _delete(view: "OffersView") -> None:
    view.delete()
