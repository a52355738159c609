"""Giving several objects of a kind the same value of a field."""

from collections.abc import Sequence

from qmon_tui.checks import check_object
from qmon_tui.model import Field, Finding, Severity
from qmon_tui.tui.forms.dialogs.pick_dialogs import Pick, PickMany
from qmon_tui.tui.forms.field_view import FormState
from qmon_tui.tui.present import crop
from qmon_tui.workspace import Batch, Edit, SetField, listed_objects

_NOTE = 40
"""Cells of the value that an object has so far."""


def copy_value_dialog(state: FormState, field: Field) -> PickMany:
    """Answers the names of those that are to have the whole text of the field, overrides included."""
    obj = state.obj
    others = {name: other for name, other in listed_objects(state.cluster, obj.kind).items() if name != obj.name}
    picks = [Pick(name, crop(obj.text(field.name).replace("\n", " ; "), _NOTE)) for name, obj in others.items()]

    def check(text: str) -> tuple[Finding, ...]:
        """What the qmaster would say to the first that cannot have it."""
        for name in names_in(text):
            given = others[name].with_value(field.name, obj.given(field.name))
            wrong = tuple(
                finding
                for finding in check_object(state.cluster, given)
                if finding.field == field.name and finding.severity is Severity.ERROR
            )
            if wrong:
                return wrong
        return ()

    title = f"Who else gets {field.name} {crop(obj.text(field.name), _NOTE)}?"
    return PickMany(title, picks, (), _joined, check, free=False, sides=("others", "get it"))


def names_in(text: str) -> list[str]:
    """The names that the dialog has answered."""
    return text.split(", ") if text else []


def copy_value_edit(state: FormState, field: Field, names: Sequence[str]) -> Edit:
    """All of it as one step of undo."""
    obj = state.obj
    label = f"give {field.name} of {obj.name} to {len(names)} more"
    return Batch(label, tuple(SetField(obj.kind, name, field.name, obj.given(field.name)) for name in names))


def _joined(names: Sequence[str]) -> str:
    return ", ".join(names)
