"""The page that compares policies: the same work under each of them."""

from typing import TYPE_CHECKING

from qmon_tui.late import late_names

if TYPE_CHECKING:
    from qmon_tui.tui.compare.actions import COMPARE_ACTIONS as COMPARE_ACTIONS
    from qmon_tui.tui.compare.view import CompareView as CompareView
else:
    __getattr__ = late_names(__name__, __file__, modules=True)
