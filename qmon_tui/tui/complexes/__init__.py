"""Panel of a complex attribute: where it is offered."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.tui.complexes.actions import OFFERS_ACTIONS as OFFERS_ACTIONS
    from qmon_tui.tui.complexes.offers_panel import OffersView as OffersView
else:
    __getattr__ = late_names(__name__, __file__)
