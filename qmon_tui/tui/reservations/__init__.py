"""The page of the advance reservations."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.tui.reservations.actions import RESERVATION_ACTIONS
    from qmon_tui.tui.reservations.view import ReservationsView
else:
    __getattr__ = late_names(
        __name__,
        {
            "actions": ("RESERVATION_ACTIONS",),
            "view": ("ReservationsView",),
        },
    )

__all__ = ["RESERVATION_ACTIONS", "ReservationsView"]
