"""Dialogs that find the new text of one field: pickers, tables, and helpers for times and amounts."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.tui.forms.dialogs.copy_value import copy_value_dialog, copy_value_edit, names_in
    from qmon_tui.tui.forms.dialogs.dialog_factory import dialog_for, scope_dialog
    from qmon_tui.tui.forms.dialogs.effective_values_dialog import EffectiveDialog
    from qmon_tui.tui.forms.dialogs.pick_dialogs import Pick, PickOne
    from qmon_tui.tui.forms.dialogs.table_dialog import TableDialog
    from qmon_tui.tui.forms.dialogs.value_dialog import Check, LinesDialog, ValueDialog
else:
    __getattr__ = late_names(
        __name__,
        {
            "copy_value": ("copy_value_dialog", "copy_value_edit", "names_in"),
            "dialog_factory": ("dialog_for", "scope_dialog"),
            "effective_values_dialog": ("EffectiveDialog",),
            "pick_dialogs": ("Pick", "PickOne"),
            "table_dialog": ("TableDialog",),
            "value_dialog": ("Check", "LinesDialog", "ValueDialog"),
        },
    )

__all__ = [
    "Check",
    "EffectiveDialog",
    "LinesDialog",
    "Pick",
    "PickOne",
    "TableDialog",
    "ValueDialog",
    "copy_value_dialog",
    "copy_value_edit",
    "dialog_for",
    "names_in",
    "scope_dialog",
]
