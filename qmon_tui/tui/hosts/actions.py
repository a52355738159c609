"""Actions of the panel about the values of a host: change the load that the simulated host reports."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_module
from qmon_tui.report import stepped
from qmon_tui.tui.keys import ActionSet, Pane

if TYPE_CHECKING:
    from qmon_tui.tui.hosts import prompts
    from qmon_tui.tui.hosts.host_values_panel import ValuesView
else:
    prompts = late_module("qmon_tui.tui.hosts.prompts")

_FORM = (Pane.FORM,)

VALUES_ACTIONS: "ActionSet[ValuesView]" = ActionSet("values")


def _no_attribute(view: "ValuesView") -> str | None:
    return view.EMPTY if view.grid.chosen is None else None


def _unreported(view: "ValuesView") -> str | None:
    return _no_attribute(view) or (
        "The host reports no value of this attribute: e sets one." if view.chosen_value is None else None
    )


def _no_step(view: "ValuesView") -> str | None:
    return _unreported(view) or (
        "This is not a plain number: e edits it." if stepped(view.chosen_value or "", 1) is None else None
    )


@VALUES_ACTIONS.action(
    "edit",
    "e",
    label="edit",
    text="Edit the reported value: the schedule follows",
    refused=_no_attribute,
    dangerous=True,
    footer=_FORM,
)
def _edit(view: "ValuesView") -> None:
    if (chosen := view.grid.chosen) is not None:
        prompts.ask_value(view, chosen)


@VALUES_ACTIONS.action(
    "add", "a", label="add", text="Add an attribute to what the host reports", dangerous=True, footer=_FORM
)
def _add(view: "ValuesView") -> None:
    prompts.ask_attribute(view)


@VALUES_ACTIONS.action(
    "delete",
    "d",
    "delete",
    label="delete",
    text="Remove this attribute from what the host reports",
    refused=_unreported,
    dangerous=True,
    footer=_FORM,
)
def _delete(view: "ValuesView") -> None:
    if (chosen := view.grid.chosen) is not None:
        view.report(chosen, None)


@VALUES_ACTIONS.raise_and_lower("the reported value a little", _no_step, _FORM)
def _step(view: "ValuesView", by: int) -> None:
    chosen, text = view.grid.chosen, stepped(view.chosen_value or "", by)
    if chosen is not None and text is not None:
        # Load reports have two digits after the point, and none for whole numbers.
        view.report(chosen, f"{float(text):.2f}" if "." in text else text)
