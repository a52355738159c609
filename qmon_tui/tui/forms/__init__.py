"""The form of one object, built from the catalogue, with its editors, pickers and helpers."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.tui.forms.name_matching import best_matches as best_matches
    from qmon_tui.tui.forms.name_value_tables import EntriesTable as EntriesTable, TableRow as TableRow
    from qmon_tui.tui.forms.object_form import ObjectForm as ObjectForm
else:
    __getattr__ = late_names(__name__, __file__, modules=True)
