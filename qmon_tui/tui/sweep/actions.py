"""Actions of the Sweep page."""

from typing import TYPE_CHECKING

from qmon_tui.tui import dialogs
from qmon_tui.tui.keys import ActionSet, Pane
from qmon_tui.tui.sweep import prompts

if TYPE_CHECKING:
    from qmon_tui.tui.sweep.view import SweepView

_HERE = (Pane.PAGE,)

SWEEP_ACTIONS: "ActionSet[SweepView]" = ActionSet("sweep")


@SWEEP_ACTIONS.action("add", "a", text="Vary a field: scheduler.weight_urgency=0,0.1,1", footer=_HERE)
def _add(view: "SweepView") -> None:
    prompts.ask_axis(view)


@SWEEP_ACTIONS.action("delete", "d", "delete", text="No longer vary the field that was added last", footer=_HERE)
def _delete(view: "SweepView") -> None:
    if view.axes:
        view.remove_last()
    else:
        view.notify("Nothing is varied yet.", severity="warning", markup=False)


@SWEEP_ACTIONS.action("measure", "o", label="order", text="Order the points by the next measure", footer=_HERE)
def _measure(view: "SweepView") -> None:
    view.next_measure()


@SWEEP_ACTIONS.action("more", "plus", text="More like days for each point", footer=_HERE)
def _more(view: "SweepView") -> None:
    view.change_seeds(1)


@SWEEP_ACTIONS.action("less", "minus", text="Fewer like days for each point")
def _less(view: "SweepView") -> None:
    view.change_seeds(-1)


@SWEEP_ACTIONS.action("length", "at", text="How long each day lasts: 8h, 1d, 90m", footer=_HERE)
def _length(view: "SweepView") -> None:
    dialogs.ask_day_length(view.app, view.change_length)
