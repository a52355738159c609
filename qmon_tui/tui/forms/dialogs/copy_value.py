"""Copy of a field's value to several objects of the same kind."""

from collections.abc import Sequence

from qmon_tui.checks import check_object
from qmon_tui.model import ConfigObject, Field, Finding, Severity
from qmon_tui.report import crop
from qmon_tui.tui.forms.dialogs.pick_dialogs import Pick, PickMany
from qmon_tui.tui.forms.field_view import FormState
from qmon_tui.tui.forms.scopes import DEFAULT, has_readable_overrides, scoped_value, with_scoped
from qmon_tui.workspace import Batch, Edit, SetField, listed_objects

_NOTE = 40
"""Width in cells for the present value of an object."""


def copy_value_dialog(state: FormState, field: Field) -> PickMany:
    """Return the dialog for the objects that get the value of the shown scope; it answers their names."""
    obj = state.obj
    others = {name: other for name, other in listed_objects(state.cluster, obj.kind).items() if name != obj.name}
    picks = [Pick(name, crop(obj.text(field.name).replace("\n", " ; "), _NOTE)) for name, obj in others.items()]

    def check(text: str) -> tuple[Finding, ...]:
        """Return the findings of the first object that cannot have the value."""
        for name in names_in(text):
            given = others[name].with_value(field.name, _new_text(state, field, others[name]))
            wrong = tuple(
                finding
                for finding in check_object(state.cluster, given)
                if finding.field == field.name and finding.severity is Severity.ERROR
            )
            if wrong:
                return wrong
        return ()

    here = f" for {state.scope}" if state.scope != DEFAULT else ""
    title = f"Who else gets {field.name} {crop(_value(state, field), _NOTE)}{here}?"
    return PickMany(title, picks, (), ", ".join, check, free=False, sides=("others", "get it"))


def names_in(text: str) -> list[str]:
    """Return the names in the answer of the dialog."""
    return text.split(", ") if text else []


def copy_value_edit(state: FormState, field: Field, names: Sequence[str]) -> Edit:
    """Return the edit that gives all these objects the value, as one step of undo."""
    obj = state.obj
    here = f" for {state.scope}" if state.scope != DEFAULT else ""
    label = f"give {field.name} of {obj.name}{here} to {len(names)} more"
    others = listed_objects(state.cluster, obj.kind)
    edits = (SetField(obj.kind, name, field.name, _new_text(state, field, others[name])) for name in names)
    return Batch(label, tuple(edits))


def _value(state: FormState, field: Field) -> str:
    """Return the value that is copied."""
    return scoped_value(state.cluster, state.obj, field, state.scope).text


def _new_text(state: FormState, field: Field, other: ConfigObject) -> str | None:
    """Return another object's whole text of the field with the value; its other overrides stay."""
    obj = state.obj
    if not field.per_host or not all(has_readable_overrides(known.text(field.name)) for known in (obj, other)):
        return obj.given(field.name)
    left_out = state.scope == DEFAULT and obj.given(field.name) is None
    return with_scoped(other, field, state.scope, None if left_out else _value(state, field))
