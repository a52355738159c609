"""What can be done in the place of the advance reservations."""

from qmon_tui.tui.keys.action import Action
from qmon_tui.tui.keys.action_context import Pane

_HERE = (Pane.PAGE,)

RESERVATION_ACTIONS = (
    Action("reservations.add", ("a",), "add", "Make an advance reservation (qrsub)", dangerous=True, footer=_HERE),
    Action("reservations.clone", ("c",), "clone", "Make one like this, changed as you like", dangerous=True),
    Action("reservations.delete", ("d", "delete"), "delete", "Delete this reservation or the marked ones (qrdel)",
           dangerous=True, footer=_HERE),
    Action("reservations.revert", ("x",), "revert", "Set this reservation back to what was saved", dangerous=True),
    Action("reservations.mark", ("m", "space"), "mark", "Mark this reservation, so that delete is for all marked ones",
           footer=_HERE),
    Action("reservations.open", ("e",), "edit", "Everything about this reservation, as qrstat -ar tells it"),
)  # fmt: skip
