"""Actions of the Compare page."""

from typing import TYPE_CHECKING

from qmon_tui import simulation
from qmon_tui.tui import dialogs
from qmon_tui.tui.compare import prompts
from qmon_tui.tui.keys import ActionSet, Pane

if TYPE_CHECKING:
    from qmon_tui.tui.compare.view import CompareView

_HERE = (Pane.PAGE,)

COMPARE_ACTIONS: "ActionSet[CompareView]" = ActionSet("compare")


@COMPARE_ACTIONS.action("add", "a", text="Add a policy: edits such as scheduler.weight_urgency=1", footer=_HERE)
def _add(view: "CompareView") -> None:
    if len(view.labels) >= simulation.MOST_POLICIES:
        view.notify(f"{simulation.MOST_POLICIES} policies are compared at most.", severity="warning", markup=False)
    else:
        prompts.ask_policy(view)


@COMPARE_ACTIONS.action("delete", "d", "delete", text="Remove a policy that was added", footer=_HERE)
def _delete(view: "CompareView") -> None:
    if view.added:
        view.remove_last()
    else:
        view.notify("Nothing was added here.", severity="warning", markup=False)


@COMPARE_ACTIONS.action(
    "table", "t", label="next table", text="Next: measures, users, jobs, first decision", footer=_HERE
)
def _table(view: "CompareView") -> None:
    view.next_table()


@COMPARE_ACTIONS.action(
    "more", "plus", text="Simulate more days of this kind, each with small random shifts", footer=_HERE
)
def _more(view: "CompareView") -> None:
    view.change_seeds(1)


@COMPARE_ACTIONS.action("less", "minus", text="Simulate fewer days")
def _less(view: "CompareView") -> None:
    view.change_seeds(-1)


@COMPARE_ACTIONS.action("length", "at", text="How long each day lasts: 8h, 1d, 90m", footer=_HERE)
def _length(view: "CompareView") -> None:
    dialogs.ask_day_length(view.app, view.change_length)


@COMPARE_ACTIONS.action(
    "why",
    "w",
    text="Everything about the task of this row under both policies, when it starts under one of them",
)
def _why(view: "CompareView") -> None:
    view.explain()
