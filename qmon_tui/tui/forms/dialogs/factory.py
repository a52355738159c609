"""Which dialog edits a field."""

from qmon_tui.model.kinds import Kind
from qmon_tui.tui.dialogs.base import Dialog
from qmon_tui.tui.forms.dialogs.pickone import Pick, PickOne
from qmon_tui.tui.forms.editors import Editor
from qmon_tui.tui.forms.view import FieldView, FormState

ALL_HOSTS = "all hosts"
"""The name of the scope without overrides."""


def dialog_for(state: FormState, view: FieldView, *, typed: bool) -> Dialog[str] | None:
    """The dialog that answers a field's new value; None where the value is typed in its place.

    `typed` says that one wants to type a time or an amount rather than take it apart.
    """
    title = f"{view.field.name} of {state.obj.name}"
    if view.editor is Editor.CHOICE and view.options:
        return PickOne(title, [Pick(option) for option in view.options], view.value)
    return None


def scope_dialog(state: FormState) -> PickOne:
    """All hosts and groups that values can be set for; any other host can be typed."""
    hosts = (name for name in state.cluster.objects(Kind.HOST) if name != "global")
    picks = [
        Pick(ALL_HOSTS),
        *(Pick(name, "hostgroup") for name in state.cluster.objects(Kind.HOSTGROUP)),
        *(Pick(name) for name in hosts),
    ]
    return PickOne(f"Set {state.obj.name} for", picks, state.scope or ALL_HOSTS, free=True)
