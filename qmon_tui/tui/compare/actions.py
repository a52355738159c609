"""Actions of the pages Compare and Sweep."""

from typing import TYPE_CHECKING, Any

from qmon_tui import simulation
from qmon_tui.tui.keys import ActionSet, Pane

if TYPE_CHECKING:
    from qmon_tui.tui.compare.compare_view import CompareView
    from qmon_tui.tui.compare.days_page import DaysPage
    from qmon_tui.tui.compare.sweep_view import SweepView

_HERE = (Pane.PAGE,)

COMPARE_ACTIONS: "ActionSet[CompareView]" = ActionSet("compare")
SWEEP_ACTIONS: "ActionSet[SweepView]" = ActionSet("sweep")


def _declare_days(actions: ActionSet[Any], more: str, less: str) -> None:
    """Declare the actions on the number of days and their length."""

    @actions.action("more", "plus", text=more, footer=_HERE)
    def _more(view: "DaysPage") -> None:
        view.change_seeds(1)

    @actions.action("less", "minus", text=less)
    def _less(view: "DaysPage") -> None:
        view.change_seeds(-1)

    @actions.action("length", "at", text="How long each day lasts: 8h, 1d, 90m", footer=_HERE)
    def _length(view: "DaysPage") -> None:
        view.ask_length()


@COMPARE_ACTIONS.action("add", "a", text="Add a policy: edits such as scheduler.weight_urgency=1", footer=_HERE)
def _add_policy(view: "CompareView") -> None:
    if len(view.labels) >= simulation.MOST_POLICIES:
        view.notify(f"{simulation.MOST_POLICIES} policies are compared at most.", severity="warning", markup=False)
    else:
        view.ask_policy()


@COMPARE_ACTIONS.action("delete", "d", "delete", text="Remove a policy that was added", footer=_HERE)
def _remove_policy(view: "CompareView") -> None:
    if view.added:
        view.remove_last()
    else:
        view.notify("Nothing was added here.", severity="warning", markup=False)


@COMPARE_ACTIONS.action(
    "table", "t", label="next table", text="Next: measures, users, jobs, first decision", footer=_HERE
)
def _table(view: "CompareView") -> None:
    view.next_table()


_declare_days(COMPARE_ACTIONS, "Simulate more days of this kind, each with small random shifts", "Simulate fewer days")


@COMPARE_ACTIONS.action(
    "why", "w", text="Everything about the task of this row under both policies, when it starts under one of them"
)
def _why(view: "CompareView") -> None:
    view.explain()


@SWEEP_ACTIONS.action("add", "a", text="Vary a field: scheduler.weight_urgency=0,0.1,1", footer=_HERE)
def _add_axis(view: "SweepView") -> None:
    view.ask_axis()


@SWEEP_ACTIONS.action("delete", "d", "delete", text="No longer vary the field that was added last", footer=_HERE)
def _remove_axis(view: "SweepView") -> None:
    if view.axes:
        view.remove_last()
    else:
        view.notify("Nothing is varied yet.", severity="warning", markup=False)


@SWEEP_ACTIONS.action("measure", "o", label="order", text="Order the points by the next measure", footer=_HERE)
def _measure(view: "SweepView") -> None:
    view.next_measure()


_declare_days(SWEEP_ACTIONS, "More like days for each point", "Fewer like days for each point")
