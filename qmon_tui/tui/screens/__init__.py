"""The main screen, its actions, and their helpers."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.tui.screens.document_actions import DOCUMENT_ACTIONS as DOCUMENT_ACTIONS
    from qmon_tui.tui.screens.folder_watch import Changes as Changes, disk_changes as disk_changes
    from qmon_tui.tui.screens.main import MainScreen as MainScreen
    from qmon_tui.tui.screens.object_actions import OBJECT_ACTIONS as OBJECT_ACTIONS
    from qmon_tui.tui.screens.view_actions import VIEW_ACTIONS as VIEW_ACTIONS
else:
    __getattr__ = late_names(__name__, __file__, modules=True)
