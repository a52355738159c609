"""The questions of the page of sweeps: what is varied, and how long a day lasts."""

from typing import TYPE_CHECKING, Final

from qmon_tui.simulation import EditError, grid, read_axis
from qmon_tui.tui.dialogs import NameDialog

if TYPE_CHECKING:
    from qmon_tui.tui.sweep.view import SweepView

_AXIS: Final = (
    "A field and its values, with commas between them: scheduler.weight_urgency=0,0.1,1, queues.all.q.slots=4,8, "
    "workload.load=1,1.2 for more jobs, hosts=+0,+10 for more hosts. All combinations are tried."
)


def ask_axis(view: "SweepView") -> None:
    """A field and its values."""
    cluster = view.workspace.edited_document.cluster

    def check(text: str) -> str | None:
        try:
            axis = read_axis(cluster, text)
            if any(known.place == axis.place for known in view.axes):
                return f"{axis.place} is varied already: d removes it."
            if axis.span is not None:
                return f"{axis.place}: write its values with commas, such as {axis.place}=0,0.5,1."
            list(grid((*view.axes, axis)))
        except EditError as error:
            return f"{error}."
        return None

    NameDialog("Vary a field", _AXIS, check).ask(view.app, lambda text: view.add(read_axis(cluster, text)))
