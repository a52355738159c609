"""Dialogs that answer the new text of one field: pickers, tables, and helpers for times and amounts."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.tui.forms.dialogs.copy_value import (
        copy_value_dialog as copy_value_dialog,
        copy_value_edit as copy_value_edit,
        names_in as names_in,
    )
    from qmon_tui.tui.forms.dialogs.dialog_factory import dialog_for as dialog_for, scope_dialog as scope_dialog
    from qmon_tui.tui.forms.dialogs.effective_values_dialog import EffectiveDialog as EffectiveDialog
    from qmon_tui.tui.forms.dialogs.pick_dialogs import Pick as Pick, PickMany as PickMany, PickOne as PickOne
    from qmon_tui.tui.forms.dialogs.table_dialog import TableDialog as TableDialog
    from qmon_tui.tui.forms.dialogs.value_dialog import (
        Check as Check,
        LinesDialog as LinesDialog,
        ValueDialog as ValueDialog,
    )
else:
    __getattr__ = late_names(__name__, __file__, modules=True)
