"""The form of one object, built from the catalogue, with its editors, pickers and helpers."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.tui.forms.name_matching import best_matches
    from qmon_tui.tui.forms.name_value_tables import EntriesTable, TableRow
    from qmon_tui.tui.forms.object_form import ObjectForm
else:
    __getattr__ = late_names(
        __name__,
        {
            "name_matching": ("best_matches",),
            "name_value_tables": ("EntriesTable", "TableRow"),
            "object_form": ("ObjectForm",),
        },
    )

__all__ = ["EntriesTable", "ObjectForm", "TableRow", "best_matches"]
