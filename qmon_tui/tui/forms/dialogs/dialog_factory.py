"""Choice of the dialog that edits a field."""

from collections.abc import Sequence

from qmon_tui.checks import check_object
from qmon_tui.model import Field, Finding, Kind, ValueType, resolve_group
from qmon_tui.tui.dialogs import Dialog
from qmon_tui.tui.forms.dialogs.amount_dialogs import MemoryDialog, TimeDialog
from qmon_tui.tui.forms.dialogs.pick_dialogs import Pick, PickMany, PickOne
from qmon_tui.tui.forms.dialogs.table_dialog import TableDialog
from qmon_tui.tui.forms.dialogs.value_dialog import Check, LinesDialog
from qmon_tui.tui.forms.editors import Editor, candidates_of, takes_others
from qmon_tui.tui.forms.field_edits import expand_node_sets
from qmon_tui.tui.forms.field_view import FieldView, FormState
from qmon_tui.tui.forms.name_value_tables import entries_table, subordinates_table
from qmon_tui.tui.forms.scopes import ALL_HOSTS, with_scoped
from qmon_tui.values import is_group, join_names, split_names


def dialog_for(state: FormState, view: FieldView, *, typed: bool) -> Dialog[str] | None:
    """Return the dialog that answers a field's new value in the scope; None if the value is typed in its row.

    `typed` asks to type a time or an amount as text instead of in parts.
    """
    field, check = view.field, checker(state, view.field)
    title = f"{field.name} of {state.obj.name}" + (f" on {state.scope}" if state.scope else "")
    match view.editor:
        case Editor.CHOICE if view.options:
            return PickOne(title, [Pick(option) for option in view.options], view.value)
        case Editor.TIME if not typed:
            return TimeDialog(title, view.value, check)
        case Editor.MEMORY if not typed:
            return MemoryDialog(title, view.value, check)
        case Editor.LIST | Editor.FLAGS:
            return _list_dialog(state, view, title, check)
        case Editor.ENTRIES:
            table = entries_table(state.cluster, field, view.value)
            return TableDialog(title, table, check) if table is not None else None
        case Editor.SUBORDINATES:
            queues = subordinates_table(state.cluster, state.obj.name, view.value)
            return TableDialog(title, queues, check) if queues is not None else None
        case Editor.LINES:
            return LinesDialog(title, view.value, check)
        case Editor.TEXT if field.choices and not typed:
            return PickOne(title, [Pick(choice) for choice in field.choices], view.value, free=True)
    return None


def checker(state: FormState, field: Field) -> Check:
    """Return a function that returns the findings for a value of the field in the scope."""

    def check(value: str) -> tuple[Finding, ...]:
        candidate = state.obj.with_value(field.name, with_scoped(state.obj, field, state.scope, value))
        return tuple(f for f in check_object(state.cluster, candidate) if f.field == field.name)

    return check


def _list_dialog(state: FormState, view: FieldView, title: str, check: Check) -> PickMany:
    field = view.field
    flags = field.type is ValueType.FLAGS
    # Flags are separated by blanks or commas whatever the object.
    separator = "blank or comma" if flags else field.separator
    candidates = candidates_of(state.cluster, field, state.obj)
    picks = [Pick(name, _note(state, field, name)) for name in candidates]

    def join(names: Sequence[str]) -> str:
        joined = join_names([c for c in field.choices if c in names] if flags else names, separator)
        return expand_node_sets(field, joined)

    chosen = [name.upper() if flags else name for name in split_names(view.value, separator)]
    return PickMany(title, picks, chosen, join, check, free=takes_others(field) and not flags)


def _note(state: FormState, field: Field, name: str) -> str:
    if is_group(name) and field.type is ValueType.HOSTS:
        count = len(resolve_group(state.cluster, name))
        return f"{count} host" if count == 1 else f"{count} hosts"
    return ""


def scope_dialog(state: FormState) -> PickOne:
    """Return the dialog for a scope: all hosts, a hostgroup, a host, or any other host that is typed."""
    hosts = (name for name in state.cluster.objects(Kind.HOST) if name != "global")
    picks = [
        Pick(ALL_HOSTS),
        *(Pick(name, "hostgroup") for name in state.cluster.objects(Kind.HOSTGROUP)),
        *(Pick(name) for name in hosts),
    ]
    return PickOne(f"Set {state.obj.name} for", picks, state.scope or ALL_HOSTS, free=True)
