"""The Reservations page."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.tui.reservations.actions import RESERVATION_ACTIONS as RESERVATION_ACTIONS
    from qmon_tui.tui.reservations.view import ReservationsView as ReservationsView
else:
    __getattr__ = late_names(__name__, __file__, modules=True)
