"""The page of what needs attention."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.tui.attention.view import AttentionView as AttentionView
else:
    __getattr__ = late_names(__name__, __file__, modules=True)
