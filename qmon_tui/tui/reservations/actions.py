"""Actions of the Reservations page."""

from typing import TYPE_CHECKING

from qmon_tui.model import StateKind
from qmon_tui.tui.keys import ActionSet, Pane

if TYPE_CHECKING:
    from qmon_tui.tui.reservations.view import ReservationsView

_HERE = (Pane.PAGE,)

RESERVATION_ACTIONS: "ActionSet[ReservationsView]" = ActionSet("reservations")


@RESERVATION_ACTIONS.action("add", "a", text="Make an advance reservation (qrsub)", dangerous=True, footer=_HERE)
def _add(view: "ReservationsView") -> None:
    view.ask_reservation(None)


@RESERVATION_ACTIONS.action(
    "clone", "c", text="Make a copy of this reservation; it can be edited first", dangerous=True
)
def _clone(view: "ReservationsView") -> None:
    view.ask_reservation(view.chosen)


@RESERVATION_ACTIONS.action(
    "delete",
    "d",
    "delete",
    dangerous=True,
    footer=_HERE,
    text="Delete this reservation or the marked ones (qrdel)",
)
def _delete(view: "ReservationsView") -> None:
    view.ask_delete()


@RESERVATION_ACTIONS.action("revert", "x", text="Reset this reservation to the saved one", dangerous=True)
def _revert(view: "ReservationsView") -> None:
    reservation, workspace = view.chosen, view.workspace
    if reservation is not None and workspace.is_dirty(StateKind.RESERVATION, str(reservation.id)):
        workspace.revert(StateKind.RESERVATION, str(reservation.id))
    else:
        view.notify("This reservation has not changed since the last save.", severity="warning", markup=False)


@RESERVATION_ACTIONS.action(
    "mark",
    "m",
    "space",
    footer=_HERE,
    text="Mark this reservation: delete then applies to all marked ones",
)
def _mark(view: "ReservationsView") -> None:
    if view.chosen is not None:
        view.mark(view.marked ^ {view.chosen.id})
        view.next_row()


@RESERVATION_ACTIONS.action("mark-all", "A", text="Mark all reservations that match the filter, or none")
def _mark_all(view: "ReservationsView") -> None:
    view.mark_all()


@RESERVATION_ACTIONS.action(
    "filter",
    "slash",
    text="Show only some: state=r -u anna queue=all.q host=@rack slots>4 words",
    footer=_HERE,
)
def _filter(view: "ReservationsView") -> None:
    view.start_filter()


@RESERVATION_ACTIONS.action("open", "e", label="edit", text="Everything about this reservation, as in qrstat -ar")
def _open(view: "ReservationsView") -> None:
    view.open_chosen()
