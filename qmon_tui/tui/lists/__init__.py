"""The list of all objects of one kind: which columns it has, how it is filtered and sorted, and its widget."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.tui.lists.object_files import ObjectFiles as ObjectFiles, run_editor as run_editor
    from qmon_tui.tui.lists.object_list import ObjectList as ObjectList
    from qmon_tui.tui.lists.object_load import ComplexFiles as ComplexFiles
else:
    __getattr__ = late_names(__name__, __file__, modules=True)
